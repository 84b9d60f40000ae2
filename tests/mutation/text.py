"""What kinds of mistakes need to know about text: brackets, arguments, lines, misspellings.

Nothing here uses mkls's own readers: a mistake of theirs must not hide a mistake from the harness.
"""

import re
from collections.abc import Iterator
from functools import lru_cache

from mkls.text.span import Span

_NOISE = re.compile(
    r'//[^\n]*|/\*.*?\*/|R"(?P<mark>[^()\s]*)\(.*?\)(?P=mark)"|"(?:\\.|[^"\\\n])*"', re.DOTALL
)
_PAIRS = {"(": ")", "[": "]", "{": "}", "<": ">"}


def spaces(text: str) -> str:
    """Return `text` with everything but its line ends blank."""
    return re.sub(r"[^\n]", " ", text)


@lru_cache(maxsize=2048)
def code(text: str) -> str:
    """Return `text` with comments blank, at equal length; strings stay."""
    return _NOISE.sub(lambda it: it[0] if it[0].startswith(('"', "R")) else spaces(it[0]), text)


@lru_cache(maxsize=2048)
def bare(text: str) -> str:
    """Return `text` with comments and the contents of strings blank, at equal length."""
    return _NOISE.sub(_bare, text)


def _bare(match: "re.Match[str]") -> str:
    found = match[0]
    if not found.startswith(('"', "R")):
        return spaces(found)
    return f'"{spaces(found[1:-1])}"'


def closing(text: str, opening: int) -> int:
    """Return the offset of the bracket that closes the one at `opening`, -1 without one.

    `text` must be bare.
    """
    opens, closes = text[opening], _PAIRS[text[opening]]
    depth = 0
    for offset in range(opening, len(text)):
        if text[offset] == opens:
            depth += 1
        elif text[offset] == closes:
            depth -= 1
            if depth == 0:
                return offset
    return -1


def parts(text: str, opening: int) -> list[Span]:
    """Return the trimmed parts between the top-level commas of the bracket at `opening`.

    `text` must be bare; angle brackets do not nest.
    """
    end = closing(text, opening)
    if end < 0:
        return []
    found: list[Span] = []
    depth, start = 0, opening + 1
    for offset in range(opening + 1, end):
        if text[offset] in "([{":
            depth += 1
        elif text[offset] in ")]}":
            depth -= 1
        elif text[offset] == "," and depth == 0:
            found.append(trimmed(text, start, offset))
            start = offset + 1
    last = trimmed(text, start, end)
    return [*found, last] if found or last.start < last.end else []


def trimmed(text: str, start: int, end: int) -> Span:
    """Return the span `[start, end)` without blanks at its ends."""
    while start < end and text[start].isspace():
        start += 1
    while end > start and text[end - 1].isspace():
        end -= 1
    return Span(start, end)


def line(text: str, offset: int) -> Span:
    """Return the line around `offset`, its end included."""
    end = text.find("\n", offset)
    return Span(text.rfind("\n", 0, offset) + 1, len(text) if end < 0 else end + 1)


def lines(text: str, span: Span) -> Span:
    """Return the whole lines that `span` touches, the last one's end not included."""
    last = line(text, max(span.start, span.end - 1))
    return Span(line(text, span.start).start, max(span.end, last.end - 1))


def calls(text: str, pattern: str) -> Iterator["tuple[re.Match[str], list[Span]]"]:
    """Yield each call of a function whose name matches `pattern`, with its arguments' spans.

    `text` is bare; the match ends with the opening bracket.
    """
    for found in re.finditer(rf"\b(?:{pattern})(?:<[^;{{}}()]*>)?\(", text):
        yield found, parts(text, found.end() - 1)


def statement(text: str, offset: int) -> Span:
    """Return the statement around `offset`, by semicolons and braces; `text` is bare."""
    start = max(text.rfind(mark, 0, offset) for mark in ";{}") + 1
    end = text.find(";", offset)
    return trimmed(text, start, len(text) if end < 0 else end + 1)


_START = re.compile(r"^(?![#\s}]|namespace\b|using\b|class\b|struct\b)", re.MULTILINE)
_FIRST = re.compile(r"[{;]")


def function(text: str, offset: int) -> Span:
    """Return the top-level function around `offset`: from one line in column 0 to a closing brace.

    `text` is bare, and formatted as PyTorch's sources are.
    """
    begin = text.rfind("\n}", 0, offset) + 2
    for start in _START.finditer(text, begin, offset):
        opening = _FIRST.search(text, start.start())
        if opening and opening[0] == "{" and opening.start() <= offset:
            begin = start.start()
            break
    end = text.find("\n}", offset)
    return Span(begin, len(text) if end < 0 else end + 2)


def misspelt(word: str, known: frozenset[str]) -> tuple[str, ...]:
    """Return a few misspellings of `word`, none of them `known`: letters swap, double or go."""
    middle = range(1, len(word) - 1)
    swapped = (word[:i] + word[i + 1] + word[i] + word[i + 2 :] for i in middle)
    dropped = (word[:i] + word[i + 1 :] for i in middle)
    doubled = (word[:i] + word[i] + word[i:] for i in middle)
    wanted = [*_some(swapped), *_some(dropped), *_some(doubled)]
    return tuple(
        dict.fromkeys(it for it in wanted if it != word and it not in known and it[0] != "_")
    )


def _some(words: Iterator[str]) -> list[str]:
    found = list(words)
    return found[len(found) // 3 :: max(1, len(found) // 2)][:2]
