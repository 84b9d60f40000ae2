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
