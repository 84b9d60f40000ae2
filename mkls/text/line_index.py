r"""Translate offsets to line and column, and back, in any of LSP's position encodings.

Lines end at `\n`, `\r\n` or `\r` and nowhere else (LSP 3.17, `textDocument` › `EOL`): not at
U+2028, not at a form feed, where `str.splitlines` would end them too.
"""

import re
from bisect import bisect_right
from enum import Enum
from itertools import accumulate
from typing import NamedTuple

from mkls.text.span import Span

_EOL = re.compile(r"\r\n|\n|\r")


class Encoding(Enum):
    """How columns count (LSP 3.17, `PositionEncodingKind`)."""

    UTF8 = "utf-8"
    UTF16 = "utf-16"
    UTF32 = "utf-32"


class Position(NamedTuple):
    """A zero-based line, and a column in units of some `Encoding`."""

    line: int
    column: int


def units(text: str, encoding: Encoding) -> int:
    """Return how many code units `text` takes in `encoding`."""
    if encoding is Encoding.UTF32 or text.isascii():
        return len(text)
    if encoding is Encoding.UTF8:
        return len(text.encode("utf-8", "surrogatepass"))
    return len(text) + sum(character > "\uffff" for character in text)


class LineIndex:
    """Where each line of a text starts and where its content ends."""

    __slots__ = ("_ascii", "ends", "starts", "text")

    def __init__(self, text: str) -> None:
        """Index `text`, in one pass."""
        self.text = text
        if "\r" in text:
            breaks = [match.span() for match in _EOL.finditer(text)]
            self.starts = [0, *(end for _, end in breaks)]
            self.ends = [*(start for start, _ in breaks), len(text)]
        else:  # four times as fast, and most texts are like that
            self.starts = list(accumulate((len(line) + 1 for line in text.split("\n")), initial=0))
            self.ends = [start - 1 for start in self.starts[1:]]
            self.starts.pop()
        self._ascii = text.isascii()

    def line(self, offset: int) -> int:
        """Return the zero-based line that holds `offset`."""
        return bisect_right(self.starts, offset) - 1

    def position(self, offset: int, encoding: Encoding = Encoding.UTF32) -> Position:
        """Return the position of `offset`, clamped to the text."""
        offset = min(max(offset, 0), len(self.text))
        line = self.line(offset)
        start = self.starts[line]
        if self._ascii:
            return Position(line, offset - start)
        return Position(line, units(self.text[start:offset], encoding))

    def offset(self, position: Position, encoding: Encoding = Encoding.UTF32) -> int:
        """Return the offset of `position`, clamped to its line and to the text.

        A column in the middle of a code point means the code point's start.
        """
        if position.line < 0:
            return 0
        if position.line >= len(self.starts):
            return len(self.text)
        start, end = self.starts[position.line], self.ends[position.line]
        if self._ascii or encoding is Encoding.UTF32:
            return min(start + max(position.column, 0), end)
        return start + _points(self.text[start:end], position.column, encoding)

    def range(self, span: Span, encoding: Encoding = Encoding.UTF32) -> tuple[Position, Position]:
        """Return the two ends of `span`."""
        return self.position(span.start, encoding), self.position(span.end, encoding)

    def content(self, line: int) -> str:
        """Return zero-based `line` without its line ending."""
        return self.text[self.starts[line] : self.ends[line]]


def _points(line: str, column: int, encoding: Encoding) -> int:
    used = 0
    for index, character in enumerate(line):
        used += units(character, encoding)
        if used > column:
            return index
    return len(line)
