"""Rename the overload of an operator."""

from collections.abc import Iterable, Iterator

from mkls.features.occurrences import Occurrence, host_documents, in_host_code
from mkls.features.references_of_rows import operator_occurrences
from mkls.features.rename_plan import Group, Plan, Refusal, Written, plan_of
from mkls.index.snapshot import Snapshot
from mkls.text.document import Uri
from mkls.text.span import Span

_NAMESPACE = "_ops::"


def overload_plan(snapshot: Snapshot, cursor: tuple[Uri, int], name: str) -> Plan | Refusal:
    """Return the plan for the overload of operator `name`, the `out` of `add.out`."""
    base, dot, overload = name.partition(".")
    if not dot:
        return Refusal(
            f"`{name}` has no overload name, and its base name is public: `torch.{name}`"
        )
    names = sorted(_tied(snapshot, name, overload))
    places = list(_places(snapshot, names, overload))
    if not any(it.uri == cursor[0] and cursor[1] in it.span for it in places):
        return Refusal(f"only the overload `{overload}` can be renamed: `torch.{base}` is public")
    return plan_of(
        snapshot,
        cursor,
        overload,
        places,
        f"`{name}` is a public name of PyTorch: code outside of this checkout may use it",
    )


def _places(snapshot: Snapshot, names: Iterable[str], overload: str) -> Iterator[Written]:
    for name in names:
        base = name.partition(".")[0]
        after = len(name) - len(base) - len(".")
        for it in operator_occurrences(snapshot, name):
            group = Group.ROW if it.uri.endswith(".yaml") else Group.HOST
            yield Written(it.uri, _start(it.span, after, overload), group)
        struct = name.replace(".", "_")
        for it in in_host_code(snapshot, struct, host_documents(snapshot)):
            if _is_operator_struct(snapshot, it):
                yield Written(it.uri, _start(it.span, after, overload), Group.HOST)


def _start(span: Span, after: int, overload: str) -> Span:
    """Return the span of `overload`, which begins `after` characters before the end of `span`."""
    start = span.end - after
    return Span(start, start + len(overload))


def _tied(snapshot: Snapshot, name: str, overload: str) -> set[str]:
    """Return `name` and the operators whose overloads follow from it.

    torchgen makes `rsub.Scalar_out` for `rsub.Scalar` (`autogen`), and one for all the variants
    of an operator.
    """
    names, known = {name}, set[str]()
    while names != known:
        known = set(names)
        for row in snapshot.operators.rows:
            made = {it.text for it in row.entry.autogen if _follows(it.text, overload)}
            if row.name in known:
                names |= made
            elif made & known and row.name.partition(".")[2] == overload:
                names.add(row.name)
    return names


def _follows(name: str, overload: str) -> bool:
    return name.partition(".")[2] in (overload, f"{overload}_out")


def _is_operator_struct(snapshot: Snapshot, it: Occurrence) -> bool:
    """Whether `it` is `at::_ops::add_out`, the struct that torchgen makes for an operator."""
    text = snapshot.sources[it.uri].document.text
    return text.endswith(_NAMESPACE, 0, it.span.start)
