"""What the cursor is on in `native_functions.yaml`."""

from bisect import bisect_right
from collections.abc import Iterator

from mkls.facts.model.native_functions import DispatchLine, Entry, NativeFunctionsFacts
from mkls.features.subjects import DispatchedFunction, DispatchKey, EntryKey, Operator, Subject
from mkls.index.operators import Row
from mkls.index.snapshot import Snapshot
from mkls.text.document import Uri


def row_subject(
    snapshot: Snapshot, uri: Uri, facts: NativeFunctionsFacts, offset: int
) -> Subject | None:
    """Return what stands at `offset` of `uri`, whose entries are those of `facts`."""
    at = bisect_right(facts.entries, offset, key=lambda it: it.start) - 1
    if at < 0:
        return None
    placed = facts.entries[at]
    inside = offset - placed.start
    row = row_at(snapshot, uri, placed.start)
    found = _of_row(snapshot, row, inside) if row else None
    return found or next(_entry_keys(placed.entry, placed.start, inside), None)


def row_at(snapshot: Snapshot, uri: Uri, start: int) -> Row | None:
    """Return the row whose entry starts at `start` of `uri`."""
    rows = snapshot.operators.rows_in.get(uri, [])
    at = bisect_right(rows, start, key=lambda it: it.start) - 1
    return rows[at] if at >= 0 and rows[at].start == start else None


def _of_row(snapshot: Snapshot, row: Row, inside: int) -> Subject | None:
    entry = row.entry
    if entry.operator and inside in entry.operator.span:
        return Operator(row.place(entry.operator.span), row)
    for line in entry.dispatch:
        if found := _of_dispatch_line(row, line, inside):
            return found
    delegate = (entry.structured_delegate,) if entry.structured_delegate else ()
    for name in (*delegate, *entry.autogen):
        target = snapshot.operators.row(name.text)
        if inside in name.span and target:
            return Operator(row.place(name.span), target, is_reference=True)
    return None


def _of_dispatch_line(row: Row, line: DispatchLine, inside: int) -> Subject | None:
    function = line.function
    if function and inside in function.span:
        keys = tuple(key.text for key in line.keys)
        return DispatchedFunction(row.place(function.span), row, function.symbol, keys)
    for key in line.keys:
        if inside in key.span:
            return DispatchKey(row.place(key.span), row, key.text)
    return None


def _entry_keys(entry: Entry, start: int, inside: int) -> Iterator[EntryKey]:
    for key in entry.keys:
        if inside in key.name.span:
            yield EntryKey(key.name.span.shifted(start), key.name.text)
