"""Make an operator run on MPS: every row that needs it, and none that must not have it."""

from collections.abc import Sequence
from typing import NamedTuple

from mkls.generation.migrate import row_step
from mkls.generation.own_functions import OwnFunction, own_function, own_function_steps
from mkls.generation.plan import Plan, Reason, Refusal, RefusedError, Step, only_needed
from mkls.generation.selection import mind_readable, rows_called, rows_without_mps
from mkls.generation.stub_work import StubWork, shared_symbol, stub_work
from mkls.generation.test_lists import test_list_steps
from mkls.index.groups import variants
from mkls.index.operators import MPS, Row
from mkls.index.resolution import has_native_kernel
from mkls.index.snapshot import Snapshot

_BESIDE = (
    Reason.NO_STUB,
    Reason.NOT_ELEMENTWISE,
    Reason.STUB_UNKNOWN,
    Reason.PARAMETERS,
    Reason.SPECIAL_RESULT,
    Reason.BACKENDS_DIFFER,
    Reason.EXISTS,
)
"""Reasons for which a row cannot share, and can still have a function of its own."""


class _Rows(NamedTuple):
    """The rows to change: those that share what CPU and CUDA run, those that need a function."""

    sharing: tuple[Row, ...]
    own: tuple[Row, ...]


def plan_mps(snapshot: Snapshot, operator: str, cpu_sources: Sequence[str] = ()) -> Plan | Refusal:
    """Return how `operator` comes to run on MPS, or why there is nothing to do or to offer.

    `operator` names all overloads, `heaviside`, or one row, `heaviside.out`. `cpu_sources` are the
    texts of ATen/native/cpu/*.cpp.
    """
    try:
        return _plan(snapshot, operator, cpu_sources)
    except RefusedError as error:
        return error.refusal


def _plan(snapshot: Snapshot, operator: str, cpu_sources: Sequence[str]) -> Plan:
    named = rows_called(snapshot, operator)
    lacking = rows_without_mps(snapshot, named)
    if not lacking:
        mind_readable(named)
        raise RefusedError(Reason.NOTHING_TO_DO, _why_nothing(snapshot, operator, named))
    rows = _sorted_out(snapshot, lacking)
    work = stub_work(snapshot, _with_stubs(snapshot, rows.sharing), cpu_sources)
    functions = _own_functions(snapshot, rows.own)
    steps = [*([row_step(rows.sharing)] if rows.sharing else []), *work.steps]
    steps += own_function_steps(snapshot, functions)
    steps += _test_steps(snapshot, rows, functions, work)
    todo = [f"write the body of `{it.name}`" for it in functions if not it.definition.is_whole]
    return Plan(f"Add MPS to `{operator}`", only_needed(steps), (*work.todo, *todo))


def _why_nothing(snapshot: Snapshot, operator: str, rows: Sequence[Row]) -> str:
    if any(row.entry.ufunc_inner_loop for row in rows):
        return f"`{operator}` gets its kernels from a ufunc loop: MPS needs a function of its own"
    if all(has_native_kernel(snapshot.operators, row) or row.entry.composite for row in rows):
        return f"every row of `{operator}` runs on MPS, by itself or by a composite kernel"
    return f"no row of `{operator}` has kernels for both CPU and CUDA and none for MPS"


def _sorted_out(snapshot: Snapshot, lacking: Sequence[Row]) -> _Rows:
    sharing: list[Row] = []
    own: list[Row] = []
    for row in lacking:
        (sharing if _can_share(snapshot, row) else own).append(row)
    return _Rows(tuple(sharing), tuple(own))


def _can_share(snapshot: Snapshot, row: Row) -> bool:
    """Whether MPS can run what CPU and CUDA run for `row`.

    A row whose siblings have functions of their own does as they do: to share is to migrate them.
    """
    if _beside_own_lines(snapshot, row):
        return False
    try:
        shared_symbol(row)
        stub_work(snapshot, [row], ())
    except RefusedError as error:
        if error.refusal.reason is Reason.NO_STUB:
            return _serves(snapshot, row)
        if error.refusal.reason in _BESIDE:
            return False
        raise
    return True


def _beside_own_lines(snapshot: Snapshot, row: Row) -> bool:
    siblings = snapshot.operators.siblings(row)
    with_mps = [it for it in siblings if it.line(MPS) is not None]
    return bool(with_mps) and all(it.is_own_line() for it in with_mps)


def _serves(snapshot: Snapshot, row: Row) -> bool:
    """Whether a function without a stub is known to serve MPS: a variant shares its own too."""
    group = variants(snapshot.operators, row).values()
    return any(it is not row and it.is_shared_line(MPS) for it in group)


def _with_stubs(snapshot: Snapshot, rows: Sequence[Row]) -> list[Row]:
    return [row for row in rows if snapshot.host.reaches(shared_symbol(row))]


def _own_functions(snapshot: Snapshot, rows: Sequence[Row]) -> list[OwnFunction]:
    functions: list[OwnFunction] = []
    for row in rows:
        taken = [it.name for it in functions if it.row.entry.structured or row.entry.structured]
        functions.append(own_function(snapshot, row, taken))
    return functions


def _test_steps(
    snapshot: Snapshot, rows: _Rows, functions: Sequence[OwnFunction], work: StubWork
) -> list[Step]:
    if any(not it.definition.is_whole for it in functions):
        return []
    bases = {row.entry.base for row in (*rows.sharing, *rows.own)}
    return test_list_steps(snapshot, bases, work.kernels)
