"""Which rows an action is about."""

from mkls.generation.plan import Reason, RefusedError
from mkls.generation.row_edits import readable
from mkls.index.groups import lacks_mps
from mkls.index.operators import MPS, Row
from mkls.index.snapshot import Snapshot
from mkls.index.spelling import close_names


def rows_called(snapshot: Snapshot, operator: str) -> list[Row]:
    """Return the rows of `operator`: all overloads of `atan2`, the one row of `atan2.out`.

    Raises:
        RefusedError: There is none.
    """
    operators = snapshot.operators
    name = operator.removeprefix("aten::")
    found = operators.rows_of_base(name) or [row for row in operators.rows if row.name == name]
    if not found:
        known = list(operators.by_base) if "." not in name else list(operators.by_name)
        close = close_names(name, known, most=3)
        hint = f"; did you mean {', '.join(f'`{it}`' for it in close)}?" if close else ""
        raise RefusedError(Reason.UNKNOWN_OPERATOR, f"no row is called `{name}`{hint}")
    return found


def rows_without_mps(snapshot: Snapshot, rows: list[Row]) -> list[Row]:
    """Return those of `rows` that need MPS: with kernels for CPU and CUDA, and nothing for MPS.

    Delegating, composite, generated and ufunc rows, and rows for CUDA alone, need none.
    """
    operators = snapshot.operators
    return [
        row
        for row in rows
        if lacks_mps(operators, row)
        and not row.entry.ufunc_inner_loop
        and not row.entry.schema_problems
    ]


def mind_readable(rows: list[Row]) -> None:
    """Refuse when one of `rows` is half-typed.

    Raises:
        RefusedError: Its YAML or its schema has problems.
    """
    for row in rows:
        readable(row)


def legacy_rows(rows: list[Row]) -> list[Row]:
    """Return those of `rows` that have a line of their own for MPS, and a function of its own."""
    return [row for row in rows if row.is_own_line(MPS) and not _runs_shared(row)]


def _runs_shared(row: Row) -> bool:
    mps, cpu = row.function(MPS), row.function("CPU")
    return mps is not None and cpu is not None and mps.text == cpu.text
