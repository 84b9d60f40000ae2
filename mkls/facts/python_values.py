"""What an expression of Python stands for, where that can be told exactly."""

import ast
from collections.abc import Mapping
from typing import NamedTuple

from mkls.facts.model.name import Name
from mkls.syntax.python.chunks import Chunk
from mkls.text.source_text import SourceText


class Nothing(NamedTuple):
    """`None`."""


class Number(NamedTuple):
    """An `int`, a `bool` or a `float`."""

    value: float


class FilePath(NamedTuple):
    """A path: relative to the file's own folder where `beside`, else the end of one.

    `is_own` stands for the Python file itself.
    """

    path: str
    beside: bool
    is_own: bool = False


class FileText(NamedTuple):
    """What a file holds."""

    path: FilePath


class Library(NamedTuple):
    """What a call of `compile_shader` returns: an index into the libraries met."""

    number: int


class KernelOf(NamedTuple):
    """A kernel of a library."""

    library: int
    name: Name


class Instance(NamedTuple):
    """`self`, or a class, with the statement that it is defined in."""

    owner: ast.ClassDef
    chunk: Chunk


class Table(NamedTuple):
    """A dict with constant keys."""

    items: Mapping[object, "Value"]


Value = (
    SourceText
    | Nothing
    | Number
    | FilePath
    | FileText
    | Library
    | KernelOf
    | Instance
    | Table
    | None
)
"""None stands for what cannot be told."""
