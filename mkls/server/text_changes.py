"""Apply the changes that an editor sends to a text."""

from collections.abc import Iterable

import msgspec

from mkls.text.line_index import Encoding, LineIndex, Position
from mkls.text.span import Span


class TextChange(msgspec.Struct, frozen=True):
    """Put `new_text` in place of what lies between two positions, or of everything."""

    new_text: str
    range: tuple[Position, Position] | None = None


def apply_changes(lines: LineIndex, changes: Iterable[TextChange], encoding: Encoding) -> str:
    """Return the text after `changes`, each of which is about the text after those before it."""
    changing = _ChangingText(lines)
    for change in changes:
        changing.apply(change, encoding)
    return changing.text


class _ChangingText:
    """A text under change.

    Up to `_valid` it is what `_index` was made of. Editors send many changes from the end of the
    text to its start, so the lines are seldom counted again.
    """

    def __init__(self, lines: LineIndex) -> None:
        self._index = lines
        self.text = lines.text
        self._valid = len(self.text) + 1

    def apply(self, change: TextChange, encoding: Encoding) -> None:
        if change.range is None:
            self.text, self._valid = change.new_text, 0
            return
        span = self._span(change.range, encoding)
        self.text = self.text[: span.start] + change.new_text + self.text[span.end :]
        self._valid = min(self._valid, span.start)

    def _lines(self) -> LineIndex:
        if self.text is not self._index.text:
            self._index, self._valid = LineIndex(self.text), len(self.text) + 1
        return self._index

    def _span(self, ends: tuple[Position, Position], encoding: Encoding) -> Span:
        start, end = (self._index.offset(position, encoding) for position in ends)
        if max(start, end) >= self._valid:
            lines = self._lines()
            start, end = (lines.offset(position, encoding) for position in ends)
        return Span(min(start, end), max(start, end))
