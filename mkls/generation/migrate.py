"""Move an operator from MPSGraph to the dispatch stub that CPU and CUDA share."""

from collections.abc import Mapping, Sequence

from mkls.generation.kernel_work import KernelWork
from mkls.generation.legacy import legacy_steps, still_dispatched
from mkls.generation.plan import Plan, Reason, Refusal, RefusedError, Step, only_needed
from mkls.generation.row_edits import sharing
from mkls.generation.selection import legacy_rows, mind_readable, rows_called
from mkls.generation.stub_work import shared_symbol, stub_work
from mkls.generation.test_lists import test_list_steps
from mkls.index.operators import MPS, Row
from mkls.index.snapshot import Snapshot
from mkls.text.document import Uri


def plan_migration(
    snapshot: Snapshot, operator: str, cpu_sources: Sequence[str] = ()
) -> Plan | Refusal:
    """Return how `operator` moves to the shared stub, or why it cannot.

    `operator` names all overloads, `atan2`, or one row, `atan2.out`. `cpu_sources` are the texts
    of ATen/native/cpu/*.cpp.
    """
    try:
        return _plan(snapshot, operator, cpu_sources)
    except RefusedError as error:
        return error.refusal


def _plan(snapshot: Snapshot, operator: str, cpu_sources: Sequence[str]) -> Plan:
    rows = _rows(snapshot, operator)
    work = stub_work(snapshot, rows, cpu_sources)
    steps = [row_step(rows), *work.steps]
    steps += legacy_steps(snapshot, _freed(snapshot, rows), _written(work.steps))
    bases = {row.entry.base for row in rows}
    steps += _test_steps(snapshot, rows, bases, work.kernels)
    title = f"Migrate `{operator}` from MPSGraph to its dispatch stub"
    return Plan(title, only_needed(steps), work.todo)


def _rows(snapshot: Snapshot, operator: str) -> list[Row]:
    """Return the rows to collapse: those that may be, when at least one may."""
    rows = rows_called(snapshot, operator)
    legacy = legacy_rows(rows)
    mind_readable(legacy or rows)
    if not legacy:
        lines = [row for row in rows if row.line(MPS) is not None]
        what = "shares its functions already" if lines else "has no line for MPS"
        raise RefusedError(Reason.NOTHING_TO_DO, f"`{operator}` {what}")
    refused: RefusedError | None = None
    collapsible: list[Row] = []
    for row in legacy:
        try:
            shared_symbol(row)
            stub_work(snapshot, [row], ())
        except RefusedError as error:
            refused = refused or error
        else:
            collapsible.append(row)
    if refused is not None and not collapsible:
        raise refused
    return collapsible


def row_step(rows: Sequence[Row]) -> Step:
    """Return the step by which `rows` list MPS in the line that CPU and CUDA share."""
    had = any(row.line(MPS) is not None for row in rows)
    names = ", ".join(f"`{row.name}`" for row in rows)
    edits = tuple(edit for row in rows for edit in sharing(row))
    return Step(
        f"List MPS beside CPU and CUDA in {names}",
        edits,
        doubt="MPS runs another kernel than before" if had else "MPS runs what CPU and CUDA run",
    )


def _freed(snapshot: Snapshot, rows: Sequence[Row]) -> list[str]:
    """Return the functions that no row names after `rows` have moved."""
    symbols = [function.symbol for row in rows if (function := row.function(MPS))]
    shared = {shared_symbol(row) for row in rows}
    return [
        symbol
        for symbol in dict.fromkeys(symbols)
        if symbol not in shared and not still_dispatched(snapshot, rows, symbol)
    ]


def _written(steps: Sequence[Step]) -> Mapping[Uri, str]:
    found: dict[Uri, str] = {}
    for step in steps:
        for it in step.edits:
            found[it.uri] = found.get(it.uri, "") + it.edit.new_text
    return found


def _test_steps(
    snapshot: Snapshot, rows: Sequence[Row], bases: set[str], works: Sequence[KernelWork]
) -> list[Step]:
    """Tests are of whole operators: while one overload stays behind, they may go on failing."""
    moved = {row.name for row in rows}
    whole = {
        base
        for base in bases
        if all(row.name in moved for row in legacy_rows(snapshot.operators.rows_of_base(base)))
    }
    return test_list_steps(snapshot, whole, works)
