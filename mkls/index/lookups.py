"""Kernel lookups with the names they ask for, folded across helpers, callers and files."""

from collections.abc import Iterable
from typing import NamedTuple

from mkls.facts.model.host import FunctionKind, Lookup
from mkls.facts.model.name_expression import NameExpression
from mkls.index.host_documents import HostFunction
from mkls.index.lookup_folding import Variant, variants
from mkls.index.lookup_source import Asked, LookupSource
from mkls.index.name_patterns import HostNames, NameSet, Satisfaction, patterns_of
from mkls.index.place import Place

LIBRARY_CLASS = "MetalShaderLibrary"


class Request(NamedTuple):
    """One way in which a lookup comes by its name.

    `place` is the smallest text that decides it: the literal, in the caller if a helper was handed
    it, else the lookup. `via` are the calls that the name is handed through, the innermost first.
    `instead` is what other lookups of the same function ask for when handed the same text: which
    of them runs, the text decides.
    """

    names: NameSet
    place: Place
    via: tuple[Place, ...]
    instead: tuple[NameSet, ...] = ()
    options: tuple[tuple[NameSet, Place], ...] = ()
    """Where several choices make the name: what may be asked for with each text, and where it is.
    """

    def satisfied_by(self, names: HostNames) -> Satisfaction:
        """Whether a kernel has one of the names, or one that is asked for instead."""
        answers = {it.satisfied_by(names) for it in (self.names, *self.instead)}
        for answer in (Satisfaction.YES, Satisfaction.UNKNOWN):
            if answer in answers:
                return answer
        return Satisfaction.NO


class LinkedLookup(NamedTuple):
    """A kernel lookup, the function that makes it, and the names it asks for."""

    function: HostFunction
    lookup: Lookup
    requests: tuple[Request, ...]

    @property
    def place(self) -> Place:
        """The whole call."""
        return self.function.stated.place(self.lookup.span)

    @property
    def is_known(self) -> bool:
        """Whether every name it may ask for is known."""
        return all(request.names.is_known for request in self.requests)

    @property
    def is_partly_known(self) -> bool:
        """Whether some name it may ask for is known, but not every one."""
        return not self.is_known and any(request.names.is_known for request in self.requests)

    def unsatisfied(self, names: HostNames) -> list[Request]:
        """Return the requests that certainly no kernel satisfies."""
        return [it for it in self.requests if it.satisfied_by(names) is Satisfaction.NO]


_Fold = tuple[LinkedLookup, Asked]
"""A lookup, and what was asked to fold it, with the answers."""


class LookupMemo:
    """What earlier folds gave, with what they had asked."""

    def __init__(self) -> None:
        """Remember nothing yet."""
        self.folds: dict[tuple[int, int], _Fold] = {}


def linked_lookups(
    functions: Iterable[HostFunction],
    source: LookupSource,
    dtypes: frozenset[str],
    memo: LookupMemo,
) -> tuple[LinkedLookup, ...]:
    """Return every lookup of `functions`, folded; what `memo` holds, only if it holds no more.

    The library's own methods are left out: they are the formulas of the others.
    """
    linked: list[LinkedLookup] = []
    folds: dict[tuple[int, int], _Fold] = {}
    for function in functions:
        if function.function is None or is_library_method(function):
            continue
        of_function: list[LinkedLookup] = []
        for index, lookup in enumerate(function.function.lookups):
            key = (id(function), index)
            fold = memo.folds.get(key)
            if fold is None or not _holds(fold, function, source, dtypes):
                fold = _folded(function, lookup, source, dtypes)
            folds[key] = fold
            of_function.append(fold[0])
        linked += _with_alternatives(of_function)
    memo.folds = folds
    return tuple(linked)


def _with_alternatives(lookups: list[LinkedLookup]) -> list[LinkedLookup]:
    """Tell every request what other lookups of the same function ask for, handed the same text."""
    if len(lookups) < 2:
        return lookups
    asked: dict[tuple[Place, tuple[Place, ...]], list[NameSet]] = {}
    for request in (request for linked in lookups for request in linked.requests):
        if request.via:
            asked.setdefault((request.place, request.via), []).append(request.names)
    return [
        linked._replace(
            requests=tuple(
                it._replace(instead=tuple(asked[it.place, it.via])) if it.via else it
                for it in linked.requests
            )
        )
        for linked in lookups
    ]


def is_library_method(function: HostFunction) -> bool:
    """Whether `function` is a method of the Metal library class, whose lookups are formulas."""
    return function.function is not None and (
        function.function.kind is FunctionKind.METHOD
        and function.function.qualifier.rpartition("::")[2] == LIBRARY_CLASS
    )


def _holds(
    fold: _Fold,
    function: HostFunction,
    source: LookupSource,
    dtypes: frozenset[str],
) -> bool:
    linked, asked = fold
    if linked.function is not function:
        return False
    if linked.requests and linked.requests[0].names.dtypes != dtypes:
        return False
    return asked.holds_for(source)


def _folded(
    function: HostFunction, lookup: Lookup, source: LookupSource, dtypes: frozenset[str]
) -> _Fold:
    asked = Asked(source)
    requests = (_request(variant, dtypes) for variant in variants(asked, function, lookup))
    return LinkedLookup(function, lookup, tuple(dict.fromkeys(requests))), asked


def _request(variant: Variant, dtypes: frozenset[str]) -> Request:
    options = tuple((NameSet(patterns_of(it), dtypes), place) for it, place in variant.options)
    names = NameSet(patterns_of(variant.expression), dtypes)
    return Request(names, variant.origin, variant.via, options=options)


def dtypes_of(
    results: tuple[tuple[HostFunction, NameExpression], ...], otherwise: frozenset[str]
) -> frozenset[str]:
    """Return the texts that `scalarToMetalTypeString` may return, or `otherwise` without source."""
    patterns = [pattern for _, result in results for pattern in patterns_of(result)]
    texts = {pattern[0] for pattern in patterns if len(pattern) == 1}
    spelled = frozenset(text for text in texts if isinstance(text, str)) - {"Undefined", ""}
    return spelled or otherwise
