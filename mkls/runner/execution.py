"""Carry out one request: compile, run every case, judge (worker side)."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Protocol

import torch

from mkls.runner.backends.choice import backend
from mkls.runner.backends.protocol import (
    BackendUnavailableError,
    CompilationError,
    Program,
    Unit,
)
from mkls.runner.case_runs import compile_error, missing, run_case, skipped
from mkls.runner.families import family_of
from mkls.runner.kernel_choice import of_operator, samples_of, wanted_specs
from mkls.runner.operator_runs import OperatorCase
from mkls.runner.planning import Unrunnable, plan_for
from mkls.runner.plans.model import CannotPrepareError, Plan, PlannedCase
from mkls.runner.request import KernelSpec, RequestRefusedError, RunRequest

IsCancelled = Callable[[], bool]

_BATCH = 48
"""Kernels that are compiled together: enough to share the work, few enough to show progress."""


class Emit(Protocol):
    """Sends an event to the client."""

    def __call__(self, kind: str, **fields: Any) -> None:
        """Send an event of `kind`."""
        ...


def execute(request: RunRequest, emit: Emit, is_cancelled: IsCancelled) -> str:
    """Run `request`, one `run` event a case; return the backend's name.

    Raises:
        RequestRefusedError: There is no such kernel, or the backend cannot run here.
    """
    try:
        chosen = backend(request.backend)
    except BackendUnavailableError as error:
        raise RequestRefusedError(str(error)) from error
    checked = chosen.checks_by_default if request.check is None else request.check
    emit("stage", stage="compile", path=request.path)
    unit = Unit(
        request.path,
        request.source,
        (*request.include_dirs, *installed_headers()),
        request.overlay,
        request.language_version,
        request.seed,
        request.finite,
    )
    try:
        program = chosen.open(unit, checked, request.timeout)
        specs = wanted_specs(program, request)
        samples: list[OperatorCase] = []
        if request.operator:
            specs = of_operator(specs, request.operator)
            samples = samples_of(specs)
            specs = tuple(it for it in specs if family_of(it) is None)
        emit("plan", backend=chosen.name, kernels=[it.host_name for it in specs])
        session = _Session(program, request, emit, is_cancelled)
        session.run_samples(samples)
        session.run(specs)
    except BackendUnavailableError as error:
        raise RequestRefusedError(str(error)) from error
    except CompilationError as error:
        emit("run", run=compile_error(error, request))
    return chosen.name


def installed_headers() -> tuple[str, ...]:
    """Return the include folder of this torch, for sources that are not in a checkout."""
    folder = Path(torch.__file__).parent / "include"
    return (str(folder),) if folder.is_dir() else ()


class _Session:
    """Runs the cases of kernels one after the other."""

    def __init__(
        self, program: Program, request: RunRequest, emit: Emit, is_cancelled: IsCancelled
    ) -> None:
        self._program = program
        self._request = request
        self._emit = emit
        self._is_cancelled = is_cancelled

    def run(self, specs: Sequence[KernelSpec]) -> None:
        """Run all cases of `specs`, compiled some at a time."""
        for start in range(0, len(specs), _BATCH):
            batch = specs[start : start + _BATCH]
            if not self._compile(batch):
                return
            for spec in batch:
                self._run_kernel(spec)

    def _compile(self, batch: Sequence[KernelSpec]) -> bool:
        """Return whether there is anything left to do."""
        if not batch or self._is_cancelled():
            return False
        first = batch[0]
        self._emit(
            "stage", stage="compile", kernel=first.host_name, path=first.path, line=first.line
        )
        self._program.compile([it.host_name for it in batch])
        return True

    def _run_kernel(self, spec: KernelSpec) -> None:
        plan = plan_for(spec, self._request)
        if isinstance(plan, Unrunnable):
            self._emit("run", run=skipped(spec, plan.message))
            return
        for case in self._cases(plan):
            if self._is_cancelled():
                return
            self._run_case(plan, case)

    def run_samples(self, samples: Sequence[OperatorCase]) -> None:
        """Run an operator's samples on the kernels that they lead to."""
        used = {it.plan.spec.host_name: it.plan.spec for it in samples if it.plan}
        if not self._compile(tuple(used.values())):
            return
        for it in samples:
            if self._is_cancelled():
                return
            if it.plan and it.case:
                self._run_case(it.plan, it.case)
            elif it.asked:
                self._emit("run", run=missing(it))

    def _cases(self, plan: Plan) -> list[PlannedCase]:
        self._stage("reference", plan, "")
        wanted = self._request.case
        return [it for it in plan.cases() if wanted is None or wanted in it.label]

    def _stage(self, stage: str, plan: Plan, case: str) -> None:
        spec = plan.spec
        self._emit(
            "stage", stage=stage, kernel=spec.host_name, case=case, path=spec.path, line=spec.line
        )

    def _run_case(self, plan: Plan, case: PlannedCase) -> None:
        self._stage("reference", plan, case.label)
        try:
            prepared = case.prepare()
        except CannotPrepareError as error:
            self._emit("run", run=skipped(plan.spec, str(error), case.label))
            return
        self._stage("run", plan, case.label)
        self._emit(
            "run", run=run_case(self._program, plan, case, prepared, self._judging(plan, case))
        )

    def _judging(self, plan: Plan, case: PlannedCase) -> Callable[[], None]:
        return lambda: self._stage("reference", plan, case.label)
