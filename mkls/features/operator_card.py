"""All there is about one operator: its rows, functions, stubs, kernels and tests."""

from collections.abc import Iterator

import msgspec

from mkls.facts.model.python import PythonFacts
from mkls.features.states import kernels_of, state_words
from mkls.index.host_documents import HostFunction
from mkls.index.inline_shaders import real_place
from mkls.index.mps_state import MpsState, mps_state
from mkls.index.operators import Row
from mkls.index.place import Place
from mkls.index.snapshot import Snapshot
from mkls.text.span import Span


class RowEntry(msgspec.Struct, frozen=True):
    """A row: what it runs on MPS, through which function, and for which dtypes."""

    name: str
    state: str
    function: str
    shares: tuple[str, ...]
    dtypes: tuple[str, ...]
    place: Place


class NamedPlace(msgspec.Struct, frozen=True):
    """Something with a name, what it is or does, and where it stands."""

    name: str
    role: str
    place: Place


class OperatorCard(msgspec.Struct, frozen=True):
    """What is known of the operator with base name `base`."""

    base: str
    rows: tuple[RowEntry, ...]
    functions: tuple[NamedPlace, ...]
    stubs: tuple[NamedPlace, ...]
    kernels: tuple[NamedPlace, ...]
    tests: tuple[NamedPlace, ...]


def operator_card(snapshot: Snapshot, name: str) -> OperatorCard | None:
    """Return what is known of the operator called `name`, `add` or `add.Tensor`; None for none."""
    name = name.removeprefix("aten::").removeprefix("torch.")
    row = snapshot.operators.row(name)
    base = row.entry.base if row else name.partition(".")[0].rstrip("_") or name
    rows = snapshot.operators.rows_of_base(base) or snapshot.operators.rows_of_base(name)
    if not rows:
        return None
    states = [mps_state(snapshot, it) for it in rows]
    return OperatorCard(
        base=rows[0].entry.base,
        rows=tuple(_row(snapshot, it, found) for it, found in zip(rows, states, strict=True)),
        functions=_unique(it for found in states for it in _functions(found)),
        stubs=_unique(it for found in states for it in _stubs(snapshot, found)),
        kernels=_unique(it for found in states for it in _kernels(snapshot, found)),
        tests=_unique(_tests(snapshot, rows[0].entry.base)),
    )


def _unique(found: Iterator[NamedPlace]) -> tuple[NamedPlace, ...]:
    return tuple(dict.fromkeys(found))


def _row(snapshot: Snapshot, row: Row, found: MpsState) -> RowEntry:
    function = found.resolution.function
    return RowEntry(
        name=row.name,
        state=state_words(found),
        function=function.text if function else "",
        shares=found.shares,
        dtypes=found.dtypes(snapshot),
        place=Place(row.uri, row.name_span),
    )


def _functions(found: MpsState) -> Iterator[NamedPlace]:
    asking = {_key(linked.function) for linked, _ in found.lookups}
    for index, it in enumerate(found.functions):
        looks = _key(it) in asking
        role = "looks kernels up" if looks else "called by it"
        yield NamedPlace(it.name.text, role if index or looks else "dispatched to", it.name_place)


def _key(function: HostFunction) -> tuple[str, Place]:
    return function.name.text, function.name_place


def _stubs(snapshot: Snapshot, found: MpsState) -> Iterator[NamedPlace]:
    for name in found.stubs:
        stub = snapshot.host.stubs.by_name[name]
        for role, places in (("declared", stub.declared), ("defined", stub.defined)):
            yield from (NamedPlace(name, role, it) for it in places)
        for it in stub.registered:
            yield NamedPlace(name, f"registered as {it.function_name}", it.place)


def _kernels(snapshot: Snapshot, found: MpsState) -> Iterator[NamedPlace]:
    for it in kernels_of(snapshot, found):
        made = f"made by {it.macro}" if it.macro else "written out"
        yield NamedPlace(it.host_name, made, real_place(it.uri, it.span))


def _tests(snapshot: Snapshot, base: str) -> Iterator[NamedPlace]:
    """Yield where the operator stands in the lists of tests that are special on MPS."""
    for uri, facts in snapshot.facts(PythonFacts).items():
        for each in facts.lists:
            for key in each.keys:
                if _is_test_of(key.name.text, base):
                    dtypes = ", ".join(key.dtypes or ()) or "all dtypes"
                    span = Span(key.name.span.start, key.name.span.end)
                    yield NamedPlace(each.name.text, dtypes, Place(uri, span))


def _is_test_of(key: str, base: str) -> bool:
    """Whether the name of an OpInfo, such as `linalg.svd` or `nn.functional.gelu`, means `base`."""
    plain = key.replace("nn.functional.", "").replace(".", "_")
    return base in (plain, key)
