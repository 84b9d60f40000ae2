"""Blank out what is not code: comments, the contents of literals, preprocessor directives."""

import re
from bisect import bisect_left
from functools import cached_property
from typing import NamedTuple

_TRIVIA = re.compile(
    r"""
      /(?:/(?:[^\n\\]|\\.)*|\*.*?(?:\*/|\Z))             # comments
    | \#(?:[^\n\\/]+|\\(?:\r\n|.)|/(?:\*.*?(?:\*/|\Z))?)*  # a directive with its continuation lines
    | R"(?P<delimiter>[^()\\\s"]{0,16})\((?:.*?\)(?P=delimiter)"|.*\Z)
    | "(?:[^"\\\n]|\\.)*(?:"|(?=\n)|\Z)
    | '(?<![0-9A-Fa-f]')(?:[^'\\\n]|\\.)+'                 # not a digit separator
    """,
    re.VERBOSE | re.DOTALL,
)
_NOT_NEWLINE = re.compile(r"[^\n]+")


class Literal(NamedTuple):
    """The extent of a string literal, quotes included, and of its contents."""

    start: int
    end: int
    contents_start: int
    contents_end: int


class Code:
    """A text, and its code alone at the same offsets.

    In `code`, comments and directives are spaces, and a string is `"` spaces `"` (a raw one
    `R"` spaces `"`): brackets, commas and identifiers found in it are really those of the code.
    """

    __slots__ = ("__dict__", "code", "directives", "literals", "text")

    def __init__(self, text: str) -> None:
        """Blank `text` in one pass."""
        self.text = text
        self.literals: list[Literal] = []
        self.directives: list[tuple[int, int]] = []
        self.code = _TRIVIA.sub(self._blank, text)

    @classmethod
    def _of(cls, text: str, code: str, literals: list[Literal]) -> "Code":
        part = cls.__new__(cls)
        part.text, part.code, part.literals, part.directives = text, code, literals, []
        return part

    def part(self, start: int, end: int) -> "Code":
        """Return `[start, end)` on its own, without its directives."""
        literals = [
            Literal(*(place - start for place in literal))
            for literal in self.literals_within(start, end)
        ]
        return Code._of(self.text[start:end], self.code[start:end], literals)

    def _blank(self, match: re.Match[str]) -> str:
        start, end = match.span()
        found = match[0]
        first = found[0]
        if first == "/":
            return _spaces(found)
        if first == "#":
            self.directives.append((start, end))
            return _spaces(found)
        if first == "'":
            return "'" + " " * (end - start - 2) + "'"
        if first == "R":
            return self._blank_raw(match)
        closed = 1 if end - start > 1 and found[-1] == '"' else 0
        self.literals.append(Literal(start, end, start + 1, end - closed))
        return '"' + _spaces(found[1:-1]) + '"' if closed else _spaces(found)

    def _blank_raw(self, match: re.Match[str]) -> str:
        start, end = match.span()
        found = match[0]
        margin = len(match["delimiter"]) + 2
        closed = found.endswith(")" + match["delimiter"] + '"') and end - start >= 2 * margin + 1
        contents = (start + margin + 1, end - margin if closed else end)
        self.literals.append(Literal(start, end, *contents))
        return 'R"' + _spaces(found[2:-1]) + '"' if closed else _spaces(found)

    @cached_property
    def _literal_starts(self) -> list[int]:
        return [literal.start for literal in self.literals]

    def literals_within(self, start: int, end: int) -> list[Literal]:
        """Return the string literals that begin in `[start, end)`."""
        starts = self._literal_starts
        return self.literals[bisect_left(starts, start) : bisect_left(starts, end)]

    def literal_at(self, start: int) -> Literal | None:
        """Return the literal that begins at `start`."""
        index = bisect_left(self._literal_starts, start)
        if index < len(self.literals) and self.literals[index].start == start:
            return self.literals[index]
        return None


def _spaces(text: str) -> str:
    if "\n" not in text:
        return " " * len(text)
    return _NOT_NEWLINE.sub(lambda match: " " * len(match[0]), text)
