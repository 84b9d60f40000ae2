"""Launch one case and say what came of it (worker side)."""

import re
from collections.abc import Callable, Iterable
from typing import Any

from mkls.runner.argument_types import memory_of
from mkls.runner.backends.protocol import CompilationError, Launched, Program
from mkls.runner.device_errors import errors_in
from mkls.runner.expressions import ExpressionError
from mkls.runner.operator_runs import OperatorCase
from mkls.runner.packing import bytes_of
from mkls.runner.plans.model import Judgement, Plan, PlannedCase, Prepared
from mkls.runner.report import Finding, Place, Run
from mkls.runner.request import KernelSpec, RequestRefusedError, RunRequest

_MILD = frozenset({"same-value-race"})
"""Findings that are shown and do no harm."""
_OF_CODE_ALONE = frozenset({"barrier-divergence", "simdgroup-lanes", "read-only-write"})
"""Findings that no choice of arguments excuses."""
_OF_OWN_MEMORY = frozenset({"data-race", "uninitialized-read"})
"""Findings that are the kernel's own when they are about threadgroup memory."""


def compile_error(error: CompilationError, request: RunRequest) -> Run:
    """Return the run that stands for a source that does not compile."""
    first = error.problems[0]
    name = first.path.rpartition("/")[2]
    return Run(
        kernel=request.kernels[0] if request.kernels else "",
        case="compile",
        outcome="compile-error",
        message=f"{name}:{first.line}:{first.column}: {first.message}",
        path=first.path,
        line=first.line,
        problems=error.problems,
    )


def missing(case: OperatorCase) -> Run:
    """Return the run that stands for a kernel which the host asks for in vain."""
    dtype = str(case.sample.inputs[0].dtype).removeprefix("torch.")
    message = f"the host asks for `{case.asked}`, which these files do not register"
    return Run(case.asked, case.sample.label, "skipped", message=message, dtype=dtype)


def skipped(spec: KernelSpec, message: str, case: str = "") -> Run:
    """Return the run that stands for a kernel or a case that cannot be run."""
    return Run(spec.host_name, case, "skipped", message=message, path=spec.path, line=spec.line)


def run_case(
    program: Program,
    plan: Plan,
    case: PlannedCase,
    prepared: Prepared,
    judging: Callable[[], None] = lambda: None,
) -> Run:
    """Launch one case and judge what it wrote."""
    spec = plan.spec
    try:
        launched = program.launch(
            spec.host_name, prepared.bound, prepared.threads, prepared.group_size
        )
    except (TypeError, ValueError) as error:  # a launch that no device would accept
        return _finished(plan, case, "skipped", message=str(error))
    findings = _findings(spec, launched, prepared)
    if prepared.guessed and (launched.status != "completed" or _misfit(findings)):
        return _finished(plan, case, "skipped", message=_does_not_fit(launched, findings))
    if launched.status != "completed":
        place, message = stopped_at(launched.message)
        return _finished(
            plan,
            case,
            launched.status,
            launched.milliseconds,
            findings,
            message,
            stopped_at=place,
        )
    judging()
    try:
        judgement = prepared.judge()
    except ExpressionError as error:
        raise RequestRefusedError(f"`{spec.host_name}`: {error.message}") from error
    return _judged(plan, case, launched, findings, judgement)


def _misfit(findings: Iterable[Finding]) -> Finding | None:
    """Return a finding that a wrong guess of sizes, indices or offsets explains."""
    for it in findings:
        own = it.kind in _OF_OWN_MEMORY and it.buffer is None and it.argument is not None
        if not (own or it.kind in _OF_CODE_ALONE or it.kind in _MILD):
            return it
    return None


def _does_not_fit(launched: Launched, findings: Iterable[Finding]) -> str:
    found = _misfit(findings)
    what = found.message if found else launched.message
    return f"the guessed arguments do not fit ({what}): say how to run it with `// mkls-arg:`"


def _findings(spec: KernelSpec, launched: Launched, prepared: Prepared) -> tuple[Finding, ...]:
    found = [it for it in launched.findings if it.kind not in prepared.ignored_findings]
    for argument in spec.arguments:
        if argument.kind != "buffer" or argument.index is None:
            continue
        if memory_of(argument).is_error_buffer and argument.index < len(prepared.bound):
            buffer = prepared.bound[argument.index]
            if buffer is not None and not any(it.kind == "device-error" for it in found):
                found.extend(errors_in(bytes_of(buffer), spec.path))
    return tuple(found)


_PLACE = re.compile(r"(?P<path>.+?):(?P<line>\d+):(?P<column>\d+): (?P<message>.*)\Z", re.DOTALL)


def stopped_at(message: str) -> tuple[Place | None, str]:
    """Split `path:line:column: text` into the place and the text."""
    match = _PLACE.match(message)
    if match is None:
        return None, message
    place = Place(match["path"], int(match["line"]), int(match["column"]), "it was here")
    return place, match["message"]


def _finished(
    plan: Plan,
    case: PlannedCase,
    outcome: str,
    milliseconds: float = 0.0,
    findings: tuple[Finding, ...] = (),
    message: str = "",
    **more: Any,
) -> Run:
    return Run(
        kernel=plan.spec.host_name,
        case=case.label,
        outcome=outcome,
        milliseconds=round(milliseconds, 3),
        findings=findings,
        message=message,
        path=plan.spec.path,
        line=plan.spec.line,
        functor=plan.functor,
        dtype=case.dtype,
        layout=case.layout,
        **more,
    )


def _judged(
    plan: Plan,
    case: PlannedCase,
    launched: Launched,
    findings: tuple[Finding, ...],
    judgement: Judgement,
) -> Run:
    mismatch = next((it.mismatch for it in judgement.verdicts if it.mismatch), None)
    errors = [it.max_abs_error for it in judgement.verdicts if it.max_abs_error is not None]
    ulps = [it.max_ulp for it in judgement.verdicts if it.max_ulp is not None]
    serious = [it for it in findings if it.kind not in _MILD]
    message = judgement.message
    outcome = "passed"
    if serious:
        outcome, message = "finding", serious[0].message
    if mismatch:
        outcome = "mismatched"
        place = ", ".join(map(str, mismatch.index))
        message = (
            f"{mismatch.count} of {mismatch.total} differ; first at [{place}]: "
            f"expected {mismatch.expected}, got {mismatch.got}"
        )
    return _finished(
        plan,
        case,
        outcome,
        launched.milliseconds,
        findings,
        message,
        max_abs_error=max(errors, default=None),
        max_ulp=max(ulps, default=None),
        mismatch=mismatch,
        verified=bool(judgement.verdicts),
        outputs=judgement.outputs,
    )
