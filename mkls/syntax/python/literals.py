"""The characters that a Python string denotes, and where each of them is written."""

import ast
import re
from collections.abc import Iterator
from typing import NamedTuple

from mkls.syntax.python.parsing import expression_of
from mkls.text.source_text import Run, SourceText, joined
from mkls.text.span import Span

_OPENING = re.compile(r"([rRbBuUfF]{0,2})(\"\"\"|'''|\"|')")
_BETWEEN = re.compile(r"(?:\s|\\\r?\n|#[^\n]*\n)*")
_CONTENTS = {
    '"""': re.compile(r'[^"\\]*(?:(?:\\.|"(?!""))[^"\\]*)*(?=""")', re.DOTALL),
    "'''": re.compile(r"[^'\\]*(?:(?:\\.|'(?!''))[^'\\]*)*(?=''')", re.DOTALL),
    '"': re.compile(r'(?:[^"\\\n]|\\.)*(?=")', re.DOTALL),
    "'": re.compile(r"(?:[^'\\\n]|\\.)*(?=')", re.DOTALL),
}
_ESCAPE = re.compile(
    r"\r\n|\\(?:\r?\n|x[0-9A-Fa-f]{2}|[0-7]{1,3}|u[0-9A-Fa-f]{4}|U[0-9A-Fa-f]{8}|.)", re.DOTALL
)
_LINE_END = re.compile(r"\r\n")
_ESCAPES = {
    "n": "\n", "t": "\t", "r": "\r", '"': '"', "'": "'", "\\": "\\", "a": "\a", "b": "\b",
    "f": "\f", "v": "\v", "\n": "", "\r\n": "",
}  # fmt: skip
_BRACE = re.compile(r"\{\{|\}\}|\{|\}")


class Hole(NamedTuple):
    """`{expression}` in an f-string."""

    expression: ast.expr
    span: Span


Part = SourceText | Hole


def literal_parts(text: str, span: Span) -> tuple[Part, ...] | None:
    """Return what the string literals at `span` denote together, None when that is not certain.

    Without an f-string there is one part.
    """
    parts: list[Part] = []
    at = span.start
    while at < span.end:
        token = _OPENING.match(text, at, span.end)
        contents = _CONTENTS[token[2]].match(text, token.end(), span.end) if token else None
        if token is None or contents is None:
            return None
        found = _token_parts(text, token[1].lower(), Span(*contents.span()))
        if found is None:
            return None
        parts += found
        between = _BETWEEN.match(text, contents.end() + len(token[2]), span.end)
        at = between.end() if between else span.end
    return tuple(_without_seams(parts))


def _without_seams(parts: list[Part]) -> Iterator[Part]:
    """Yield `parts`, those between two holes as one."""
    texts: list[SourceText] = []
    for part in parts:
        if isinstance(part, SourceText):
            texts.append(part)
            continue
        if texts:
            yield joined(texts)
            texts = []
        yield part
    if texts:
        yield joined(texts)


def _token_parts(text: str, prefix: str, span: Span) -> list[Part] | None:
    if "b" in prefix:
        return None
    if "f" in prefix:
        return _format_parts(text, span, raw="r" in prefix)
    plain = _plain(text, span, raw="r" in prefix)
    return None if plain is None else [plain]


def _plain(text: str, span: Span, *, raw: bool) -> SourceText | None:
    """Return what is written at `span`, escapes resolved."""
    parts: list[SourceText] = []
    at = span.start
    for match in (_LINE_END if raw else _ESCAPE).finditer(text, *_ends(span)):
        if match.start() > at:
            parts.append(verbatim(text, Span(at, match.start())))
        value = "\n" if match[0] == "\r\n" else _unescaped(match[0][1:])
        if value is None:
            return None
        if value:
            parts.append(written_as(value, Span(*match.span())))
        at = match.end()
    parts.append(verbatim(text, Span(at, span.end)))
    return joined(parts)


def _ends(span: Span) -> tuple[int, int]:
    return span.start, span.end


def _unescaped(mark: str) -> str | None:
    if mark in _ESCAPES:
        return _ESCAPES[mark]
    if mark[0] in "xuU" and len(mark) > 1:
        return chr(min(int(mark[1:], 16), 0x10FFFF))
    if mark[0] in "01234567":
        return chr(int(mark, 8))
    return None if mark == "N" else "\\" + mark


def _format_parts(text: str, span: Span, *, raw: bool) -> list[Part] | None:
    parts: list[Part] = []
    at = span.start
    while match := _BRACE.search(text, at, span.end):
        if match[0] == "}":
            return None
        literal = _plain(text, Span(at, match.start()), raw=raw)
        if literal is None:
            return None
        parts.append(literal)
        if match[0] in ("{{", "}}"):
            parts.append(written_as(match[0][0], Span(*match.span())))
            at = match.end()
            continue
        hole = _hole(text, match.end(), span.end)
        if hole is None:
            return None
        parts.append(hole)
        at = hole.span.end
    literal = _plain(text, Span(at, span.end), raw=raw)
    return None if literal is None else [*parts, literal]


def _hole(text: str, start: int, end: int) -> Hole | None:
    """Return the hole whose expression starts at `start`; one that formats is not read."""
    closing = text.find("}", start, end)
    written = text[start:closing]
    if closing < 0 or "{" in written:
        return None
    expression = expression_of(written.strip())
    return Hole(expression, Span(start - 1, closing + 1)) if expression else None


def verbatim(text: str, span: Span) -> SourceText:
    """Return what `text` has at `span`."""
    length = span.end - span.start
    return SourceText(span.of(text), (Run(0, length, span),) if length else ())


def written_as(value: str, span: Span) -> SourceText:
    """Return `value`, all of which stands for what is written at `span`."""
    return SourceText(value, (Run(0, len(value), span),) if value else ())
