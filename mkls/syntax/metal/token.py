"""Preprocessing tokens (C++17 [lex.pptoken]), and their spelling."""

import re
from collections.abc import Iterable
from typing import Final

import msgspec

from mkls.syntax.metal.pattern import BLOCK_COMMENT, CONTINUATION, LINE_COMMENT, STRING

_BLANK = rf"(?:\s|{CONTINUATION}|{LINE_COMMENT}|{BLOCK_COMMENT})*"
_TOKEN: Final = re.compile(
    rf"({_BLANK})("
    r"[^\W\d]\w*"
    rf"|{STRING}"
    r"|'(?:[^'\\\n]|\\[\s\S])*'"
    r"|\.?\d(?:[eEpP][+-]|'?[\w.])*"
    r"|<<=|>>=|\.\.\.|->\*"
    r"|\#\#|::|->|\+\+|--|<<|>>|<=|>=|==|!=|&&|\|\||[-+*/%^&|]=|\.\*"
    r"|[^\s])"
)
_WORD: Final = re.compile(r"[^\W\d]\w*\Z")
_GLUE: Final = re.compile(r"[\w\"']")


class Token(msgspec.Struct, gc=False):
    """One preprocessing token; never changed once made, so that expansions can share it.

    `space`: white space or a comment stands before it. `start`: its offset in the text it was
    read from, -1 when a macro made it. `trail`: the macros whose replacement made it, outermost
    first (only in a traced expansion). `painted`: never again a macro's name.
    """

    text: str
    space: bool
    start: int = -1
    trail: tuple[str, ...] = ()
    painted: bool = False

    def spaced(self, space: bool) -> "Token":
        """Return this token with or without white space before it."""
        if self.space == space:
            return self
        return Token(self.text, space, self.start, self.trail, self.painted)

    def paint(self) -> "Token":
        """Return this token, never to be expanded."""
        return Token(self.text, self.space, self.start, self.trail, True)

    def traced(self, trail: tuple[str, ...]) -> "Token":
        """Return this token as made through the macros of `trail`."""
        return Token(self.text, self.space, -1, trail, self.painted)


def tokens_of(text: str, start: int = 0) -> list[Token]:
    """Return the tokens of `text`, which lies at offset `start` of its document."""
    return [
        Token(match[2], match.end(1) > match.start(1), start + match.start(2))
        for match in _TOKEN.finditer(text)
    ]


def placeless_tokens_of(text: str) -> list[Token]:
    """Return the tokens of `text`, for use where their places do not matter."""
    return [Token(text, space != "") for space, text in _TOKEN.findall(text)]


def is_word(text: str) -> bool:
    """Whether `text` is an identifier or a keyword."""
    return _WORD.match(text) is not None


def spelling(tokens: Iterable[Token]) -> str:
    """Return the text of `tokens`, one blank where white space stood or words would join."""
    parts: list[str] = []
    last = ""
    for token in tokens:
        joins = last and _GLUE.match(last[-1]) and _GLUE.match(token.text[0])
        if parts and (token.space or joins):
            parts.append(" ")
        parts.append(token.text)
        last = token.text
    return "".join(parts)
