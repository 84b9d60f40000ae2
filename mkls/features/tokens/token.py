"""A token, and the words by which clients know what it is."""

from enum import IntEnum, IntFlag
from typing import NamedTuple

from mkls.text.span import Span


class TokenKind(IntEnum):
    """What a token is, in the order of the legend (LSP's names, in lower case)."""

    COMMENT = 0
    STRING = 1
    NUMBER = 2
    KEYWORD = 3
    OPERATOR = 4
    NAMESPACE = 5
    TYPE = 6
    STRUCT = 7
    TYPE_PARAMETER = 8
    PARAMETER = 9
    VARIABLE = 10
    PROPERTY = 11
    ENUM_MEMBER = 12
    FUNCTION = 13
    MACRO = 14
    DECORATOR = 15


class Modifier(IntFlag):
    """What more is known of a token; the first four are LSP's own, the others ours."""

    NONE = 0
    DECLARATION = 1
    DEFINITION = 2
    READONLY = 4
    DEFAULT_LIBRARY = 8
    DEVICE = 16
    """In the device address space."""
    CONSTANT = 32
    THREADGROUP = 64
    THREAD = 128
    BINDING = 256
    """An attribute that says under which number the host binds a parameter."""
    KERNEL = 512
    """A kernel, or its name in a string."""
    STUB = 1024
    MPS = 2048
    """A dispatch key of Apple's GPU."""
    ALIAS = 4096
    """What a schema says of views and of writing: `(a!)`."""


SPACES = {
    "device": Modifier.DEVICE,
    "constant": Modifier.CONSTANT,
    "threadgroup": Modifier.THREADGROUP,
    "thread": Modifier.THREAD,
}
"""The address spaces, which have colours of their own."""


class Token(NamedTuple):
    """A piece of the text, never empty; tokens do not overlap."""

    start: int
    end: int
    kind: TokenKind
    modifiers: int = 0


def within_lines(text: str, within: Span | None) -> Span:
    """Return `within` up to the end of its last line, which cuts no word; else all of `text`."""
    if within is None:
        return Span(0, len(text))
    end = text.find("\n", within.end)
    return Span(within.start, len(text) if end < 0 else end)
