"""Tokens of `native_functions.yaml`: keys, schemas, dispatch keys, function names."""

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Final

from mkls.features.tokens.token import Modifier, Token, TokenKind
from mkls.syntax.native_functions.entries import entry_texts
from mkls.text.span import Span

_LINE: Final = re.compile(r"[^\r\n]+")
_KEY: Final = re.compile(r"(?:- |  )([A-Za-z_]\w*)(?=\s*:)")
_DISPATCH: Final = re.compile(r"    ([A-Za-z_][\w, ]*?)\s*:(?:\s+([\w:]+))?")
_OPERATOR: Final = re.compile(r"\s*:\s*[\"']?((?:\w+::)?[A-Za-z_]\w*)(\.\w+)?")
_PIECE: Final = re.compile(
    r"(?P<star>\*)(?=\s*,)|(?P<arrow>->)"
    r"|(?P<type>\b[A-Za-z]\w*)(?P<alias>\([a-z]\w*!?[^()]*\))?(?P<suffix>(?:\[\d*\]|\?)*)"
    r"(?:[ \t]+(?P<name>[A-Za-z_]\w*)(?:=(?P<default>[^,()\[\]]*(?:\[[^\]]*\])?))?)?"
)
_VALUE: Final = re.compile(r"(?P<word>[A-Za-z_]\w*(?:(?:\.|::)\w+)*)|(?P<number>\d+)")
_MPS: Final = frozenset(("MPS", "SparseMPS", "SparseCsrMPS", "QuantizedMPS", "NestedTensorMPS"))
_CONSTANTS: Final = frozenset(("True", "False", "None"))
_OPERATOR_KEYS: Final = frozenset(("structured_delegate", "autogen"))


def row_tokens(text: str, within: Span | None = None) -> Iterator[Token]:
    """Yield the tokens of `text`, or of the entries that `within` touches, in order."""
    head, starts, entries = entry_texts(text)
    for start, entry in zip((0, *starts), (head, *entries), strict=True):
        if within is None or (start < within.end and within.start < start + len(entry)):
            for begin, end, kind, modifiers in entry_tokens(entry):
                yield Token(start + begin, start + end, kind, modifiers)


@lru_cache(maxsize=8192)
def entry_tokens(entry: str) -> tuple[Token, ...]:
    """Return the tokens of the text of one entry, however much of it is written."""
    found: list[Token] = []
    key = ""
    for line in _LINE.finditer(entry):
        content, comment = _split(line[0])
        start = line.start()
        if named := _KEY.match(content):
            key = named[1]
            found.append(Token(start + named.start(1), start + named.end(1), TokenKind.PROPERTY))
            found += _value(key, content, named.end(), start)
        elif key == "dispatch" and (dispatched := _DISPATCH.match(content)):
            found += _dispatched(dispatched, start)
        else:
            found += _words(key, content, 0, start)
        if comment:
            end = start + len(line[0])
            found.append(Token(end - len(comment), end, TokenKind.COMMENT))
    return tuple(found)


def _split(line: str) -> tuple[str, str]:
    """Return what stands before a line's comment, and the comment."""
    at = 0 if line.startswith("#") else line.find(" #") + 1
    if at == 0 and not line.startswith("#"):
        return line, ""
    return line[:at], line[at:]


def _value(key: str, content: str, at: int, start: int) -> Iterator[Token]:
    if key == "func":
        yield from _schema(content, at, start)
    else:
        yield from _words(key, content, at, start)


def _schema(content: str, at: int, start: int) -> Iterator[Token]:
    named = _OPERATOR.match(content, at)
    if named is None:
        return
    declaration = Modifier.DECLARATION
    yield Token(start + named.start(1), start + named.end(1), TokenKind.FUNCTION, declaration)
    if named[2]:
        yield Token(start + named.start(2) + 1, start + named.end(2), TokenKind.VARIABLE)
    for piece in _PIECE.finditer(content, named.end()):
        yield from _piece(piece, start)


def _piece(piece: re.Match[str], start: int) -> Iterator[Token]:
    groups = (
        ("star", TokenKind.OPERATOR, 0),
        ("arrow", TokenKind.OPERATOR, 0),
        ("type", TokenKind.TYPE, 0),
        ("alias", TokenKind.TYPE_PARAMETER, Modifier.ALIAS),
        ("name", TokenKind.PARAMETER, 0),
    )
    for group, kind, modifiers in groups:
        if piece[group]:
            yield Token(start + piece.start(group), start + piece.end(group), kind, modifiers)
    if piece["default"]:
        begin, end = piece.span("default")
        yield Token(start + begin, start + end, _default(piece["default"]))


def _default(text: str) -> TokenKind:
    if text in _CONSTANTS:
        return TokenKind.KEYWORD
    if text[:1] in "\"'":
        return TokenKind.STRING
    return TokenKind.ENUM_MEMBER if text[:1].isalpha() else TokenKind.NUMBER


def _dispatched(match: re.Match[str], start: int) -> Iterator[Token]:
    for key in re.compile(r"\w+").finditer(match[1]):
        at = start + match.start(1)
        modifiers = Modifier.MPS if key[0] in _MPS else 0
        yield Token(at + key.start(), at + key.end(), TokenKind.ENUM_MEMBER, modifiers)
    if match[2]:
        yield Token(start + match.start(2), start + match.end(2), TokenKind.FUNCTION)


def _words(key: str, content: str, at: int, start: int) -> Iterator[Token]:
    for match in _VALUE.finditer(content, at):
        if match["number"]:
            kind = TokenKind.NUMBER
        elif match[0] in _CONSTANTS:
            kind = TokenKind.KEYWORD
        elif key in _OPERATOR_KEYS:
            kind = TokenKind.FUNCTION
        else:
            kind = TokenKind.TYPE if key == "structured_inherits" else TokenKind.ENUM_MEMBER
        yield Token(start + match.start(), start + match.end(), kind)
