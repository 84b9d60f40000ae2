"""What a kernel is made of: the texts whose edit makes the result of a run an old one."""

import re
from collections.abc import Iterable, Iterator

from mkls.facts.model.metal import MetalFacts
from mkls.facts.model.name import Name
from mkls.index.kernels_link import Kernel
from mkls.index.kernels_unit import Unit
from mkls.index.place import Place
from mkls.index.snapshot import Snapshot
from mkls.text.span import Span

_WORD = re.compile(r"[^\W\d]\w*")


def kernel_parts(
    snapshot: Snapshot, unit: Unit, kernels: Iterable[Kernel], places: Iterable[Place] = ()
) -> frozenset[Place]:
    """Return what `kernels` of `unit` are written in: registration, template, and what they use.

    That is every struct, function, constant and macro of the unit's files whose name stands in
    one of the others. `places` are further ones to start from.
    """
    return _Parts(snapshot, unit).around(kernels, places)


class _Parts:
    def __init__(self, snapshot: Snapshot, unit: Unit) -> None:
        self._snapshot = snapshot
        self._visited = unit.visited
        self._named: dict[str, list[Place]] = {}
        for uri, facts in unit.visited.items():
            for name, whole in _definitions(facts):
                self._named.setdefault(name.text, []).append(Place(uri, whole))

    def around(self, kernels: Iterable[Kernel], places: Iterable[Place]) -> frozenset[Place]:
        waiting = [self._whole(it) for it in places]
        for kernel in kernels:
            starts = (Place(kernel.uri, kernel.span), kernel.primary)
            waiting += [self._whole(it) for it in starts if it]
            # A functor's name may be pasted together by a macro.
            waiting += self._meant(" ".join(kernel.template_arguments))
        found: set[Place] = set()
        while waiting:
            place = waiting.pop()
            if place not in found:
                found.add(place)
                waiting += self._meant(self._text(place))
        return frozenset(found)

    def _meant(self, text: str) -> list[Place]:
        return [it for word in set(_WORD.findall(text)) for it in self._named.get(word, ())]

    def _text(self, place: Place) -> str:
        source = self._snapshot.sources.get(place.uri)
        return source.document.text[place.span.start : place.span.end] if source else ""

    def _whole(self, place: Place) -> Place:
        """Return the innermost declaration around `place`, or `place` where there is none."""
        around = [it for it in _wholes(self._visited.get(place.uri)) if it.covers(place.span)]
        span = min(around, key=lambda it: it.end - it.start, default=place.span)
        return Place(place.uri, span)


def _definitions(facts: MetalFacts) -> Iterator[tuple[Name, Span]]:
    for it in (*facts.declarations, *facts.macros):
        yield it.name, it.span
    for kernel in facts.kernels:
        if not kernel.explicit:
            yield kernel.name, kernel.span


def _wholes(facts: MetalFacts | None) -> Iterator[Span]:
    if facts is None:
        return
    groups = (facts.declarations, facts.macros, facts.kernels, facts.invocations)
    for group in groups:
        yield from (it.span for it in group)
