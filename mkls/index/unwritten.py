"""Host functions that say of themselves that they are still to be written."""

import re
from typing import Final

from mkls.index.host_documents import HostFunction
from mkls.index.links import implementations
from mkls.index.operators import MPS, Row
from mkls.index.snapshot import Snapshot

_UNWRITTEN: Final = re.compile(r"\bTORCH_CHECK_NOT_IMPLEMENTED\(\s*false\b")


def is_unwritten(snapshot: Snapshot, row: Row) -> bool:
    """Whether every call of `row` on MPS ends in the check that nothing is implemented."""
    out = snapshot.operators.delegate(row) or row
    functions = implementations(snapshot, out)
    line = out.line(MPS)
    if line is not None and line.is_shared and line.function is not None:
        functions = _registered(snapshot, line.function.symbol)
    return bool(functions) and all(_says_so(snapshot, it) for it in functions)


def _registered(snapshot: Snapshot, symbol: str) -> tuple[HostFunction, ...]:
    """Return the functions that are registered for the stubs that `symbol` calls."""
    stubs = [snapshot.host.stubs.by_name[it.stub] for it in snapshot.host.reaches(symbol)]
    names = [
        (registration.stated.uri, registration.registration.function.text.rpartition("::")[2])
        for stub in stubs
        for registration in stub.registered
        if registration.registration.function
    ]
    return tuple(
        function
        for uri, name in names
        for function in snapshot.host.functions(name)
        if function.uri == uri
    )


def _says_so(snapshot: Snapshot, function: HostFunction) -> bool:
    if function.function is None or function.macro:
        return False
    text = snapshot.sources[function.uri].document.text
    return _UNWRITTEN.search(function.place.span.of(text)) is not None
