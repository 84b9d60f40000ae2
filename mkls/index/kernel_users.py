"""Who asks for a kernel: look-ups, and the rows whose host functions lead to them."""

from collections.abc import Iterator, Mapping

from mkls.index.host_calls import reaching
from mkls.index.host_documents import HostFunction
from mkls.index.kernel_uses import uses_of
from mkls.index.links import rows_by_stub
from mkls.index.lookups import LinkedLookup, Request
from mkls.index.operators import Row
from mkls.index.snapshot import Snapshot

METAL_KEYS = ("MPS", "SparseMPS", "SparseCsrMPS", "QuantizedMPS", "NestedTensorMPS")


def lookups_of_kernel(snapshot: Snapshot, host_name: str) -> tuple[LinkedLookup, ...]:
    """Return the look-ups that may ask for the kernel of this host name."""
    uses = uses_of(snapshot, (host_name,))
    found = {id(linked): linked for linked, request in uses if request.names.is_known}
    return tuple(found.values())


def rows_of_kernel(snapshot: Snapshot, host_name: str) -> tuple[Row, ...]:
    """Return the rows whose host functions lead to a look-up of this kernel, on MPS."""
    return _distinct(
        row
        for linked in lookups_of_kernel(snapshot, host_name)
        for request in linked.requests
        if host_name in request.names.kernels(snapshot.host_names)
        for row in rows_of_request(snapshot, linked, request)
    )


def rows_of_request(snapshot: Snapshot, linked: LinkedLookup, request: Request) -> Iterator[Row]:
    """Yield the rows whose host functions lead to a look-up, by the name that decides it."""
    for function in reaching(snapshot, asking_function(snapshot, linked, request)):
        yield from rows_of_function(snapshot, function)


def asking_function(snapshot: Snapshot, linked: LinkedLookup, request: Request) -> HostFunction:
    """Return the function that spells the name: a caller, where the look-up is handed it."""
    document = snapshot.host.document(request.place.uri)
    for function in document.functions if document and request.via else ():
        if function.place.span.covers(request.place.span):
            return function
    return linked.function


def rows_of_function(snapshot: Snapshot, function: HostFunction) -> Iterator[Row]:
    """Yield the rows that name `function` for a key of MPS, or a stub it is registered for."""
    name = function.name.text
    yield from snapshot.once(_rows_by_function).get(name, ())
    for stub in snapshot.once(_stubs_by_function).get(name, ()):
        yield from rows_by_stub(snapshot).get(stub, ())


def _rows_by_function(snapshot: Snapshot) -> Mapping[str, list[Row]]:
    found: dict[str, list[Row]] = {}
    for row in snapshot.operators.rows:
        lines = row.entry.dispatch_lines
        names = {
            line.function.symbol
            for key in METAL_KEYS
            if (line := lines.get(key)) is not None and line.function
        }
        for name in names:
            found.setdefault(name, []).append(row)
    return found


def _stubs_by_function(snapshot: Snapshot) -> Mapping[str, list[str]]:
    found: dict[str, list[str]] = {}
    for stub in snapshot.host.stubs.by_name.values():
        for it in stub.registered:
            if it.function_name:
                found.setdefault(it.function_name, []).append(stub.name)
    return found


def _distinct(rows: Iterator[Row]) -> tuple[Row, ...]:
    return tuple({row.name: row for row in rows}.values())
