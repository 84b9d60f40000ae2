"""Kernel lookups with the names they ask for, folded across helpers, callers and files."""

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from mkls.facts.model.host import FunctionKind, Lookup
from mkls.facts.model.name_expression import NameExpression
from mkls.index.host_documents import HostFunction
from mkls.index.lookup_folding import Folder, Source, Variant
from mkls.index.name_patterns import HostNames, NameSet, Satisfaction, patterns_of
from mkls.index.place import Place

LIBRARY_CLASS = "MetalShaderLibrary"


class Request(NamedTuple):
    """One way in which a lookup comes by its name.

    `place` is the smallest text that decides it: the literal, in the caller if a helper was handed
    it, else the lookup. `via` are the calls that the name is handed through, the innermost first.
    """

    names: NameSet
    place: Place
    via: tuple[Place, ...]


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
        return [it for it in self.requests if it.names.satisfied_by(names) is Satisfaction.NO]


class LookupMemo:
    """What earlier folds gave, with what they had asked."""

    def __init__(self) -> None:
        """Remember nothing yet."""
        self.folds: dict[
            tuple[HostFunction, int], tuple[LinkedLookup, dict[tuple[object, ...], object]]
        ] = {}


def linked_lookups(
    functions: Iterable[HostFunction],
    source: Source,
    dtypes: frozenset[str],
    memo: LookupMemo,
) -> tuple[LinkedLookup, ...]:
    """Return every lookup of `functions`, folded; what `memo` holds is folded again only if it must.

    The library's own methods are left out: they are the formulas of the others.
    """
    linked: list[LinkedLookup] = []
    folds: dict[tuple[int, int], tuple[LinkedLookup, dict[tuple[object, ...], object]]] = {}
    for function in functions:
        if function.function is None or is_library_method(function):
            continue
        for index, lookup in enumerate(function.function.lookups):
            key = (id(function), index)
            fold = memo.folds.get(key)
            if fold is None or not _holds(fold, function, source, dtypes):
                fold = _folded(function, lookup, source, dtypes)
            folds[key] = fold
            linked.append(fold[0])
    memo.folds = folds
    return tuple(linked)


def is_library_method(function: HostFunction) -> bool:
    """Whether `function` is a method of the Metal library class, whose lookups are formulas."""
    return function.function is not None and (
        function.function.kind is FunctionKind.METHOD
        and function.function.qualifier.rpartition("::")[2] == LIBRARY_CLASS
    )


def _holds(
    fold: tuple[LinkedLookup, dict[tuple[object, ...], object]],
    function: HostFunction,
    source: Source,
    dtypes: frozenset[str],
) -> bool:
    linked, asked = fold
    if linked.function is not function:
        return False
    if linked.requests and linked.requests[0].names.dtypes != dtypes:
        return False
    return all(
        getattr(source, str(question[0]))(*question[1:]) == answer
        for question, answer in asked.items()
    )


def _folded(
    function: HostFunction, lookup: Lookup, source: Source, dtypes: frozenset[str]
) -> tuple[LinkedLookup, dict[tuple[object, ...], object]]:
    folder = Folder(source)
    requests = tuple(_request(variant, dtypes) for variant in folder.variants(function, lookup))
    return LinkedLookup(function, lookup, _distinct(requests)), folder.asked


def _request(variant: Variant, dtypes: frozenset[str]) -> Request:
    return Request(NameSet(patterns_of(variant.expression), dtypes), variant.origin, variant.via)


def _distinct(requests: tuple[Request, ...]) -> tuple[Request, ...]:
    return tuple(dict.fromkeys(requests))


def dtypes_of(
    results: tuple[tuple[HostFunction, NameExpression], ...], otherwise: frozenset[str]
) -> frozenset[str]:
    """Return the texts that `scalarToMetalTypeString` may return, or `otherwise` without source."""
    patterns = [pattern for _, result in results for pattern in patterns_of(result)]
    texts = {pattern[0] for pattern in patterns if len(pattern) == 1}
    spelled = frozenset(text for text in texts if isinstance(text, str)) - {"Undefined", ""}
    return spelled or otherwise


def by_call(lookups: Iterable[LinkedLookup]) -> Mapping[Place, LinkedLookup]:
    """Return `lookups` by the place of their calls."""
    return {linked.place: linked for linked in lookups}
