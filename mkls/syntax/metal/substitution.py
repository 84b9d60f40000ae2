"""A macro's replacement for given arguments: parameters, `#`, `##` and `__VA_OPT__`.

C++20 [cpp.subst], [cpp.stringize], [cpp.concat], and GNU's `, ## __VA_ARGS__`.
"""

import re
from collections.abc import Callable, Sequence

from mkls.syntax.metal.macro import Kind, Macro, Piece
from mkls.syntax.metal.token import Token, tokens_of

Expand = Callable[[list[Token]], list[Token]]
"""Fully expands an argument on its own."""


class Arguments:
    """The arguments of one invocation, expanded at most once each."""

    def __init__(self, macro: Macro, given: list[list[Token]], expand: Expand) -> None:
        """Hold `given`, one list of tokens for each argument."""
        count = len(macro.parameters or ())
        self.absent = macro.variadic and (len(given) < count or (count == 1 and not given[0]))
        self.variadic = count - 1 if macro.variadic else -1
        self.raw = given + [[] for _ in range(count - len(given))]
        self._expand = expand
        self._expanded: list[list[Token] | None] = [None] * len(self.raw)

    def expanded(self, index: int) -> list[Token]:
        """Return argument `index` after macro expansion."""
        known = self._expanded[index]
        if known is None:
            known = self._expanded[index] = self._expand(self.raw[index])
        return known


def substituted(macro: Macro, arguments: Arguments) -> list[Token]:
    """Return what replaces an invocation of `macro`, before it is scanned again."""
    if macro.plain is not None:
        return list(macro.plain)
    return _Replacement(arguments).of(macro.pieces)


class _Replacement:
    """Collects the tokens of a replacement.

    `operand` is where the last piece's tokens start: `##` joins pieces, not tokens, so that an
    empty argument joins nothing.
    """

    def __init__(self, arguments: Arguments) -> None:
        self.arguments = arguments
        self.tokens: list[Token] = []
        self.operand = 0
        self.owed = False

    def of(self, pieces: Sequence[Piece]) -> list[Token]:
        for piece in pieces:
            made = self._made(piece)
            if piece.pastes:
                self._join(piece, made)
            else:
                self._append(piece.token.space, made)
        return self.tokens

    def _made(self, piece: Piece) -> Sequence[Token]:
        if piece.kind is Kind.TOKENS:
            return piece.run
        if piece.kind is Kind.ARGUMENT:
            return self.arguments.expanded(piece.index)
        if piece.kind is Kind.RAW:
            return self.arguments.raw[piece.index]
        if piece.kind is Kind.STRING:
            return [Token(stringized(self.arguments.raw[piece.index]), piece.token.space)]
        if not self.arguments.expanded(self.arguments.variadic):
            return []
        return _Replacement(self.arguments).of(piece.inner)

    def _append(self, space: bool, made: Sequence[Token]) -> None:
        self.operand = len(self.tokens)
        if not made:
            self.owed |= space
            return
        self.tokens.append(made[0].spaced(space or self.owed))
        self.tokens += made[1:]
        self.owed = False

    def _join(self, piece: Piece, made: Sequence[Token]) -> None:
        if self.operand == len(self.tokens):
            self._append(piece.token.space, made)
        elif self._after_comma(piece):
            if self.arguments.absent:
                self.tokens.pop()
            self.tokens += made
        elif made:
            self.tokens[-1:] = pasted(self.tokens[-1], made[0])
            self.tokens += made[1:]

    def _after_comma(self, piece: Piece) -> bool:
        variadic = piece.kind is Kind.RAW and piece.index == self.arguments.variadic
        return variadic and self.tokens[-1].text == ","


def pasted(left: Token, right: Token) -> list[Token]:
    """Return the token that `left ## right` makes, or both when they make none."""
    text = left.text + right.text
    made = tokens_of(text)
    if len(made) == 1 and text[:2] not in ("//", "/*"):
        return [Token(text, left.space, -1, left.trail)]
    return [left, right.spaced(False)]


_LITERAL = re.compile(r"[\"']")


def stringized(tokens: Sequence[Token]) -> str:
    """Return the string literal that `#` makes of `tokens`."""
    parts: list[str] = []
    for index, token in enumerate(tokens):
        if index and token.space:
            parts.append(" ")
        text = token.text
        if _LITERAL.search(text):
            text = text.replace("\\", "\\\\").replace('"', '\\"')
        parts.append(text)
    return '"' + "".join(parts) + '"'
