"""The rows of `native_functions.yaml`, read line by line for the kinds that break them."""

import re
from collections.abc import Iterator
from typing import NamedTuple

from mkls.text.span import Span
from tests.support.mutation import Tree

PATH = "aten/src/ATen/native/native_functions.yaml"
_ROW = re.compile(r"^- func: .*?(?=^- |^#|^\S|\Z)", re.MULTILINE | re.DOTALL)
_FUNC = re.compile(r"""- func:\s*["']?([\w:]+(?:\.\w+)?)""")
_DISPATCH = re.compile(r"^  dispatch:[^\n]*\n((?:    [^\n]*\n|\n)*)", re.MULTILINE)
_LINE = re.compile(r"^    (\w[\w, ]*?) *: *([\w:]+)", re.MULTILINE)


class Word(NamedTuple):
    """A word and where it stands in the file."""

    text: str
    span: Span


class Line(NamedTuple):
    """A line of `dispatch`: its keys, its function and the whole line."""

    keys: tuple[Word, ...]
    function: Word
    span: Span

    def key(self, name: str) -> Word | None:
        """Return the key called `name`."""
        return next((key for key in self.keys if key.text == name), None)


class Row(NamedTuple):
    """A row: what it is called, its text and the lines of its `dispatch`."""

    operator: str
    text: str
    span: Span
    lines: tuple[Line, ...]

    @property
    def base(self) -> str:
        """The name that overloads and the in-place variant share."""
        return self.operator.partition(".")[0].removesuffix("_") or self.operator

    @property
    def keys(self) -> frozenset[str]:
        """Every dispatch key of the row."""
        return frozenset(key.text for line in self.lines for key in line.keys)

    @property
    def delegate(self) -> str:
        """The row that it delegates to, or ""."""
        found = re.search(r"structured_delegate: *['\"]?([\w.]+)", self.text)
        return found[1] if found else ""

    def line_of(self, key: str) -> Line | None:
        """Return the line that lists `key`."""
        return next((line for line in self.lines if line.key(key)), None)


def rows(tree: Tree) -> tuple[Row, ...]:
    """Return every row, in order."""
    return tuple(_rows(tree.texts.get(PATH, "")))


def _rows(text: str) -> Iterator[Row]:
    for found in _ROW.finditer(text):
        name = _FUNC.match(found[0])
        if name:
            body = found[0].rstrip("\n") + "\n"
            span = Span(found.start(), found.start() + len(body))
            yield Row(name[1], body, span, tuple(_lines(body, found.start())))


def _lines(body: str, start: int) -> Iterator[Line]:
    for block in _DISPATCH.finditer(body):
        for found in _LINE.finditer(block[0]):
            at = start + block.start() + found.start()
            keys = tuple(
                Word(key[0], Span(at + 4 + key.start(), at + 4 + key.end()))
                for key in re.finditer(r"\w+", found[1])
            )
            name = start + block.start() + found.start(2)
            end = block[0].find("\n", found.start()) + 1
            function = Word(found[2], Span(name, name + len(found[2])))
            yield Line(keys, function, Span(at, start + block.start() + end))
