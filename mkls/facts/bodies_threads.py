"""Threads that share memory, and how they wait for one another."""

import re
from collections.abc import Iterator
from typing import Final

from mkls.facts.model.metal_bodies import BodyPlace
from mkls.syntax.metal.function import Function
from mkls.text.span import Span

_BARRIER: Final = re.compile(r"\bthreadgroup_barrier(?=\s*\()")
_EARLY: Final = re.compile(r"\breturn\b")
_SHARED: Final = re.compile(r"\bthreadgroup\s+[\w:<>]+\s+([^\W\d]\w*)\s*\[")
_WAIT: Final = re.compile(r"\b(?:threadgroup|simdgroup)_barrier\s*\(")


def late_barriers_in(clean: str, function: Function) -> Iterator[BodyPlace]:
    """Yield the first barrier after a `return` that only some threads may take."""
    early = _EARLY.search(clean, function.body.start, function.body.end)
    late = _BARRIER.search(clean, early.end(), function.body.end) if early else None
    if late:
        yield BodyPlace(Span(*late.span()), within=function.name)


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
