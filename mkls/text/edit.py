"""Replace spans of a text."""

from collections.abc import Iterable
from itertools import pairwise

import msgspec

from mkls.text.span import Span


class Edit(msgspec.Struct, frozen=True, order=True):
    """Replace what `span` covers by `new_text`."""

    span: Span
    new_text: str


def overlapping(edits: Iterable[Edit]) -> bool:
    """Whether two of `edits` touch the same characters."""
    ordered = sorted(edits)
    return any(before.span.end > after.span.start for before, after in pairwise(ordered))


def apply_edits(text: str, edits: Iterable[Edit]) -> str:
    """Return `text` after `edits`, which must not overlap.

    Insertions at one place keep their order.
    """
    parts: list[str] = []
    end = 0
    for edit in sorted(edits, key=lambda it: it.span):
        parts += (text[end : edit.span.start], edit.new_text)
        end = edit.span.end
    return "".join((*parts, text[end:]))


def line_before(text: str, offset: int, written: str) -> Edit | None:
    """Return the edit that puts the line `written` before that at `offset`, indented as that is.

    None when what stands at `offset` does not begin its line.
    """
    start = text.rfind("\n", 0, offset) + 1
    indent = text[start:offset]
    if indent.strip():
        return None
    return Edit(Span(start, start), f"{indent}{written}\n")


def removal(text: str, span: Span) -> Edit:
    """Return the edit that removes `span`, a semicolon after it, and lines that are then empty."""
    end = span.end + 1 if text[span.end : span.end + 1] == ";" else span.end
    start = text.rfind("\n", 0, span.start) + 1
    line_end = text.find("\n", end) + 1 or len(text)
    alone = not text[start : span.start].strip() and not text[end:line_end].strip()
    return Edit(Span(start, line_end) if alone else Span(span.start, end), "")


def line_after(text: str, span: Span, written: str) -> Edit | None:
    """Return the edit that puts the line `written` after that of `span`, indented as that is.

    A semicolon follows where one follows `span`. None when more stands on the line.
    """
    start = text.rfind("\n", 0, span.start) + 1
    indent = text[start : span.start]
    ends = ";" if text[span.end : span.end + 1] == ";" else ""
    line_end = text.find("\n", span.end) + 1
    if indent.strip() or not line_end or text[span.end + len(ends) : line_end].strip():
        return None
    return Edit(Span(line_end, line_end), f"{indent}{written}{ends}\n")
