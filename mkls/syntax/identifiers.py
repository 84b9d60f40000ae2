"""Find an identifier in C++ or Metal text: in code and in macros, not in comments or literals."""

import re
from bisect import bisect_right
from collections.abc import Iterator
from functools import lru_cache
from typing import Final

from mkls.text.span import Span

_TRIVIA: Final = re.compile(
    r"""
      /(?:/(?:[^\n\\]|\\.)*|\*.*?(?:\*/|\Z))
    | R"(?P<delimiter>[^()\\\s"]{0,16})\((?:.*?\)(?P=delimiter)"|.*\Z)
    | "(?:[^"\\\n]|\\.)*(?:"|(?=\n)|\Z)
    | '(?<![0-9A-Fa-f]')(?:[^'\\\n]|\\.)+'
    """,
    re.VERBOSE | re.DOTALL,
)
_IDENTIFIER: Final = re.compile(r"[A-Za-z_]\w*", re.ASCII)


def is_identifier(text: str) -> bool:
    """Whether `text` can name something in C++ and in Metal."""
    return _IDENTIFIER.fullmatch(text) is not None


def identifier_spans(text: str, name: str) -> Iterator[Span]:
    """Yield where identifier `name` stands in the code of `text`, in order."""
    at = text.find(name)
    while at >= 0:
        end = at + len(name)
        if not _joins(text, at, end) and not _in_trivia(text, at):
            yield Span(at, end)
        at = text.find(name, end)


def _joins(text: str, start: int, end: int) -> bool:
    before = text[start - 1] if start else " "
    after = text[end] if end < len(text) else " "
    return before.isalnum() or before == "_" or after.isalnum() or after == "_"


def _in_trivia(text: str, at: int) -> bool:
    starts, ends = _trivia(text)
    index = bisect_right(starts, at) - 1
    return index >= 0 and at < ends[index]


@lru_cache(maxsize=64)
def _trivia(text: str) -> tuple[list[int], list[int]]:
    spans = [match.span() for match in _TRIVIA.finditer(text)]
    return [start for start, _ in spans], [end for _, end in spans]
