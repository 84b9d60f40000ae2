"""The outline of `native_functions.yaml`: rows by operator, each with what runs on MPS."""

from itertools import groupby

from mkls.features.symbol import Symbol, SymbolKind
from mkls.index.operators import Row
from mkls.index.resolution import ResolutionKind, resolution
from mkls.index.snapshot import Snapshot
from mkls.text.document import Uri
from mkls.text.span import Span


def row_symbols(snapshot: Snapshot, uri: Uri) -> list[Symbol]:
    """Return the rows of `uri`; those of one base name that follow each other are one symbol."""
    rows = snapshot.operators.rows_in.get(uri, [])
    runs = (list(run) for _, run in groupby(rows, key=lambda row: row.entry.base))
    return [_operator(snapshot, run) for run in runs]


def _operator(snapshot: Snapshot, rows: list[Row]) -> Symbol:
    overloads = tuple(_overload(snapshot, row) for row in rows)
    if len(overloads) == 1:
        return overloads[0]
    whole = Span(overloads[0].whole.start, overloads[-1].whole.end)
    return Symbol(rows[0].entry.base, SymbolKind.OPERATOR, overloads[0].span, whole, "", overloads)


def _overload(snapshot: Snapshot, row: Row) -> Symbol:
    whole = row.place(Span(0, max(row.entry.end, 1)))
    return Symbol(row.name, SymbolKind.OVERLOAD, row.name_span, whole, _detail(snapshot, row))


def _detail(snapshot: Snapshot, row: Row) -> str:
    found = resolution(snapshot.operators, row)
    if found.kind is ResolutionKind.NOTHING:
        return "not on MPS"
    return found.function.text if found.function and found.is_native else found.kind.value
