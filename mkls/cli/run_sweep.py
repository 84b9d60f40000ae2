"""`mkls run --sweep`: many sizes of one launch, and the smallest that still fails."""

import shlex
import sys
from collections.abc import Callable
from dataclasses import replace

from mkls.cli.main import UsageError
from mkls.runner.directed import launch_for
from mkls.runner.report import Report, Run
from mkls.runner.request import KernelSpec, RunRequest
from mkls.runner.sizes import Size, size_of, smaller, variants

Launch = Callable[[RunRequest], Report]
_MOST_STEPS = 40
_HARMLESS = frozenset({"passed", "skipped"})


def sweep(request: RunRequest, file: str, launch: Launch) -> Report:
    """Run every kernel of `request` that says how in many sizes.

    Of each kernel that fails, the smallest failing launch is in the report, and the command that
    repeats it goes to standard error.

    Raises:
        UsageError: No kernel says how it is launched.
    """
    runs: list[Run] = []
    backend = ""
    for spec in _specs(request):
        size = size_of(launch_for(spec, request))
        if size is None:
            continue
        report = _swept(replace(request, kernels=(spec.host_name,)), size, file, launch)
        runs += report.runs
        backend = report.backend
    if not runs:
        raise UsageError(
            "--sweep varies a launch: give one with `--threads` and `--arg NAME=EXPR`, "
            "or with `// mkls-run:` and `// mkls-arg:` above the kernel"
        )
    return Report(backend, request.path, tuple(runs))


def _specs(request: RunRequest) -> list[KernelSpec]:
    table = request.kernel_table or ()
    return [it for it in table if not request.kernels or it.host_name in request.kernels]


def _swept(request: RunRequest, size: Size, file: str, launch: Launch) -> Report:
    tried: list[Run] = []
    report = Report("", request.path)
    for variant in variants(size):
        report = launch(_sized(request, variant))
        kind = _failure(report)
        if kind:
            found, report = _shrunk(request, variant, report, kind, launch)
            _tell(_command(request, found, file), variant, found)
            return replace(report, runs=tuple(_named(it, found) for it in report.runs))
        tried += [_named(it, variant) for it in report.runs]
    return replace(report, runs=tuple(tried))


def _failure(report: Report) -> str:
    """What went wrong first: the kind of a finding, or the outcome; empty for nothing."""
    for run in report.runs:
        if run.outcome not in _HARMLESS:
            return run.findings[0].kind if run.outcome == "finding" else run.outcome
    return ""


def _shrunk(
    request: RunRequest, size: Size, report: Report, kind: str, launch: Launch
) -> tuple[Size, Report]:
    """The smallest launch that was found to fail in the same way."""
    steps = 0
    found = True
    while found:
        found = False
        for candidate in smaller(size):
            steps += 1
            if steps > _MOST_STEPS:
                return size, report
            other = launch(_sized(request, candidate))
            if _failure(other) == kind:
                size, report, found = candidate, other, True
                break
    return size, report


def _sized(request: RunRequest, size: Size) -> RunRequest:
    return replace(
        request,
        threads=_text(size.threads),
        group_size=_text(size.group_size) if size.group_size else request.group_size,
        arguments=dict(size.arguments),
    )


def _text(axes: tuple[int, ...]) -> str:
    return f"({', '.join(map(str, axes))},)"


def _named(run: Run, size: Size) -> Run:
    group = f" in groups of {_plain(size.group_size)}" if size.group_size else ""
    return replace(run, case=f"{_plain(size.threads)} threads{group}")


def _plain(axes: tuple[int, ...]) -> str:
    return ",".join(map(str, axes))


def _command(request: RunRequest, size: Size, file: str) -> str:
    words = ["mkls", "run", file, "--kernel", request.kernels[0], "--threads", _plain(size.threads)]
    if size.group_size:
        words += ["--group-size", _plain(size.group_size)]
    for name, text in size.arguments:
        words += ["--arg", f"{name}={text}"]
    words += ["--check", "--seed", str(request.seed)]
    return shlex.join([*words, *(["--finite"] if request.finite else [])])


def _tell(command: str, first: Size, found: Size) -> None:
    shrunk = f", shrunk to {_plain(found.threads)}" if found.threads != first.threads else ""
    print(
        f"fails with {_plain(first.threads)} threads{shrunk}; again:\n  {command}", file=sys.stderr
    )
