"""Sets and dicts of strings that a Python file writes out, by the variable that they are given to.

Python's own parser reads them, one at a time, so that a file of half a megabyte costs little and a
mistake in one place hides nothing elsewhere.
"""

import ast
import re
from collections.abc import Iterator
from typing import NamedTuple

from mkls.text.span import Span

_ASSIGNED = re.compile(
    r"\n([ \t]*)([A-Z][A-Z0-9_]*)(?:[ \t]*(?::[^=\n]*)?=[ \t]*|\.update\()(?=\{[ \t]*(?:#.*)?\n)"
)


class Key(NamedTuple):
    """A string in a set or dict: `span` is what its quotes hold, `value` the dict's value."""

    text: str
    span: Span
    value: ast.expr | None
    whole: Span
    """All that belongs to the key, without the comma."""


class Collection(NamedTuple):
    """`NAME = {…}` or `NAME.update({…})`."""

    name: str
    name_span: Span
    indent: str
    keys: tuple[Key, ...]


def collections(text: str) -> Iterator[Collection]:
    """Yield the sets and dicts of `text` that are given to upper-case names, one key a line."""
    for match in _ASSIGNED.finditer(text):
        closing = text.find(f"\n{match[1]}}}", match.end())
        value = _parsed(text[match.end() : closing + len(match[1]) + 2]) if closing >= 0 else None
        if value is not None:
            keys = tuple(_keys(value, text, match.end()))
            yield Collection(match[2], Span(*match.span(2)), match[1], keys)


def _parsed(text: str) -> ast.expr | None:
    try:
        return ast.parse(text, mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


def _keys(value: ast.expr, text: str, start: int) -> Iterator[Key]:
    lines = _Lines(text, start)
    if isinstance(value, ast.Dict):
        pairs = zip(value.keys, value.values, strict=True)
    else:
        pairs = ((it, None) for it in value.elts) if isinstance(value, ast.Set) else ()
    for key, held in pairs:
        if isinstance(key, ast.Constant) and isinstance(key.value, str):
            whole = Span(lines.start(key), lines.end(held or key))
            quoted = Span(lines.start(key), lines.end(key))
            if quoted.end - quoted.start == len(key.value) + 2:
                yield Key(key.value, Span(quoted.start + 1, quoted.end - 1), held, whole)


class _Lines:
    """Turns the places of the `ast` module, which count UTF-8, into offsets."""

    def __init__(self, text: str, start: int) -> None:
        self._text = text
        self._starts = [start]

    def start(self, node: ast.expr) -> int:
        return self._offset(node.lineno, node.col_offset)

    def end(self, node: ast.expr) -> int:
        return self._offset(node.end_lineno or node.lineno, node.end_col_offset or 0)

    def _offset(self, line: int, column: int) -> int:
        while len(self._starts) < line:
            self._starts.append(self._text.find("\n", self._starts[-1]) + 1)
        start = self._starts[line - 1]
        part = self._text[start : start + column]
        if part.isascii():
            return start + column
        return start + len(part.encode("utf-8", "surrogatepass")[:column].decode("utf-8", "ignore"))
