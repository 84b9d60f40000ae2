"""Text that was put together from pieces of a document, with where each piece stands there."""

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

import msgspec

from mkls.text.span import Span


class Run(msgspec.Struct, frozen=True, array_like=True, gc=False):
    r"""`length` characters from `at` on, which stand at `span` of the document.

    A span of another length is one whole: each of the characters stands for all of it, as the
    line feed does that `\n` makes.
    """

    at: int
    length: int
    span: Span

    @property
    def is_verbatim(self) -> bool:
        """Whether the document has the same characters."""
        return self.length == self.span.end - self.span.start

    def part(self, start: int, end: int, at: int) -> "Run":
        """Return the characters from `start` to `end` of this run as a run from `at` on."""
        if not self.is_verbatim:
            return Run(at, end - start, self.span)
        first = self.span.start + start - self.at
        return Run(at, end - start, Span(first, first + end - start))


class SourceText(NamedTuple):
    """A text, and its runs in order; together they cover it."""

    text: str
    runs: tuple[Run, ...]

    def cut(self, start: int, end: int) -> "SourceText":
        """Return the part from `start` to `end`."""
        found: list[Run] = []
        for run in self.runs:
            first, last = max(start, run.at), min(end, run.at + run.length)
            if first < last:
                found.append(run.part(first, last, first - start))
        return SourceText(self.text[start:end], tuple(found))


def joined(parts: Iterable[SourceText]) -> SourceText:
    """Return `parts` one after the other."""
    listed = list(parts)
    return SourceText("".join(it.text for it in listed), tuple(_merged(_shifted(listed))))


def _shifted(parts: Iterable[SourceText]) -> Iterator[Run]:
    at = 0
    for part in parts:
        yield from (Run(at + run.at, run.length, run.span) for run in part.runs)
        at += len(part.text)


def _merged(runs: Iterable[Run]) -> Iterator[Run]:
    """Yield `runs`, those in one where a document's characters follow each other."""
    last: Run | None = None
    for run in runs:
        if last is None:
            last = run
        elif last.is_verbatim and run.is_verbatim and last.span.end == run.span.start:
            last = Run(last.at, last.length + run.length, Span(last.span.start, run.span.end))
        else:
            yield last
            last = run
    if last is not None:
        yield last


def document_span(runs: Sequence[Run], span: Span) -> Span | None:
    """Return where `span` of a text with `runs` stands in the document, None when nowhere.

    What is put together from places apart is shown where it begins.
    """
    first = _run_at(runs, span.start)
    if first is None:
        return None
    start = _offset(first, span.start)
    if span.end <= span.start:
        return Span(start, start)
    last = _run_at(runs, span.end - 1)
    end = _end(last, span.end) if last else first.span.end
    if last is None or end < start or last.span.start < first.span.start:
        return Span(start, _end(first, min(span.end, first.at + first.length)))
    return Span(start, end)


def verbatim_span(runs: Sequence[Run], span: Span) -> Span | None:
    """Return the place of `span` in the document if the very same characters stand there."""
    run = _run_at(runs, span.start)
    if run is None or not run.is_verbatim or span.end > run.at + run.length:
        return None
    return span.shifted(run.span.start - run.at)


def text_offset(runs: Iterable[Run], offset: int) -> int | None:
    """Return the offset in the text of what stands at `offset` of the document."""
    for run in runs:
        if offset in run.span:
            return run.at + (offset - run.span.start if run.is_verbatim else 0)
    return None


def _run_at(runs: Sequence[Run], at: int) -> Run | None:
    index = bisect_right(runs, at, key=lambda run: run.at) - 1
    if index < 0:
        return runs[0] if runs else None
    return runs[index]


def _offset(run: Run, at: int) -> int:
    if not run.is_verbatim:
        return run.span.start
    return run.span.start + min(at - run.at, run.length)


def _end(run: Run, end: int) -> int:
    return run.span.start + end - run.at if run.is_verbatim else run.span.end
