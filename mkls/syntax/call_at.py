"""The call around a place in C-like text, however much of it is typed."""

import re
from typing import Final, NamedTuple

from mkls.syntax.lexemes import SKIPPED

_MARK: Final = re.compile(rf"{SKIPPED}|([(\[{{])|([)\]}}])|(,)|(;)")
_OPENING, _CLOSING, _COMMA, _END = 5, 6, 7, 8
_CALLEE: Final = re.compile(r"([A-Za-z_]\w*)\s*(?:<([^<>();]*)>)?\s*\Z")
_REACH: Final = 200
_BEFORE_CALLS: Final = frozenset(
    ("return", "else", "case", "new", "throw", "and", "or", "not", "do")
)


class CallAt(NamedTuple):
    """A call that is open at a place: `arguments` are complete, the next one is being typed.

    `template` is what stands between angle brackets after the name.
    """

    name: str
    template: str
    start: int
    arguments: int


class _Open:
    def __init__(self, opening: str, start: int) -> None:
        self.opening = opening
        self.start = start
        self.commas = 0


def call_at(text: str, offset: int) -> CallAt | None:
    """Return the innermost call whose parentheses hold `offset`."""
    stack: list[_Open] = []
    for match in _MARK.finditer(text, 0, offset):
        kind = match.lastindex
        if kind == _OPENING:
            stack.append(_Open(match[0], match.start()))
        elif kind == _CLOSING and stack:
            stack.pop()
        elif kind == _COMMA and stack:
            stack[-1].commas += 1
        elif kind == _END:
            # A statement ends: what is still open before it was never closed.
            while stack and stack[-1].opening != "{":
                stack.pop()
    return _innermost(text, stack)


def _innermost(text: str, stack: list[_Open]) -> CallAt | None:
    for it in reversed(stack):
        if it.opening == "{":
            return None
        before = text[max(0, it.start - _REACH) : it.start]
        callee = _CALLEE.search(before)
        if it.opening == "(" and callee:
            if _declares(before[: callee.start()]):
                return None
            return CallAt(callee[1], callee[2] or "", it.start, it.commas)
    return None


def _declares(before: str) -> bool:
    """Whether a name after `before` is being declared: a type stands before it."""
    word = re.search(r"([A-Za-z_]\w*)[ \t\n]+\Z", before)
    return word is not None and word[1] not in _BEFORE_CALLS
