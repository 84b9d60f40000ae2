"""Links between the languages: queries that more than one rule or feature asks."""

from collections.abc import Mapping

from mkls.facts.model.host import HostFacts
from mkls.facts.model.native_functions import NativeFunctionsFacts
from mkls.index.host_documents import HostFunction
from mkls.index.lookups import LinkedLookup
from mkls.index.operators import MPS, Row
from mkls.index.snapshot import Snapshot
from mkls.index.stubs import Reach
from mkls.text.document import Uri

MPS_KEYS = (MPS, "SparseMPS", "SparseCsrMPS")


def has_host_code(snapshot: Snapshot) -> bool:
    """Whether Objective-C++ files are at hand: without them, nothing is known to be undefined."""
    return bool(snapshot.facts(HostFacts))


def has_rows(snapshot: Snapshot) -> bool:
    """Whether `native_functions.yaml` is at hand."""
    return bool(snapshot.facts(NativeFunctionsFacts))


def implementations(
    snapshot: Snapshot, row: Row, dispatch_key: str = MPS
) -> tuple[HostFunction, ...]:
    """Return the definitions of the host function that `row` names for `dispatch_key`."""
    function = row.function(dispatch_key)
    return snapshot.host.functions(function.symbol) if function else ()


def stubs_of_row(snapshot: Snapshot, row: Row) -> tuple[Reach, ...]:
    """Return the stubs that `row` calls when it shares its host function with the CPU."""
    line = row.line(MPS)
    if line is None or line.function is None or "CPU" not in (key.text for key in line.keys):
        return ()
    return snapshot.host.reaches(line.function.symbol)


def lookups_in(snapshot: Snapshot, uri: Uri) -> tuple[LinkedLookup, ...]:
    """Return the kernel lookups of the document `uri`, in order."""
    return snapshot.once(_lookups_by_uri).get(uri, ())


def _lookups_by_uri(snapshot: Snapshot) -> Mapping[Uri, tuple[LinkedLookup, ...]]:
    found: dict[Uri, list[LinkedLookup]] = {}
    for linked in snapshot.host.lookups:
        found.setdefault(linked.function.uri, []).append(linked)
    return {uri: tuple(group) for uri, group in found.items()}


def named_functions(snapshot: Snapshot) -> frozenset[str]:
    """Return the C++ names of all host functions that rows name, for any dispatch key."""
    return snapshot.once(_named_functions)


def _named_functions(snapshot: Snapshot) -> frozenset[str]:
    return frozenset(
        line.function.symbol
        for row in snapshot.operators.rows
        for line in row.entry.dispatch
        if line.function
    )


def rows_by_stub(snapshot: Snapshot) -> Mapping[str, tuple[Row, ...]]:
    """Return the rows whose CPU function leads to a stub, by stubs that are registered for MPS."""
    return snapshot.once(_rows_by_stub)


def _rows_by_stub(snapshot: Snapshot) -> Mapping[str, tuple[Row, ...]]:
    registered = {name for name, it in snapshot.host.stubs.by_name.items() if it.registered}
    found: dict[str, list[Row]] = {}
    for row in snapshot.operators.rows:
        function = row.function("CPU")
        for reach in snapshot.host.reaches(function.symbol) if function else ():
            if reach.stub in registered:
                found.setdefault(reach.stub, []).append(row)
    return {stub: tuple(rows) for stub, rows in found.items()}
