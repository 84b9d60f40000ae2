"""Expand one macro invocation to text, remembering which argument made which characters."""

from bisect import bisect_right
from collections.abc import Mapping
from typing import NamedTuple

from mkls.syntax.metal.expansion import expanded
from mkls.syntax.metal.macro import Macro
from mkls.syntax.metal.token import Token, is_word, placeless_tokens_of


class Expansion(NamedTuple):
    """An expansion on one line; `origins` are argument indices, or -1, from `starts` on."""

    text: str
    starts: tuple[int, ...]
    origins: tuple[int, ...]

    def argument_at(self, offset: int) -> int:
        """Return the index of the argument that the character at `offset` came from, or -1."""
        index = bisect_right(self.starts, offset) - 1
        return self.origins[index] if index >= 0 else -1


def expand(macro: Macro, arguments: tuple[str, ...], macros: Mapping[str, Macro]) -> Expansion:
    """Expand `macro(arguments)` by `macros`, which hold `macro` as well.

    What `#` and `##` make counts as coming from the longest argument that it contains.
    """
    tokens = expanded(_invocation(macro.name, arguments), macros)
    written = {token.text for token in placeless_tokens_of(macro.body)}
    parts: list[str] = []
    starts: list[int] = []
    origins: list[int] = []
    at = 0
    for token in tokens:
        starts.append(at)
        origins.append(_origin(token, arguments, written))
        parts += (token.text, " ")
        at += len(token.text) + 1
    return Expansion("".join(parts), tuple(starts), tuple(origins))


def _invocation(name: str, arguments: tuple[str, ...]) -> list[Token]:
    """Return the tokens of `name(arguments)`; an argument's tokens start at its index."""
    tokens = [Token(name, False), Token("(", False)]
    for index, argument in enumerate(arguments):
        if index:
            tokens.append(Token(",", False))
        tokens += [Token(it.text, it.space, index) for it in placeless_tokens_of(argument)]
    return [*tokens, Token(")", False)]


def _origin(token: Token, arguments: tuple[str, ...], written: set[str]) -> int:
    if token.start >= 0 or token.text in written:
        return token.start
    if not (is_word(token.text) or token.text.startswith('"')):
        return -1
    made_of = [i for i, it in enumerate(arguments) if it and it in token.text]
    return max(made_of, key=lambda index: len(arguments[index]), default=-1)
