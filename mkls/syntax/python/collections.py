"""Sets and dicts of strings that a Python file writes out, by the variable that they are given to.

Python's own parser reads them, one at a time, so that a file of half a megabyte costs little and a
mistake in one place hides nothing elsewhere.
"""

import ast
import re
from collections.abc import Iterator
from typing import NamedTuple

from mkls.syntax.python.parsing import expression_of
from mkls.syntax.python.places import Places
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
        value = (
            expression_of(text[match.end() : closing + len(match[1]) + 2]) if closing >= 0 else None
        )
        if value is not None:
            keys = tuple(_keys(value, text, match.end()))
            yield Collection(match[2], Span(*match.span(2)), match[1], keys)


def _keys(value: ast.expr, text: str, start: int) -> Iterator[Key]:
    places = Places(text, start)
    if isinstance(value, ast.Dict):
        pairs = zip(value.keys, value.values, strict=True)
    else:
        pairs = ((it, None) for it in value.elts) if isinstance(value, ast.Set) else ()
    for key, held in pairs:
        if isinstance(key, ast.Constant) and isinstance(key.value, str):
            quoted = places.span(key)
            whole = Span(quoted.start, places.span(held or key).end)
            if quoted.end - quoted.start == len(key.value) + 2:
                yield Key(key.value, Span(quoted.start + 1, quoted.end - 1), held, whole)
