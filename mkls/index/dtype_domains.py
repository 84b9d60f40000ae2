"""The dtypes with which host code asks for a kernel, as far as its guards tell."""

import re
from collections.abc import Iterator, Mapping
from typing import Final, NamedTuple

from mkls.facts.model.host import DtypeGuard
from mkls.facts.model.name_expression import Dtype, NameExpression, children_of
from mkls.index.accused_registrations import explains
from mkls.index.dtype_families import (
    Dtypes,
    Family,
    Member,
    MissingDtype,
    families,
    in_precision,
    missing_dtype,
    missing_dtypes,
)
from mkls.index.dtype_mistakes import is_asked_for
from mkls.index.dtype_words import SPELLINGS, slots_of
from mkls.index.host_documents import HostFunction
from mkls.index.lookups import LinkedLookup, Request
from mkls.index.name_patterns import Hole
from mkls.index.place import Place
from mkls.index.snapshot import Snapshot
from mkls.text.document import Uri

_WORD: Final = re.compile(r"[A-Za-z_]\w*")
_WIDE: Final = frozenset({"ushort", "uint", "ulong"})
_ALIKE: Final = {
    "float": ("half", "bfloat"),
    "half": ("bfloat", "float"),
    "bfloat": ("half", "float"),
    "float2": ("half2",),
    "half2": ("float2",),
}


class _Guarded(NamedTuple):
    """A request with what each guard lets pass to it; `sure` is what certainly comes through."""

    linked: LinkedLookup
    request: Request
    sure: frozenset[str] | None
    guards: tuple[frozenset[str], ...]


def lacking_dtypes(snapshot: Snapshot) -> Mapping[Uri, tuple[MissingDtype, ...]]:
    """Return the registrations that are missing, by the source where they should be."""
    return snapshot.once(_lacking_dtypes)


def _lacking_dtypes(snapshot: Snapshot) -> Mapping[Uri, tuple[MissingDtype, ...]]:
    if not snapshot.knows_all_kernels:
        return {}
    guarded = tuple(_guarded_requests(snapshot))
    found: dict[tuple[Uri, str, str], MissingDtype] = {}
    wanted = (it for each in guarded for it in _wanted(snapshot, each))
    beside = (it for it in missing_dtypes(snapshot) if not _is_refused(it, guarded, snapshot))
    for it in (*wanted, *beside):
        if explains(snapshot, it) or not is_asked_for(snapshot, it.host_name):
            continue
        found.setdefault((it.family.source, it.text, it.text or it.host_name), it)
    by_source: dict[Uri, list[MissingDtype]] = {}
    for it in found.values():
        by_source.setdefault(it.family.source, []).append(it)
    return {uri: tuple(each) for uri, each in by_source.items()}


def _guarded_requests(snapshot: Snapshot) -> Iterator[_Guarded]:
    for linked in snapshot.host.lookups:
        for request in linked.requests:
            spans = [(linked.function, linked.place), *_callers(snapshot, request)]
            guards = [it for function, place in spans for it in _guards_at(function, place)]
            if guards:
                subjects = _subjects(linked, len(spans) > 1)
                sure = [it for it in guards if it.subject in subjects and not _is_complement(it)]
                yield _Guarded(linked, request, _common(sure), tuple(map(_spelt, guards)))


def _callers(snapshot: Snapshot, request: Request) -> Iterator[tuple[HostFunction, Place]]:
    for place in request.via:
        document = snapshot.host.document(place.uri)
        for function in document.functions if document else ():
            if function.function and function.place.span.covers(place.span):
                yield function, place


def _guards_at(function: HostFunction, place: Place) -> Iterator[DtypeGuard]:
    """Yield the guards of `function` that hold at `place`; a macro's have no place of their own."""
    for guard in function.function.guards if function.function else ():
        if function.stated.place(guard.span).span.covers(place.span) and not function.macro:
            yield guard


def _subjects(linked: LinkedLookup, handed: bool) -> frozenset[str]:
    """Return the variables whose dtype the name holds; helpers are handed iterators."""
    if linked.lookup.function.text.startswith("exec_") or handed:
        return frozenset({"iter", "common_dtype"})
    found = (_WORD.search(it.text) for it in _dtypes_in(linked.lookup.name))
    return frozenset(word[0] for word in found if word)


def _dtypes_in(expression: NameExpression) -> Iterator[Dtype]:
    if isinstance(expression, Dtype):
        yield expression
    for child in children_of(expression):
        yield from _dtypes_in(child)


def _is_complement(guard: DtypeGuard) -> bool:
    """Whether the guard only says what it refuses: it lets too much pass to mean all of it."""
    return "Float" in guard.dtypes and "UInt16" in guard.dtypes


def _common(guards: list[DtypeGuard]) -> frozenset[str] | None:
    if not guards:
        return None
    first, *others = map(_spelt, guards)
    return first.intersection(*others)


def _spelt(guard: DtypeGuard) -> frozenset[str]:
    return frozenset(SPELLINGS[it] for it in guard.dtypes if it in SPELLINGS)


def _wanted(snapshot: Snapshot, guarded: _Guarded) -> Iterator[MissingDtype]:
    """Yield what guards let pass although no kernel is there for it."""
    if guarded.sure is None or not _has_one_dtype(guarded):
        return
    by_dtype: dict[str, list[str]] = {}
    for name in guarded.request.names.kernels(snapshot.host_names):
        _, slots = slots_of(name, snapshot.host.dtypes)
        if slots:
            # `exec_*` name the output's dtype before the input's.
            by_dtype.setdefault(slots[min(1, len(slots) - 1)], []).append(name)
    wanted = guarded.sure & snapshot.host.dtypes
    for dtype in sorted(wanted - by_dtype.keys() - _WIDE):
        missing = _like(snapshot, dtype, by_dtype)
        if missing is not None:
            yield missing


def _has_one_dtype(guarded: _Guarded) -> bool:
    if guarded.linked.lookup.function.text.startswith("exec_"):
        return True
    return all(pattern.count(Hole.DTYPE) == 1 for pattern in guarded.request.names.patterns)


def _like(snapshot: Snapshot, dtype: str, by_dtype: Mapping[str, list[str]]) -> MissingDtype | None:
    """Return the missing registration for `dtype`, made after that for the dtype most like it."""
    siblings = [it for it in _ALIKE.get(dtype, ()) if it in by_dtype]
    if not siblings and dtype not in _ALIKE:
        siblings = sorted(it for it in by_dtype if it not in _ALIKE)
    for sibling in siblings:
        for name in by_dtype[sibling]:
            found = _member_of(snapshot, name)
            if found is not None:
                family, like, _ = found
                dtypes = in_precision(like, sibling, dtype)
                return missing_dtype(snapshot, family, dtypes, like, certain=True)
    return None


def _member_of(snapshot: Snapshot, host_name: str) -> tuple[Family, Dtypes, Member] | None:
    for kernel in snapshot.kernels.by_host_name.get(host_name, ()):
        for family in families(snapshot).get(kernel.unit, ()):
            for dtypes, member in family.members.items():
                if kernel in member.kernels:
                    return family, dtypes, member
    return None


def _is_refused(missing: MissingDtype, guarded: tuple[_Guarded, ...], snapshot: Snapshot) -> bool:
    """Whether the host never asks for what is missing.

    A guard keeps its dtype out that lets the dtypes pass for which the kernel is registered.
    """
    words = snapshot.host.dtypes
    sibling = missing.sibling.kernels[0].host_name
    there, lacking = (slots_of(it, words)[1] for it in (sibling, missing.host_name))
    if not lacking or len(there) != len(lacking):
        return False
    column = min(1, len(lacking) - 1)
    refusing = (
        it
        for it in guarded
        if it.request.names.is_known
        and any(there[column] in each and lacking[column] not in each for each in it.guards)
    )
    return any(sibling in it.request.names.kernels(snapshot.host_names) for it in refusing)
