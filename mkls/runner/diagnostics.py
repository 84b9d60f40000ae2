"""Results of a run as diagnostics of the texts that ran (client side, pure)."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from mkls.runner.report import CompileProblem, Finding, Place, Report, Run
from mkls.text.document import Document, Uri, uri_of
from mkls.text.line_index import Position
from mkls.text.span import Span

_WORD = re.compile(r"[A-Za-z_]\w*|\d[\w.]*|\S")
_MOST_PER_KERNEL = 3

Texts = Callable[[Uri], "Document | None"]
"""Returns the document that was run, None for one that is not at hand."""


@dataclass(frozen=True)
class Related:
    """Another place that takes part."""

    uri: Uri
    span: Span
    message: str


@dataclass(frozen=True)
class RunDiagnostic:
    """One thing that a run showed. `kernel` is empty for what concerns the whole file."""

    uri: Uri
    span: Span
    message: str
    severity: str
    code: str
    kernel: str
    related: tuple[Related, ...] = ()


def diagnostics_of(report: Report, texts: Texts) -> tuple[RunDiagnostic, ...]:
    """Return what `report` shows, each mistake once, the most telling case of each kernel first.

    A compile error is on its token; a mismatch on the functor, else on the kernel's line; a
    finding where the access is; a stopped kernel where it was.
    """
    found: dict[tuple[object, ...], RunDiagnostic] = {}
    for run in report.runs:
        for diagnostic in _of_run(run, report, _Places(texts)):
            key = (diagnostic.uri, diagnostic.span, diagnostic.code, _key(diagnostic, run))
            found.setdefault(key, diagnostic)
    return tuple(_capped(found.values()))


def _key(diagnostic: RunDiagnostic, run: Run) -> str:
    """Kernels of one functor fail together: one diagnostic for each dtype is enough."""
    return f"{run.dtype}" if diagnostic.code == "mismatched" and run.functor else diagnostic.message


def _capped(diagnostics: Iterable[RunDiagnostic]) -> Iterator[RunDiagnostic]:
    counts: dict[tuple[Uri, Span, str], int] = {}
    for it in diagnostics:
        place = (it.uri, it.span, it.code)
        counts[place] = counts.get(place, 0) + 1
        if counts[place] <= _MOST_PER_KERNEL:
            yield it


def _of_run(run: Run, report: Report, places: "_Places") -> Iterator[RunDiagnostic]:
    for problem in run.problems:
        yield _compile_problem(problem, places)
    for finding in run.findings:
        yield _finding(run, finding, report, places)
    if run.outcome in ("mismatched", "crashed", "timed-out"):
        uri, span = _where(run, report, places)
        message = f"`{run.kernel}` ({run.case}): {run.message}"
        yield RunDiagnostic(uri, span, message, "error", run.outcome, run.kernel)


def _where(run: Run, report: Report, places: "_Places") -> tuple[Uri, Span]:
    if run.stopped_at:
        return places.token(run.stopped_at.path, run.stopped_at.line, run.stopped_at.column)
    if run.functor and (place := places.functor(report.file, run.functor)):
        return place
    return places.line(run.path or report.file, run.line)


def _compile_problem(problem: CompileProblem, places: "_Places") -> RunDiagnostic:
    uri, span = places.token(problem.path, problem.line, problem.column)
    related = tuple(places.related(it) for it in problem.notes)
    code = "compile-error" if problem.severity == "error" else "compile-warning"
    return RunDiagnostic(uri, span, problem.message, problem.severity, code, "", related)


def _finding(run: Run, found: Finding, report: Report, places: "_Places") -> RunDiagnostic:
    if found.path and found.line:
        uri, span = places.token(found.path, found.line, found.column)
    else:
        uri, span = places.line(run.path or report.file, run.line)
    times = f" ({found.count} times)" if found.count > 1 else ""
    related = tuple(places.related(it) for it in found.related)
    severity = "warning" if found.kind in ("same-value-race", "not-finite") else "error"
    message = f"{found.message}{times} in `{run.kernel}`"
    return RunDiagnostic(uri, span, message, severity, found.kind, run.kernel, related)


class _Places:
    """Finds spans in the texts that ran."""

    def __init__(self, texts: Texts) -> None:
        self._texts = texts

    def token(self, path: str, line: int, column: int) -> tuple[Uri, Span]:
        """Return the token at a place."""
        uri = uri_of(path)
        document = self._texts(uri)
        if document is None:
            return uri, Span(0, 0)
        offset = document.lines.offset(Position(line - 1, max(column - 1, 0)))
        match = _WORD.match(document.text, offset)
        return uri, Span(offset, match.end() if match else offset)

    def line(self, path: str, line: int) -> tuple[Uri, Span]:
        """Return a line without the white space around it."""
        uri = uri_of(path)
        document = self._texts(uri)
        if document is None or not 0 < line <= len(document.lines.starts):
            return uri, Span(0, 0)
        start = document.lines.starts[line - 1]
        text = document.lines.content(line - 1)
        indent = len(text) - len(text.lstrip())
        return uri, Span(start + indent, start + len(text.rstrip()))

    def functor(self, path: str, functor: str) -> tuple[Uri, Span] | None:
        """Return the name of `struct FUNCTOR_functor` in the file that ran."""
        uri = uri_of(path)
        document = self._texts(uri)
        pattern = rf"\bstruct\s+({re.escape(functor)}_functor)\b"
        match = re.search(pattern, document.text) if document else None
        return (uri, Span(*match.span(1))) if match else None

    def related(self, place: Place) -> Related:
        """Return another place of a finding or an error."""
        return Related(*self.token(place.path, place.line, place.column), place.message)


def by_uri(
    diagnostics: Sequence[RunDiagnostic],
) -> Mapping[Uri, tuple[RunDiagnostic, ...]]:
    """Return `diagnostics` by the document that they are in."""
    found: dict[Uri, tuple[RunDiagnostic, ...]] = {}
    for it in diagnostics:
        found[it.uri] = (*found.get(it.uri, ()), it)
    return found
