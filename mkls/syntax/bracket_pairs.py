"""Which bracket closes which, in any C-like text, however broken it is."""

import re
from typing import Final, NamedTuple

from mkls.syntax.lexemes import SKIPPED
from mkls.text.span import Span

_BRACKET: Final = re.compile(rf"{SKIPPED}|([(\[{{])|([)\]}}])")
_OPENING: Final = 5
_PARTNER: Final = {")": "(", "]": "[", "}": "{"}


class Pair(NamedTuple):
    """A bracket and the one that closes it; `end` lies behind the latter."""

    start: int
    end: int
    opening: str

    @property
    def inner(self) -> Span:
        """What stands between them."""
        return Span(self.start + 1, self.end - 1)


def bracket_pairs(text: str) -> list[Pair]:
    """Return the pairs of `text` that are closed, inner ones before outer ones.

    A closing bracket without an opening one is skipped; what is open when an outer bracket closes
    has no partner.
    """
    found: list[Pair] = []
    stack: list[tuple[str, int]] = []
    for match in _BRACKET.finditer(text):
        if match.lastindex == _OPENING:
            stack.append((match[0], match.start()))
        elif match.lastindex == _OPENING + 1:
            _close(match, stack, found)
    return found


def _close(match: re.Match[str], stack: list[tuple[str, int]], found: list[Pair]) -> None:
    wanted = _PARTNER[match[0]]
    for depth in range(len(stack) - 1, -1, -1):
        opening, start = stack[depth]
        if opening == wanted:
            found.append(Pair(start, match.end(), opening))
            del stack[depth:]
            return
        if opening == "{":
            return  # a block does not end within a bracket of another kind
