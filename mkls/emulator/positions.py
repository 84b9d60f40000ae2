"""From an offset in the preprocessed text to the user's file, line and column."""

import re
from bisect import bisect_right
from functools import lru_cache
from pathlib import Path

import msgspec

from mkls.emulator.tokens import Tokens

_MARKER = re.compile(r'# (\d+) "((?:\\.|[^"\\])*)"((?: \d)*)\Z')
_ESCAPE = re.compile(r"\\([0-7]{3}|.)")
_COMMENT = re.compile(r"//[^\n]*|/\*(?:.|\n)*?(?:\*/|\Z)")


class Position(msgspec.Struct, frozen=True, order=True):
    """A place in a file of the user; line and column count from 1, columns in code points."""

    path: str
    line: int
    column: int


class SourceMap:
    """The lines of a preprocessed text and where they came from.

    The preprocessor keeps tokens, not columns, so a column is found by matching the tokens of both
    lines from their ends; inside a macro's expansion it is that of the macro's name.
    """

    def __init__(self, text: str, source: str, filename: str) -> None:
        """Read the markers of `text`, the preprocessed form of `source`."""
        self.text = text
        self.filename = filename
        self._sources = {filename: source.split("\n")}
        self._starts: list[int] = []
        self._places: list[tuple[str, int]] = []
        self._first_of: dict[tuple[str, int], int] = {}
        self._included_at: dict[str, tuple[str, int]] = {}
        path, line, offset = filename, 1, 0
        for content in text.split("\n"):
            marker = _MARKER.match(content) if content.startswith("#") else None
            self._starts.append(offset)
            self._places.append((path, line))
            if marker and marker.group(3).startswith(" 1"):
                self._included_at.setdefault(_unescaped(marker.group(2)), (path, line))
            if marker:
                path, line = _unescaped(marker.group(2)), int(marker.group(1))
            else:
                if content and not content.isspace():
                    self._first_of.setdefault((path, line), len(self._starts) - 1)
                line += 1
            offset += len(content) + 1

    def row_at(self, offset: int) -> int:
        """The physical line, from 1, of `offset`."""
        return bisect_right(self._starts, offset)

    def row_of(self, path: str, line: int) -> int | None:
        """The first physical line, from 1, that came from `line` of `path`."""
        row = self._first_of.get((path, line))
        return None if row is None else row + 1

    def position(self, offset: int) -> Position:
        """Where the user wrote what stands at `offset`."""
        row = bisect_right(self._starts, offset) - 1
        path, line = self._places[row]
        start = self._starts[row]
        end = self._starts[row + 1] - 1 if row + 1 < len(self._starts) else len(self.text)
        column = self._column(path, line, self.text[start:end], offset - start)
        return Position(path, line, column)

    def inclusion(self, path: str) -> Position | None:
        """Where the user's own file includes header `path`, directly or not."""
        place = self._included_at.get(path)
        seen: set[str] = set()
        while place and place[0] != self.filename and place[0] not in seen:
            seen.add(place[0])
            place = self._included_at.get(place[0])
        if place is None or place[0] != self.filename:
            return None
        text = self.line_text(*place)
        return Position(*place, len(text) - len(text.lstrip()) + 1)

    def line_text(self, path: str, line: int) -> str:
        """A line of a user's file, empty when it cannot be read."""
        lines = self._lines(path)
        return lines[line - 1] if 0 < line <= len(lines) else ""

    def _lines(self, path: str) -> list[str]:
        if path not in self._sources:
            self._sources[path] = _read_lines(path)
        return self._sources[path]

    def _column(self, path: str, line: int, expanded: str, at: int) -> int:
        written = _COMMENT.sub(lambda m: " " * len(m.group()), self.line_text(path, line))
        if not written.strip():
            return at + 1
        old, new = Tokens(written), Tokens(expanded)
        index = new.index_at(at)
        if index < 0 or not len(old):
            return len(written) - len(written.lstrip()) + 1
        within = min(at - new.starts[index], max(len(new.texts[index]) - 1, 0))
        same = _common(old.texts, new.texts)
        if index < same:
            return old.starts[index] + within + 1
        from_end = len(new) - index
        if from_end <= _common(old.texts[same:][::-1], new.texts[same:][::-1]):
            return old.starts[len(old) - from_end] + within + 1
        return old.starts[min(same, len(old) - 1)] + 1


def _common(a: list[str], b: list[str]) -> int:
    count = 0
    for left, right in zip(a, b, strict=False):
        if left != right:
            break
        count += 1
    return count


def _unescaped(path: str) -> str:
    """A path as a line marker spells it: octal escapes are bytes of UTF-8."""
    if "\\" not in path:
        return path
    raw = _ESCAPE.sub(
        lambda m: chr(int(m.group(1), 8)) if len(m.group(1)) == 3 else m.group(1), path
    )
    try:
        return raw.encode("latin-1").decode("utf-8")
    except UnicodeError:
        return raw


@lru_cache(maxsize=64)
def _read_lines_at(path: str, _time: float) -> list[str]:
    return Path(path).read_text(encoding="utf-8", errors="surrogateescape").split("\n")


def _read_lines(path: str) -> list[str]:
    try:
        return _read_lines_at(path, Path(path).stat().st_mtime)
    except OSError:
        return []
