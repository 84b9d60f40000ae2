"""What an operator runs on MPS: Metal kernels, MPSGraph, a composite, or nothing."""

from collections.abc import Iterator
from enum import Enum
from typing import NamedTuple
from weakref import WeakKeyDictionary

from mkls.index.dtype_words import slots_of
from mkls.index.host import HostIndex
from mkls.index.host_calls import reached, uses_graph
from mkls.index.host_documents import HostFunction
from mkls.index.links import lookups_in
from mkls.index.lookups import LinkedLookup, Request
from mkls.index.operators import MPS, Row
from mkls.index.resolution import Resolution, ResolutionKind, resolution
from mkls.index.snapshot import Snapshot
from mkls.text.document import Uri


class State(Enum):
    """What runs when an operator is called on an MPS tensor."""

    METAL = "Metal kernels"
    GRAPH = "MPSGraph"
    MIXED = "Metal kernels and MPSGraph"
    HOST = "host code"
    """A function of the backend's own that starts neither kernels nor graphs that are seen."""
    UNREGISTERED = "stub without MPS"
    """The row shares its function with the CPU, but the stub is not registered for MPS."""
    LIBRARY = "registered elsewhere"
    """A TORCH_LIBRARY_IMPL block: mostly the fallback to the CPU."""
    COMPOSITE = "composite"
    MISSING = "missing"

    @property
    def runs(self) -> bool:
        """Whether it runs on the GPU without falling back."""
        return self not in (State.UNREGISTERED, State.LIBRARY, State.MISSING)


class MpsState(NamedTuple):
    """How a row runs on MPS.

    `functions` are the host functions that its kernel consists of, the named one first; `stubs`
    are those it calls; `lookups` what they ask for, with the requests that are spelled in one of
    them; `shares` the other keys of its line.
    """

    state: State
    resolution: Resolution
    functions: tuple[HostFunction, ...] = ()
    stubs: tuple[str, ...] = ()
    lookups: tuple[tuple[LinkedLookup, Request], ...] = ()
    shares: tuple[str, ...] = ()

    @property
    def is_migrated(self) -> bool:
        """Whether the row shares one function with other backends."""
        return bool(self.shares)

    def kernels(self, snapshot: Snapshot) -> tuple[str, ...]:
        """Return the host names that the look-ups may ask for, sorted."""
        return tuple(
            sorted(
                {
                    name
                    for _, request in self.lookups
                    if request.names.is_known
                    for name in request.names.kernels(snapshot.host_names)
                }
            )
        )

    def dtypes(self, snapshot: Snapshot) -> tuple[str, ...]:
        """Return the dtypes that are words of the kernels' names."""
        return dtypes_of_names(snapshot, self.kernels(snapshot))


def dtypes_of_names(snapshot: Snapshot, names: tuple[str, ...]) -> tuple[str, ...]:
    """Return the dtypes that are words of kernels' names, in the order of precision and size."""
    found = {it for name in names for it in slots_of(name, snapshot.host.dtypes)[1]}
    return tuple(sorted(found, key=lambda it: (_ORDER.get(it, len(_ORDER)), it)))


_ORDER = {
    dtype: rank
    for rank, dtype in enumerate(
        (
            *("float", "half", "bfloat"),
            *("long", "int", "short", "char", "uchar", "bool"),
            *("float2", "half2", "ulong", "uint", "ushort"),
        )
    )
}


def mps_state(snapshot: Snapshot, row: Row) -> MpsState:
    """Return how `row` runs on MPS; what its host functions do is asked once for each of them."""
    found = resolution(snapshot.operators, row)
    if found.kind is ResolutionKind.LIBRARY:
        return MpsState(State.LIBRARY, found)
    if found.kind is ResolutionKind.NOTHING:
        return MpsState(State.MISSING, found)
    if not found.is_native:
        # What delegates to a row without a kernel ends there.
        state = State.MISSING if found.row is not row else State.COMPOSITE
        return MpsState(state, found)
    return _native(snapshot, found)


def _native(snapshot: Snapshot, found: Resolution) -> MpsState:
    line = found.row.line(MPS)
    shares = tuple(key.text for key in line.keys if key.text != MPS) if line else ()
    code = host_code(snapshot, found)
    state = _kind(code)
    if shares and code.stubs and not code.is_registered and state is State.HOST:
        state = State.UNREGISTERED
    return MpsState(state, found, code.functions, code.stubs, code.lookups, shares)


class HostCode(NamedTuple):
    """The functions that a kernel of the backend's own consists of, and what they do."""

    functions: tuple[HostFunction, ...]
    stubs: tuple[str, ...]
    lookups: tuple[tuple[LinkedLookup, Request], ...]
    uses_graph: bool
    is_registered: bool
    """Whether one of the stubs is registered for MPS."""


_KNOWN: "WeakKeyDictionary[HostIndex, dict[tuple[str, bool], HostCode]]" = WeakKeyDictionary()


def host_code(snapshot: Snapshot, found: Resolution) -> HostCode:
    """Return the host code of a native resolution; it is followed once for each host index."""
    symbol = found.function.symbol if found.function else ""
    known = _KNOWN.setdefault(snapshot.host, {})
    key = (symbol, found.row.entry.structured)
    if key not in known:
        known[key] = _host_code(snapshot, found.row, symbol)
    return known[key]


def _host_code(snapshot: Snapshot, row: Row, symbol: str) -> HostCode:
    stubs = tuple(reach.stub for reach in snapshot.host.reaches(symbol))
    starts = list(_starts(snapshot, row, symbol, stubs))
    # The functions of several stubs may share helpers.
    functions = _distinct(it for start in starts for it in reached(snapshot, start))
    return HostCode(
        functions=functions,
        stubs=stubs,
        lookups=tuple(_requests(snapshot, functions)),
        uses_graph=any(uses_graph(snapshot, function) for function in functions),
        is_registered=any(snapshot.host.stubs.by_name[stub].registered for stub in stubs),
    )


def _starts(
    snapshot: Snapshot, row: Row, symbol: str, stubs: tuple[str, ...]
) -> Iterator[HostFunction]:
    own = [it for it in snapshot.host.functions(symbol) if _fits(row, it)]
    yield from [it for it in own if it.uri.endswith(".mm")] or own
    for stub in stubs:
        for it in snapshot.host.stubs.by_name[stub].registered:
            found = snapshot.host.functions(it.function_name)
            yield from [each for each in found if each.uri == it.stated.uri] or found


def _fits(row: Row, function: HostFunction) -> bool:
    return function.is_torch_impl == row.entry.structured or function.function is None


def _kind(code: HostCode) -> State:
    if code.lookups:
        return State.MIXED if code.uses_graph else State.METAL
    return State.GRAPH if code.uses_graph else State.HOST


def _requests(
    snapshot: Snapshot, functions: tuple[HostFunction, ...]
) -> Iterator[tuple[LinkedLookup, Request]]:
    """Yield what `functions` look up, less the names that only other callers spell."""
    places = [it.place for it in functions]
    for function in functions:
        for linked in lookups_by(snapshot, function):
            for request in linked.requests:
                where = request.place
                if not request.via or any(
                    it.uri == where.uri and it.span.covers(where.span) for it in places
                ):
                    yield linked, request


def lookups_by(snapshot: Snapshot, function: HostFunction) -> Iterator[LinkedLookup]:
    """Yield the look-ups that `function` makes itself."""
    for linked in lookups_in(snapshot, Uri(function.uri)):
        if linked.function.place == function.place and linked.function.name == function.name:
            yield linked


def _distinct(functions: Iterator[HostFunction]) -> tuple[HostFunction, ...]:
    return tuple({(it.name_place, it.name.text): it for it in functions}.values())
