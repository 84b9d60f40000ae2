"""The table of `mkls run`: one line a kernel, details of what went wrong below."""

import os
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from mkls.cli.style import Style
from mkls.runner.report import CompileProblem, Finding, Place, Report, Run

_NAME_CELLS = 38
_MOST_DETAILS = 8
_ORDER = ("compile-error", "crashed", "timed-out", "mismatched", "finding", "skipped", "passed")
_WORDS = {
    "compile-error": "error",
    "crashed": "crashed",
    "timed-out": "timed out",
    "mismatched": "wrong",
    "finding": "finding",
    "skipped": "skipped",
    "passed": "ok",
}


def render(report: Report, style: Style) -> str:
    """Return the whole text of a report, at most 80 columns wide where it can be."""
    lines: list[str] = []
    compiled = [it for it in report.runs if it.outcome != "compile-error"]
    groups = _by_kernel(compiled)
    if groups:
        lines += [_head(style), *(_row(name, runs, style) for name, runs in groups.items())]
    for run in report.runs:
        if run.outcome == "compile-error":
            lines += [line for it in run.problems for line in _problem(it, style)]
    lines += _details(compiled, style)
    return "\n".join(lines) + "\n"


def summary(report: Report, seconds: float, style: Style) -> str:
    """Return one line for standard error."""
    runs = [it for it in report.runs if it.outcome != "compile-error"]
    bad = [it for it in report.runs if it.outcome not in ("passed", "skipped")]
    kernels = len({it.kernel for it in runs})
    ran = f"{_count(len(runs), 'case')} of {_count(kernels, 'kernel')} on the {report.backend}"
    if any(it.outcome == "compile-error" for it in bad):
        return style.severity("error", f"{Path(report.file).name} does not compile")
    if bad:
        return style.severity("error", f"{len(bad)} of {ran} failed in {seconds:.1f} s")
    skipped = [it for it in runs if it.outcome == "skipped"]
    compared = sum(it.verified for it in runs)
    verdict = f"{compared} compared, all agree" if compared else "nothing to compare with"
    more = f", {len(skipped)} skipped" if skipped else ""
    text = f"{ran} in {seconds:.1f} s: {verdict}{more}"
    return style.good(text) if compared and not skipped else text


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}{'s' * (number != 1)}"


def _by_kernel(runs: Iterable[Run]) -> dict[str, list[Run]]:
    groups: dict[str, list[Run]] = {}
    for run in runs:
        groups.setdefault(run.kernel, []).append(run)
    return groups


def _head(style: Style) -> str:
    return style.dim(f"  {'kernel':<{_NAME_CELLS}} cases  max error   ulp      ms  result")


def _row(name: str, runs: Sequence[Run], style: Style) -> str:
    worst = min((it.outcome for it in runs), key=_ORDER.index)
    errors = [it.max_abs_error for it in runs if it.max_abs_error is not None]
    ulps = [it.max_ulp for it in runs if it.max_ulp is not None]
    error = f"{max(errors):.2g}" if errors else "–"
    ulp = _short(max(ulps)) if ulps else "–"
    time = f"{sum(it.milliseconds for it in runs):.1f}"
    name = _clipped(name, _NAME_CELLS)
    row = f"{name:<{_NAME_CELLS}} {len(runs):>5}  {error:>9} {ulp:>5} {time:>7}  "
    return f"{_mark(worst, style)} {row}{_coloured(worst, _word(worst, runs), style)}"


def _word(worst: str, runs: Sequence[Run]) -> str:
    if worst == "passed":
        return "ok" if any(it.verified for it in runs) else "ran"
    return _WORDS[worst]


def _short(number: int) -> str:
    return str(number) if number < 100_000 else f"{number:.0e}"


def _clipped(text: str, cells: int) -> str:
    if len(text) <= cells:
        return text
    half = (cells - 1) // 2
    return f"{text[: cells - 1 - half]}…{text[-half:]}"


def _mark(outcome: str, style: Style) -> str:
    if outcome == "passed":
        return style.good("✓")
    return style.dim("·") if outcome == "skipped" else style.severity("error", "✗")


def _coloured(outcome: str, text: str, style: Style) -> str:
    if outcome == "passed":
        return style.good(text)
    return style.dim(text) if outcome == "skipped" else style.severity("error", text)


def _details(runs: Sequence[Run], style: Style) -> Iterator[str]:
    bad = [it for it in runs if it.outcome not in ("passed", "skipped")]
    for run in bad[:_MOST_DETAILS]:
        yield ""
        what = style.severity("error", _WORDS[run.outcome])
        yield f"{what}: {style.bold(run.kernel)} ({run.case})"
        yield from _what_happened(run, style)
    if len(bad) > _MOST_DETAILS:
        yield ""
        yield style.dim(f"… and {len(bad) - _MOST_DETAILS} more (`--output-format json` has all)")
    yield from _remarks(runs, style)


def _what_happened(run: Run, style: Style) -> Iterator[str]:
    if run.message and run.outcome != "finding":
        yield f"  {run.message}"
        if run.stopped_at:
            yield from _place(run.stopped_at, style)
        elif run.path and run.line:
            yield f"  {style.dim('-->')} {shown(run.path)}:{run.line}"
    for found in run.findings:
        yield from _finding(found, run, style)


def _place(place: Place, style: Style) -> Iterator[str]:
    yield f"  {style.dim('-->')} {shown(place.path)}:{place.line}:{place.column}"
    yield from _excerpt(place.path, place.line, place.column, style)


def _finding(found: Finding, run: Run, style: Style) -> Iterator[str]:
    times = f" ({found.count} times)" if found.count > 1 else ""
    yield f"  {style.severity('warning', found.kind)}: {found.message}{times}"
    yield f"  {style.dim('in')} {run.kernel} ({run.case})"
    if found.thread is not None and found.lane is not None:
        lane = f", lane {found.lane}"
        yield f"  {style.dim('by')} thread {found.thread} of threadgroup {found.threadgroup}{lane}"
    if found.argument is not None:
        yield f"  {style.dim('at')} {_buffer(found)}"
    if found.path:
        yield f"  {style.dim('-->')} {shown(found.path)}:{found.line}:{found.column}"
        yield from _excerpt(found.path, found.line, found.column, style)
    for it in found.related:
        yield f"  {style.dim('=')} {it.message}: {shown(it.path)}:{it.line}:{it.column}"


def _buffer(found: Finding) -> str:
    where = "threadgroup memory" if found.buffer is None else f"buffer {found.buffer}"
    if found.index is None:
        return f"`{found.argument}`, {where}"
    return f"`{found.argument}`, {where}, element {found.index} of {found.length}"


def _remarks(runs: Sequence[Run], style: Style) -> Iterator[str]:
    """Say once for each kernel what it wrote or why it did not run."""
    said: set[str] = set()
    for run in runs:
        if run.outcome == "skipped" and run.message not in said:
            said.add(run.message)
            yield ""
            yield f"{style.dim('skipped')}: {style.bold(run.kernel)}: {run.message}"
        elif run.outcome == "passed" and not run.verified and run.kernel not in said:
            said.add(run.kernel)
            yield ""
            yield f"{style.bold(run.kernel)} {run.message}"
            for output in run.outputs:
                yield f"  {output.argument}: {output.summary}"


def _problem(problem: CompileProblem, style: Style) -> Iterator[str]:
    severity = style.severity(problem.severity, problem.severity)
    yield f"{severity}: {style.bold(problem.message)}"
    yield f"  {style.dim('-->')} {shown(problem.path)}:{problem.line}:{problem.column}"
    yield from _excerpt(problem.path, problem.line, problem.column, style)
    for note in problem.notes:
        where = f"{shown(note.path)}:{note.line}:{note.column}"
        yield f"  {style.dim('=')} note: {note.message}: {where}"
    yield ""


def _excerpt(path: str, line: int, column: int, style: Style) -> Iterator[str]:
    try:
        lines = Path(path).read_text(encoding="utf-8", errors="replace").split("\n")
    except OSError:
        return
    if not 0 < line <= len(lines):
        return
    text = lines[line - 1].replace("\t", " ").rstrip("\r")
    yield f"  {style.dim(f'{line} |')} {text}"
    gutter = " " * len(str(line))
    caret = style.severity("error", "^")
    yield f"  {style.dim(f'{gutter} |')} {' ' * max(column - 1, 0)}{caret}"


def shown(path: str) -> str:
    """Return `path` from the current folder when it lies below it."""
    relative = os.path.relpath(path) if path.startswith("/") else path
    return path if relative.startswith("..") else relative
