"""Every place that names an operator."""

from collections.abc import Iterator

from mkls.facts.model.derivatives import DerivativesFacts
from mkls.features.occurrences import Occurrence
from mkls.index.operators import Row
from mkls.index.snapshot import Snapshot


def operator_occurrences(snapshot: Snapshot, name: str) -> Iterator[Occurrence]:
    """Yield where the operator called `name`, `add.out`, is named: rows, impls, derivatives."""
    for row in snapshot.operators.rows:
        yield from _in_row(row, name)
    for document in snapshot.host.documents:
        for stated, impl in document.impls():
            operator = impl.operator
            if operator.text.removeprefix("aten::") == name:
                place = stated.place(operator.span)
                start = place.span.end - len(name)
                yield Occurrence(place.uri, type(place.span)(start, place.span.end))
    for uri, facts in snapshot.facts(DerivativesFacts).items():
        for derivative in facts.derivatives:
            if derivative.operator.text == name:
                yield Occurrence(uri, derivative.operator.span)


def _in_row(row: Row, name: str) -> Iterator[Occurrence]:
    entry = row.entry
    if row.name == name and entry.operator:
        yield Occurrence(row.uri, row.place(entry.operator.span), declares=True)
    delegate = (entry.structured_delegate,) if entry.structured_delegate else ()
    for it in (*delegate, *entry.autogen):
        if it.text == name:
            yield Occurrence(row.uri, row.place(it.span))
