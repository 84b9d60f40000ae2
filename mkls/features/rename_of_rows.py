"""Rename the overload of an operator."""

from collections.abc import Iterator

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
    places = list(_places(snapshot, name, base, overload))
    if not any(it.uri == cursor[0] and cursor[1] in it.span for it in places):
        return Refusal(f"only the overload `{overload}` can be renamed: `torch.{base}` is public")
    return plan_of(
        snapshot,
        cursor,
        overload,
        places,
        f"`{name}` is a public name of PyTorch: code outside of this checkout may use it",
    )


def _places(snapshot: Snapshot, name: str, base: str, overload: str) -> Iterator[Written]:
    for it in operator_occurrences(snapshot, name):
        group = Group.ROW if it.uri.endswith(".yaml") else Group.HOST
        yield Written(it.uri, _end(it.span, overload), group)
    for it in in_host_code(snapshot, f"{base}_{overload}", host_documents(snapshot)):
        if _is_operator_struct(snapshot, it):
            yield Written(it.uri, _end(it.span, overload), Group.HOST)


def _end(span: Span, overload: str) -> Span:
    return Span(span.end - len(overload), span.end)


def _is_operator_struct(snapshot: Snapshot, it: Occurrence) -> bool:
    """Whether `it` is `at::_ops::add_out`, the struct that torchgen makes for an operator."""
    text = snapshot.sources[it.uri].document.text
    return text.endswith(_NAMESPACE, 0, it.span.start)
