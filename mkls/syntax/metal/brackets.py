"""Brackets that nothing closes or opens."""

import re
from collections.abc import Iterator
from typing import Final

from mkls.syntax.problem import Problem
from mkls.text.span import Span

_MARK: Final = re.compile(r"[(){}\[\]]")
_OPENING: Final = {")": "(", "}": "{", "]": "["}


def bracket_problems(clean: str) -> Iterator[Problem]:
    """Yield the unbalanced brackets of `clean`, the structure of a text; mostly one counts."""
    if all(clean.count(close) == clean.count(opening) for close, opening in _OPENING.items()):
        return
    stack: list[tuple[str, int]] = []
    for match in _MARK.finditer(clean):
        opening = _OPENING.get(match[0])
        if opening is None:
            stack.append((match[0], match.start()))
            continue
        depth = len(stack)
        while depth and stack[depth - 1][0] != opening:
            depth -= 1
        if depth == 0 or (match[0] != "}" and depth < len(stack)):
            yield _problem(match.start(), f"unexpected `{match[0]}`")
            continue
        for mark, start in stack[depth:]:
            yield _problem(start, f"unclosed `{mark}`")
        del stack[depth - 1 :]
    for mark, start in stack:
        yield _problem(start, f"unclosed `{mark}`")


def _problem(start: int, message: str) -> Problem:
    return Problem(Span(start, start + 1), message)
