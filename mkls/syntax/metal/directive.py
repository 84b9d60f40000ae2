"""Preprocessing directives of one text."""

import re
from typing import Final, NamedTuple

from mkls.syntax.metal.pattern import BLOCK_COMMENT, CONTINUATION, LINE_COMMENT, STRING
from mkls.syntax.metal.token import is_word
from mkls.text.span import Span

_HEAD: Final = re.compile(r"\s*#[ \t]*(\w*)")
_NOISE: Final = re.compile(f"{CONTINUATION}|{LINE_COMMENT}|{BLOCK_COMMENT}|{STRING}")
_DEFINE: Final = re.compile(rf"(?:\s|{CONTINUATION}|{BLOCK_COMMENT})*([^\W\d]\w*)(\(([^()]*)\))?")
_HEADER: Final = re.compile(r"\s*(<[^>\n]*>|\"[^\"\n]*\")")

OPENING: Final = ("if", "ifdef", "ifndef")
ALTERNATIVE: Final = ("elif", "elifdef", "elifndef", "else")


class Directive(NamedTuple):
    """A directive; `argument` is what follows its name, comments and continuations removed."""

    kind: str
    argument: str
    span: Span
    argument_start: int


class Definition(NamedTuple):
    """What a `#define` says; `parameters` is None for an object-like macro."""

    name: str
    name_start: int
    parameters: tuple[str, ...] | None
    body_start: int


def directive_at(text: str, start: int, end: int) -> Directive:
    """Return the directive that `text[start:end]` holds."""
    head = _HEAD.match(text, start, end)
    after = head.end() if head else end
    argument = _NOISE.sub(_quiet, text[after:end]).strip()
    return Directive(head[1] if head else "", argument, Span(start, end), after)


def _quiet(match: re.Match[str]) -> str:
    return match[0] if match[0][0] == '"' else " "


def definition_of(text: str, directive: Directive) -> Definition | None:
    """Return what a `define` directive of `text` defines, None when it is malformed."""
    match = _DEFINE.match(text, directive.argument_start, directive.span.end)
    if match is None:
        return None
    if match[2] is None:
        return Definition(match[1], match.start(1), None, match.end())
    plain = _NOISE.sub(" ", match[3]).strip()
    parameters = tuple(part.strip() for part in plain.split(",")) if plain else ()
    if not all(is_word(part.removesuffix("...").strip()) or part == "..." for part in parameters):
        return None
    return Definition(match[1], match.start(1), parameters, match.end())


def header_of(text: str, directive: Directive) -> tuple[str, bool, Span] | None:
    """Return the header that an `include` names, whether it is quoted, and where it stands."""
    match = _HEADER.match(text, directive.argument_start, directive.span.end)
    if match is None:
        return None
    return match[1][1:-1], match[1][0] == '"', Span(match.start(1) + 1, match.end(1) - 1)
