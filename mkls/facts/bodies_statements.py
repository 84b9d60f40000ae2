"""Statements after which a function should have stopped, and switches with a way out missing."""

import re
from collections.abc import Iterator
from typing import Final

from mkls.facts.model.metal_bodies import BodyPlace
from mkls.syntax.metal.function import Function, closing
from mkls.text.span import Span

_REPORT: Final = re.compile(r"\bTORCH_REPORT_ERROR\s*(\()")
_LEAVES: Final = re.compile(r"\s*(?:return|continue|break)\b")
_ENDS: Final = re.compile(r"\s*(?:return\b[^;(\[]*;|continue\b|break\b)")
_MARKS: Final = re.compile(
    r"\s*(?:thread\s+)?[^\W\d]\w*\s*(?:[-+*/%|&^]|<<|>>)?=(?!=)|\s*\*\s*\w+\s*=(?!=)"
)
_ELSE: Final = re.compile(r"\s*else\b")
_CLOSE: Final = re.compile(r"\s*\}")
_SWITCH: Final = re.compile(r"\bswitch\s*(\()")
_DTYPE_CASE: Final = re.compile(r"\bcase\s+[\w:]*\bScalarType\s*::")
_DEFAULT: Final = re.compile(r"\bdefault\s*:")
_VOID: Final = re.compile(r"\bvoid\s+\w+\s*\Z")
_BLANK: Final = re.compile(r"[ \t]*")


def reports_in(clean: str, function: Function) -> Iterator[BodyPlace]:
    """Yield the reports of errors after which `function` goes on as if nothing had happened."""
    for found in _REPORT.finditer(clean, function.body.start, function.body.end):
        end = closing(clean, found.start(1), function.body.end)
        semicolon = clean.find(";", end, function.body.end) if end >= 0 else -1
        if semicolon >= 0 and _goes_on(clean, semicolon + 1, function.body.end):
            yield _report(clean, function, found.start(), semicolon + 1)


def _report(clean: str, function: Function, start: int, after: int) -> BodyPlace:
    line = clean.rfind("\n", 0, start) + 1
    indent = clean[line:start]
    own_line = not indent.strip() and clean[:line].rstrip().endswith(("{", ";"))
    edit = Span(after, after) if own_line and _VOID.search(function.signature) else None
    span = Span(start, start + len("TORCH_REPORT_ERROR"))
    return BodyPlace(span, within=function.name, edit=edit, new_text=f"\n{indent}return;")


def _goes_on(clean: str, at: int, end: int) -> bool:
    """Whether what follows `at` does more than to leave, or to note what happened."""
    if _LEAVES.match(clean, at, end) or _MARKS.match(clean, at, end):
        return False
    while (close := _CLOSE.match(clean, at, end)) is not None:
        at = close.end()
        at = _after_else(clean, at, end)
    return bool(clean[at:end].strip()) and _ENDS.match(clean, at, end) is None


def _after_else(clean: str, at: int, end: int) -> int:
    """Return where the `else` branches that stand at `at` end."""
    while (found := _ELSE.match(clean, at, end)) is not None:
        brace = clean.find("{", found.end(), end)
        close = closing(clean, brace, end) if brace >= 0 else -1
        if close < 0:
            return end
        at = close + 1
    return at


def partial_switches_in(clean: str, function: Function) -> Iterator[BodyPlace]:
    """Yield the switches over dtypes that have no `default`."""
    for found in _SWITCH.finditer(clean, function.body.start, function.body.end):
        head = closing(clean, found.start(1), function.body.end)
        brace = clean.find("{", head, function.body.end) if head >= 0 else -1
        end = closing(clean, brace, function.body.end) if brace >= 0 else -1
        if (
            end >= 0
            and _DTYPE_CASE.search(clean, brace, end)
            and not _DEFAULT.search(clean, brace, end)
        ):
            yield BodyPlace(
                Span(found.start(), found.start() + len("switch")), within=function.name
            )
