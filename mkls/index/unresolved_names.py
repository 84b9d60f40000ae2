"""Names by which host code asks in vain, and kernels whose names are nearly asked for."""

import re
from collections.abc import Iterable, Iterator, Mapping
from difflib import SequenceMatcher
from typing import Final, NamedTuple

from mkls.facts.model.name_expression import (
    Choice,
    Concat,
    Dtype,
    Literal,
    NameExpression,
    Parameter,
    Unknown,
    children_of,
)
from mkls.index.kernels_link import Kernel
from mkls.index.lookups import LinkedLookup, Request
from mkls.index.name_patterns import HostNames, Pattern, Satisfaction, fits, shown
from mkls.index.place import Place
from mkls.index.snapshot import Snapshot
from mkls.text.document import Uri
from mkls.text.span import Span

_INTEGER: Final = re.compile(
    r"(?:const )?(?:std::)?(?:u?int(?:\d+_t)?|unsigned|long|size_t|short)(?: const)?&?"
)
_TELLING: Final = re.compile(r"[A-Za-z]{3}")
_NEAR: Final = 0.9
_LONG: Final = 8
"""Shorter names are like each other by chance."""


class UnresolvedName(NamedTuple):
    """A name that no kernel has.

    `place` is the smallest text that decides it. `request` is None when a part of the name is
    unknown, and what is known fits no kernel whatever that part is. `others` are further texts
    that the name is made of, or that are handed to the lookup.
    """

    linked: LinkedLookup
    request: Request | None
    place: Place
    via: tuple[Place, ...]
    others: tuple[Place, ...]


class NearKernel(NamedTuple):
    """A kernel that nothing asks for, while a name much like its own is asked for in vain."""

    kernel: Kernel
    asked: str
    place: Place


def unresolved_names(snapshot: Snapshot, uri: Uri) -> tuple[UnresolvedName, ...]:
    """Return what the code of `uri` asks for and certainly no kernel satisfies, each place once.

    Nothing is certain while a Metal source includes what is not at hand.
    """
    return snapshot.once(_unresolved).get(uri, ())


def _unresolved(snapshot: Snapshot) -> Mapping[Uri, tuple[UnresolvedName, ...]]:
    if not snapshot.host_names.sorted or not snapshot.knows_all_kernels:
        return {}
    found: dict[Uri, dict[Place, UnresolvedName]] = {}
    for linked in snapshot.host.lookups:
        for it in () if _asks_elsewhere(snapshot, linked) else _unresolved_in(snapshot, linked):
            found.setdefault(it.place.uri, {}).setdefault(it.place, it)
    return {uri: tuple(each.values()) for uri, each in found.items()}


def _asks_elsewhere(snapshot: Snapshot, linked: LinkedLookup) -> bool:
    """Whether the lookup's library may be made of what is not at hand.

    Metal's own API builds libraries from any string, file or address.
    """
    if linked.lookup.function.text != "newFunctionWithName":
        return False
    function = linked.function.function
    is_handed = function and any(it.name == linked.lookup.library for it in function.parameters)
    if is_handed or not snapshot.once(_builds_libraries):
        return bool(is_handed)
    return not _is_built_here(snapshot, linked)


def _is_built_here(snapshot: Snapshot, linked: LinkedLookup) -> bool:
    """Whether the lookup's function itself builds its library, of strings that are at hand."""
    document = snapshot.host.document(linked.function.uri)
    if document is None:
        return False
    whole = linked.function.place.span
    built = [
        it
        for stated, it in document.libraries()
        if it.name.text == linked.lookup.library and whole.covers(stated.place(it.name.span).span)
    ]
    shaders = [it.name.text for _, it in document.shaders() if it.name]
    return bool(built) and all(it.shader or shaders.count(it.source) == 1 for it in built)


def _builds_libraries(snapshot: Snapshot) -> bool:
    documents = (snapshot.sources[it.uri].document for it in snapshot.host.documents)
    return any("newLibraryWith" in it.text for it in documents)


def _unresolved_in(snapshot: Snapshot, linked: LinkedLookup) -> Iterator[UnresolvedName]:
    requests, names = linked.requests, snapshot.host_names
    own = _literal_places(linked)
    vain = [it for it in requests if it.names.satisfied_by(names) is Satisfaction.NO]
    if len(vain) == len(requests) > 1 and own and all(it.via for it in requests):
        # Every caller cannot be wrong: what they share is.
        places = tuple(dict.fromkeys(it.place for it in requests))
        yield UnresolvedName(linked, requests[0], own[0], (), (*own[1:], *places))
        return
    made = own or _made_at(linked)
    for request in (*linked.unsatisfied(names), *_vain_options(linked.requests, names)):
        others = tuple(it for it in made if it != request.place)
        yield UnresolvedName(linked, request, request.place, request.via, others)
    if own and not linked.is_known and not _may_exist(snapshot, linked):
        yield UnresolvedName(linked, None, own[0], (), tuple(own[1:]))


def _vain_options(requests: Iterable[Request], names: HostNames) -> Iterator[Request]:
    """Yield what is asked for with one text of several choices, where no kernel has that."""
    for request in requests:
        if not request.options or request.satisfied_by(names) is Satisfaction.NO:
            continue
        for option, place in request.options:
            if option.satisfied_by(names) is Satisfaction.NO:
                yield Request(option, place, request.via)


def _literal_places(linked: LinkedLookup) -> list[Place]:
    """Return where the texts of the lookup's own name expression stand, the longest first."""
    if linked.function.macro:
        return []
    literals = [it for it in _literals(linked.lookup.name) if it.span.start < it.span.end]
    literals.sort(key=lambda it: -len(it.text))
    return [linked.function.stated.place(it.span) for it in literals]


def _made_at(linked: LinkedLookup) -> list[Place]:
    """Return where a name without texts of its own, such as `format("{}{}", …)`, is made."""
    spans = [it.span for it in _leaves(linked.lookup.name) if it.span.start < it.span.end]
    if linked.function.macro or not spans:
        return []
    start, end = min(it.start for it in spans), max(it.end for it in spans)
    return [linked.function.stated.place(Span(start, end))]


def _leaves(expression: NameExpression) -> Iterator[Literal | Dtype | Parameter | Unknown]:
    if isinstance(expression, Literal | Dtype | Parameter | Unknown):
        yield expression
    for child in children_of(expression):
        yield from _leaves(child)


def _literals(expression: NameExpression) -> Iterator[Literal]:
    if isinstance(expression, Literal):
        yield expression
    for child in children_of(expression):
        yield from _literals(child)


def _may_exist(snapshot: Snapshot, linked: LinkedLookup) -> bool:
    """Whether some kernel fits what is known of a name, whatever the rest of it is."""
    expression = linked.lookup.name
    text = "".join(it.text for it in _literals(expression))
    if linked.lookup.function.text.startswith("exec_") or not _TELLING.search(text):
        return True
    function = linked.function.function
    numbers = frozenset(
        it.name for it in (function.parameters if function else ()) if _INTEGER.fullmatch(it.type)
    )
    fits = re.compile(_regex(expression, snapshot.host.dtypes, numbers)).fullmatch
    return any(map(fits, snapshot.host_names.sorted))


def _regex(expression: NameExpression, dtypes: frozenset[str], numbers: frozenset[str]) -> str:
    if isinstance(expression, Literal):
        return re.escape(expression.text)
    if isinstance(expression, Dtype):
        return f"(?:{'|'.join(sorted(dtypes, key=len, reverse=True))})"
    if isinstance(expression, Parameter | Unknown):
        name = expression.name if isinstance(expression, Parameter) else expression.text
        return r"\d+" if name in numbers else ".*"
    if isinstance(expression, Concat):
        return "".join(_regex(it, dtypes, numbers) for it in expression.parts)
    if isinstance(expression, Choice):
        return f"(?:{'|'.join(_regex(it, dtypes, numbers) for it in expression.options)})"
    return ".*"


def near_kernels(snapshot: Snapshot, uri: Uri) -> tuple[NearKernel, ...]:
    """Return the kernels, written by hand in `uri`, whose names are nearly asked for."""
    return snapshot.once(_near_kernels).get(uri, ())


def _near_kernels(snapshot: Snapshot) -> Mapping[Uri, tuple[NearKernel, ...]]:
    if not snapshot.knows_all_kernels:
        return {}
    patterns: dict[Pattern, Request] = {}
    for linked in snapshot.host.lookups:
        for request in linked.requests:
            patterns |= dict.fromkeys(request.names.patterns, request)
    idle = [
        kernels[0]
        for name, kernels in snapshot.kernels.by_host_name.items()
        if not kernels[0].macro and not _is_asked_for(snapshot, name, patterns)
    ]
    vain = list(_asked_in_vain(snapshot, patterns)) if idle else []
    found: dict[Uri, list[NearKernel]] = {}
    for kernel in idle:
        likeness = {it: _likeness(_text(it[0]), kernel.host_name) for it in vain}
        nearest = max(vain, key=likeness.__getitem__, default=None)
        if nearest is not None and likeness[nearest] >= _NEAR:
            it = NearKernel(kernel, shown(nearest[0]), nearest[1].place)
            found.setdefault(kernel.uri, []).append(it)
    return {uri: tuple(each) for uri, each in found.items()}


def _asked_in_vain(
    snapshot: Snapshot, patterns: Mapping[Pattern, Request]
) -> Iterator[tuple[Pattern, Request]]:
    """Yield the names that no kernel has, of lookups that may get another one."""
    names, dtypes = snapshot.host_names, snapshot.host.dtypes
    for pattern, request in patterns.items():
        if len(_text(pattern)) < _LONG or any(True for _ in names.matching(pattern, dtypes)):
            continue
        if request.satisfied_by(names) is Satisfaction.NO:
            continue
        # What one text of several choices asks for in vain is reported where that text stands.
        if not any(pattern in it.names.patterns for it in _vain_options((request,), names)):
            yield pattern, request


def _text(pattern: Pattern) -> str:
    return "".join(part for part in pattern if isinstance(part, str))


def _is_asked_for(snapshot: Snapshot, name: str, patterns: Mapping[Pattern, Request]) -> bool:
    for pattern in patterns:
        first = pattern[0] if pattern else ""
        if isinstance(first, str) and not name.startswith(first):
            continue
        if fits(pattern, name, snapshot.host.dtypes):
            return True
    return False


def _likeness(one: str, other: str) -> float:
    matcher = SequenceMatcher(None, one, other, autojunk=False)
    return matcher.ratio() if matcher.real_quick_ratio() >= _NEAR else 0.0
