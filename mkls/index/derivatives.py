"""The derivatives of operators, as far as MPS is concerned."""

from collections.abc import Iterator, Mapping

import msgspec

from mkls.facts.model.derivatives import Derivative, DerivativesFacts
from mkls.facts.model.native_functions import COMPOSITE_IMPLICIT
from mkls.index.groups import variants
from mkls.index.operators import MPS, OperatorIndex, Row
from mkls.index.place import Place
from mkls.index.resolution import ResolutionKind, has_native_kernel, resolution
from mkls.index.snapshot import Snapshot
from mkls.syntax.native_functions.schema import SchemaKind


class MissingBackward(msgspec.Struct, frozen=True):
    """A row that runs on MPS, and an operator that its derivative calls and that does not."""

    row: Row
    function: str
    called: Place
    lacking: Row


def has_derivatives(snapshot: Snapshot) -> bool:
    """Whether `derivatives.yaml` is at hand."""
    return bool(snapshot.facts(DerivativesFacts))


def _by_operator(snapshot: Snapshot) -> Mapping[str, tuple[Place, Derivative]]:
    return {
        it.operator.text: (Place(uri, it.operator.span), it)
        for uri, facts in snapshot.facts(DerivativesFacts).items()
        for it in facts.derivatives
    }


def missing_backwards(snapshot: Snapshot, rows: list[Row]) -> Iterator[MissingBackward]:
    """Yield what the derivatives of `rows` call and MPS lacks, once for each row."""
    derivatives = snapshot.once(_by_operator)
    for row in rows:
        place, derivative = derivatives.get(row.name, (None, None))
        if place and derivative and has_native_kernel(snapshot.operators, row):
            for name in derivative.calls:
                lacking = _lacking(snapshot.operators, name.text.removesuffix("_symint"))
                if lacking:
                    called = Place(place.uri, name.span)
                    yield MissingBackward(row, lacking.entry.base, called, lacking)
                    break


def _lacking(operators: OperatorIndex, base: str) -> Row | None:
    """Return a row of `base` that has a kernel for the CPU, when no row of it runs on MPS."""
    rows = operators.rows_of_base(base)
    if not rows or any(_runs(operators, row) for row in rows):
        return None
    return next((row for row in rows if row.line("CPU")), None)


def _runs(operators: OperatorIndex, row: Row) -> bool:
    found = resolution(operators, row)
    if found.kind is ResolutionKind.NOTHING:
        return False
    # What torchgen makes of a structured row that MPS lacks calls that very row.
    return row.entry.structured_delegate is None or found.is_native


def overrides_without_derivative(snapshot: Snapshot, rows: list[Row]) -> Iterator[Row]:
    """Yield the rows that list MPS beside a composite kernel and have no derivative themselves."""
    derivatives = snapshot.once(_by_operator)
    for row in rows:
        lines = row.entry.dispatch_lines
        if MPS not in lines or COMPOSITE_IMPLICIT not in lines:
            continue
        group = variants(snapshot.operators, row)
        differentiable = [it for kind, it in group.items() if kind is not SchemaKind.OUT]
        if row in differentiable and not any(it.name in derivatives for it in differentiable):
            yield row
