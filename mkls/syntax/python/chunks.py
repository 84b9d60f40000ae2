"""Split a Python file into its top-level statements, each parsed on its own.

So a statement that is half typed hides no other, what nobody asks for is not parsed, and an edit
costs the parsing of one statement.
"""

import ast
import re
from collections.abc import Iterator
from functools import cached_property, lru_cache

from mkls.syntax.python.parsing import statements_of
from mkls.syntax.python.places import Places

# Strings and comments are skipped as wholes: MSL in triple quotes begins in column 0.
_SKIPPED_OR_START = re.compile(
    r"#[^\n]*"
    r'|"""[^"\\]*(?:(?:\\.|"(?!""))[^"\\]*)*"""'
    r"|'''[^'\\]*(?:(?:\\.|'(?!''))[^'\\]*)*'''"
    r'|"(?:[^"\\\n]|\\.)*"'
    r"|'(?:[^'\\\n]|\\.)*'"
    r"|\n(?=[^\s#)\]}])(?!(?:else|elif|except|finally)\b)",
    re.DOTALL,
)
_NAMED = re.compile(
    r"(?:@.*\n(?:[ \t)\]}].*\n|\s*\n)*)*(?:(?:async\s+)?def|class)\s+(\w+)"
    r"|(\w+)\s*(?::[^=\n]+)?=(?!=)"
)
_GLOBAL = re.compile(r"^[ \t]+global\s+([\w, \t]+)", re.MULTILINE)


class Chunk:
    """A top-level statement and where it starts; comments may come after it."""

    def __init__(self, text: str, start: int, whole: str) -> None:
        """Hold `text`, which stands at `start` of `whole`."""
        self.text = text
        self.start = start
        self._whole = whole

    @cached_property
    def name(self) -> str:
        """What it defines or assigns to, "" where it is of another kind."""
        match = _NAMED.match(self.text)
        return (match[1] or match[2]) if match else ""

    def part(self, start: int, end: int) -> str:
        """Return what the file has from `start` to `end`."""
        return self._whole[start:end]

    @cached_property
    def places(self) -> Places:
        """Where the nodes of its statements stand."""
        return Places(self._whole, self.start)

    @cached_property
    def globals(self) -> frozenset[str]:
        """The names that functions in it declare to be global."""
        if "global " not in self.text:
            return frozenset()
        lists = (it[1].split(",") for it in _GLOBAL.finditer(self.text))
        return frozenset(name.strip() for names in lists for name in names)

    @cached_property
    def statements(self) -> tuple[ast.stmt, ...]:
        """The statement; nothing while it is no Python."""
        return _parsed(self.text)


def chunks_of(text: str) -> list[Chunk]:
    """Return the top-level statements of `text`."""
    return [Chunk(text[start:end], start, text) for start, end in _joined(text)]


def _joined(text: str) -> Iterator[tuple[int, int]]:
    """Yield the places of statements; a decorator belongs to what follows."""
    starts = [0] + [it.end() for it in _SKIPPED_OR_START.finditer(text) if it[0] == "\n"]
    begin = 0
    for start, end in zip(starts, [*starts[1:], len(text)], strict=True):
        if not text.startswith("@", start):
            yield begin, end
            begin = end


_parsed = lru_cache(maxsize=512)(statements_of)
