"""Read `#define` and `#include` lines."""

import re
from typing import NamedTuple

_DEFINE = re.compile(r"#\s*define\s+(\w+)(?:\(([^)]*)\))?")
_INCLUDE = re.compile(r"#\s*(?:include|import)\s*[<\"]([^>\"\n]+)")
_CONTINUATION = re.compile(r"\\\r?\n")


class Define(NamedTuple):
    """`#define`: where the name stands, the parameters or None, and the body on one line."""

    name: tuple[int, int]
    parameters: tuple[str, ...] | None
    body: str


def define_of(text: str, start: int, end: int) -> Define | None:
    """Return the macro that the directive at `[start, end)` defines, or None."""
    match = _DEFINE.match(text, start, end)
    if not match:
        return None
    parameters = None
    if match[2] is not None:
        names = _CONTINUATION.sub(" ", match[2]).split(",")
        parameters = tuple(stripped for name in names if (stripped := name.strip()))
    body = _CONTINUATION.sub("\n", text[match.end() : end])
    return Define(match.span(1), parameters, body)


def include_of(text: str, start: int, end: int) -> tuple[int, int] | None:
    """Return where the path of the `#include` at `[start, end)` stands, or None."""
    match = _INCLUDE.match(text, start, end)
    return match.span(1) if match else None
