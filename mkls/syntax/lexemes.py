"""The words of a C-like text: Metal, C++ and Objective-C++ alike, however broken it is."""

import re
from collections.abc import Iterator
from enum import IntEnum
from typing import Final, NamedTuple

from mkls.syntax.metal.pattern import BLOCK_COMMENT, LINE_COMMENT
from mkls.text.span import Span


class LexemeKind(IntEnum):
    """What a lexeme is; the numbers are the groups of the expression."""

    COMMENT = 1
    RAW_STRING = 2
    STRING = 4
    DIRECTIVE = 5
    NUMBER = 6
    WORD = 7
    ATTRIBUTE_START = 8
    ATTRIBUTE_END = 9
    KEYWORD = 10
    """`@autoreleasepool` and its like."""


class Lexeme(NamedTuple):
    """A word, comment, string, number or mark; what lies between is punctuation."""

    kind: LexemeKind
    start: int
    end: int

    @property
    def span(self) -> Span:
        """Where it stands."""
        return Span(self.start, self.end)


_COMMENT: Final = rf"({LINE_COMMENT}|{BLOCK_COMMENT})"
_RAW: Final = r'((?:u8|[uUL])?R"([^()\\\s]{0,16})\([\s\S]*?(?:\)\3"|\Z))'
_STRING: Final = r"(@?\"(?:[^\"\\\n]|\\[\s\S])*(?:\"|(?=\n)|\Z)|'(?:[^'\\\n]|\\.)*(?:'|(?=\n)|\Z))"
_DIRECTIVE: Final = r"((?m:^)[ \t]*\#[ \t]*\w*)"
_NUMBER: Final = r"((?<![\w.])\.?\d(?:[eEpP][+-]|'?[\w.])*)"
_LEXEME: Final = re.compile(
    rf"{_COMMENT}|{_RAW}|{_STRING}|{_DIRECTIVE}|{_NUMBER}"
    r"|([^\W\d]\w*)|(\[\[)|(\]\])|(@\w+)"
)
SKIPPED: Final = rf"{_COMMENT}|{_RAW}|{_STRING}"
"""An expression for comments and strings, with four groups."""
_SKIPPED: Final = re.compile(SKIPPED)
_KINDS: Final = {kind.value: kind for kind in LexemeKind}


def lexeme_matches(text: str, start: int, end: int) -> Iterator[re.Match[str]]:
    """Yield the matches whose `lastindex` is a `LexemeKind`: `lexemes` for those in a hurry."""
    return _LEXEME.finditer(text, start, end)


def lexemes(text: str, start: int = 0, end: int | None = None) -> Iterator[Lexeme]:
    """Yield the lexemes of `text` between two offsets, which lie in no comment or string."""
    kinds = _KINDS
    for match in _LEXEME.finditer(text, start, len(text) if end is None else end):
        yield Lexeme(kinds[match.lastindex or 0], match.start(), match.end())


def comment_or_string_at(text: str, offset: int) -> Lexeme | None:
    """Return the comment or string within which `offset` lies, between its ends."""
    for match in _SKIPPED.finditer(text):
        if match.start() >= offset:
            return None
        kind = _KINDS[match.lastindex or 0]
        open_ended = kind is LexemeKind.COMMENT and match[0].startswith("//")
        if offset < match.end() or (open_ended and offset == match.end()):
            return Lexeme(kind, match.start(), match.end())
    return None
