"""Read the contents of string literals and of format strings."""

import re
from collections.abc import Iterator

from mkls.facts.model.name_expression import Literal as LiteralExpression
from mkls.syntax.host.blanking import Literal
from mkls.text.span import Span

_ESCAPE = re.compile(r"\\(?:x[0-9A-Fa-f]+|[0-7]{1,3}|\n|.)", re.DOTALL)
_ESCAPES = {"n": "\n", "t": "\t", "r": "\r", "0": "\0", '"': '"', "'": "'", "\\": "\\", "\n": ""}
_FMT = re.compile(r"\{\{|\}\}|\{(\d*)(:[^{}]*)?\}|\{[^{}]*\}")
_PRINTF = re.compile(r"%%|%(@|s)|%[-+ #0]*\d*(?:\.\d+)?(?:hh|h|ll|l|z|t)?[diuoxXcfeEgGp]")


def literal_value(text: str, literal: Literal) -> LiteralExpression:
    """Return what `literal` of `text` denotes, and where its contents stand."""
    start, end = literal.contents_start, literal.contents_end
    contents = text[start:end]
    if "\\" in contents and text[literal.start] != "R":
        contents = _ESCAPE.sub(_unescaped, contents)
    return LiteralExpression(contents, Span(start, end))


def _unescaped(match: re.Match[str]) -> str:
    mark = match[0][1:]
    if mark in _ESCAPES:
        return _ESCAPES[mark]
    if mark[0] == "x":
        return chr(min(int(mark[1:], 16), 0x10FFFF))
    return chr(int(mark, 8)) if mark[0] in "01234567" else mark


def format_parts(
    pattern: LiteralExpression, used: int, *, printf: bool
) -> Iterator[LiteralExpression | tuple[int, bool]]:
    """Yield the text and the holes of a format string.

    A hole is the index of its argument (`used` is the first one free) and whether the argument is
    put in as it is; an index below 0 cannot be told.
    """
    text, end = pattern.text, 0
    start = pattern.span.start
    exact = len(text) == pattern.span.end - start
    for match in (_PRINTF if printf else _FMT).finditer(text):
        literal = match[0] in ("{{", "}}", "%%")
        stop = match.start() + 1 if literal else match.start()
        if stop > end:
            span = Span(start + end, start + stop) if exact else pattern.span
            yield LiteralExpression(text[end:stop], span)
        end = match.end()
        if literal:
            continue
        if printf:
            yield used, match[1] is not None
            used += 1
        elif match[1] is None:
            yield -1, False
        else:
            yield (int(match[1]) if match[1] else used), match[2] is None
            used += not match[1]
    if end < len(text):
        span = Span(start + end, start + len(text)) if exact else pattern.span
        yield LiteralExpression(text[end:], span)
