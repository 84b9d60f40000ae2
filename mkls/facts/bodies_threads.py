"""Threads that share memory, and how they wait for one another."""

import re
from collections.abc import Iterator
from typing import Final

from mkls.facts.model.metal_bodies import BodyPlace
from mkls.syntax.metal.function import Function
from mkls.text.span import Span

_BARRIER: Final = re.compile(r"\bthreadgroup_barrier(?=\s*\()")
_EARLY: Final = re.compile(r"\bif\s*\(([^;{}]*)\)\s*(?:\{\s*)?return\b")
_OF_THREAD: Final = re.compile(r"\bthread_(?:position_in|index_in)_\w+")
_WORD: Final = re.compile(r"(?<![\w.])[^\W\d]\w*")
_SHARED: Final = re.compile(r"\bthreadgroup\s+[\w:<>]+\s+([^\W\d]\w*)\s*\[")
_WAIT: Final = re.compile(r"\b(?:threadgroup|simdgroup)_barrier\s*\(")


def late_barriers_in(clean: str, function: Function) -> Iterator[BodyPlace]:
    """Yield the first barrier after a `return` whose condition differs between threads."""
    own = {it.name for it in function.parameters if _OF_THREAD.search(it.attribute)}
    for early in _EARLY.finditer(clean, function.body.start, function.body.end) if own else ():
        late = _BARRIER.search(clean, early.end(), function.body.end)
        if late and not own.isdisjoint(_WORD.findall(early[1])):
            yield BodyPlace(Span(*late.span()), within=function.name)
            return


def unfenced_reads_in(clean: str, function: Function) -> Iterator[BodyPlace]:
    """Yield the first read of each shared array at another place than was written, unfenced."""
    for shared in _SHARED.finditer(clean, function.body.start, function.body.end):
        place = _unfenced(clean, shared[1], shared.end(), function)
        if place is not None:
            yield place


def _unfenced(clean: str, name: str, start: int, function: Function) -> BodyPlace | None:
    written: str | None = None
    use = re.compile(rf"\b{name}\s*\[([^\[\]]*)\]\s*(=(?!=))?|{_WAIT.pattern}")
    for found in use.finditer(clean, start, function.body.end):
        if found[1] is None:
            written = None
        elif found[2]:
            written = found[1].strip()
        elif written is not None and found[1].strip() != written:
            span = Span(found.start(), found.start() + len(name))
            return BodyPlace(span, name, within=function.name)
    return None
