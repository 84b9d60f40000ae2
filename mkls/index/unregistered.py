"""Rows whose stub nobody registers for MPS, and functions that wait to be registered."""

from collections.abc import Iterator, Mapping
from difflib import SequenceMatcher
from typing import NamedTuple

from mkls.facts.model.host import HostFacts, StubDevice
from mkls.index.host_documents import HostFunction
from mkls.index.links import has_host_code, named_functions, stubs_of_row
from mkls.index.mentions import is_free, is_unmentioned, unused_iterator_functions
from mkls.index.operators import MPS, Row
from mkls.index.place import Place
from mkls.index.snapshot import Snapshot
from mkls.index.spelling import close_names
from mkls.index.stub_types import (
    fits_stub,
    meant_stubs,
    registrations_in,
    undefined_functions,
)
from mkls.index.stubs import Reach, Stub
from mkls.text.document import Uri

_ALIKE = 0.6


class RowWithoutStub(NamedTuple):
    """A row that lists MPS beside the CPU and calls only stubs that MPS does not register.

    `reach` leads to the stub that is most likely meant for MPS; `waiting` is a function that looks
    as if it were written for it.
    """

    row: Row
    reach: Reach
    waiting: HostFunction | None


def rows_without_stub(snapshot: Snapshot, uri: Uri) -> tuple[RowWithoutStub, ...]:
    """Return those rows of `uri`."""
    return snapshot.once(_rows_without_stub).get(uri, ())


def is_without_stub(snapshot: Snapshot, row: Row) -> bool:
    """Whether `row` lists MPS beside the CPU and calls only stubs that MPS does not register."""
    return any(it.row.name == row.name for it in rows_without_stub(snapshot, row.uri))


def _rows_without_stub(snapshot: Snapshot) -> Mapping[Uri, tuple[RowWithoutStub, ...]]:
    if not has_host_code(snapshot):
        return {}
    stubs = snapshot.host.stubs.by_name
    misspelt = {meant[0] for meant in meant_stubs(snapshot).values() if meant}
    found: dict[Uri, list[RowWithoutStub]] = {}
    for row in snapshot.operators.rows:
        reaches = stubs_of_row(snapshot, row) if row.key_span(MPS) else ()
        if not reaches or any(stubs[it.stub].registered for it in reaches):
            continue
        nearest = min(reaches, key=lambda it: (len(it.path), -_likeness(it)))
        # Of a misspelt registration, `undeclared-stub` tells.
        if nearest.stub not in misspelt:
            it = RowWithoutStub(row, nearest, _waiting_for(snapshot, nearest.stub))
            found.setdefault(row.uri, []).append(it)
    return {uri: tuple(rows) for uri, rows in found.items()}


def _likeness(reach: Reach) -> float:
    """How much a stub's name is like its caller's: other devices have stubs of their own there."""
    return _ratio(reach.stub, f"{reach.path[0].name.text}_stub")


def _ratio(one: str, other: str) -> float:
    return SequenceMatcher(None, one, other).ratio()


def _waiting_for(snapshot: Snapshot, stub: str) -> HostFunction | None:
    """Return the function that looks as if it were written for `stub`: by its type, by its name."""
    wanted, name = snapshot.host.stubs.by_name[stub], _bare(stub)
    alike = sorted(
        ((_ratio(_bare(it.name.text), name), it) for it in _alike(snapshot, name)),
        key=lambda pair: -pair[0],
    )
    return next(
        (
            it
            for ratio, it in alike
            if ratio >= _ALIKE and fits_stub(snapshot, wanted, it) and is_unmentioned(snapshot, it)
        ),
        None,
    )


def _alike(snapshot: Snapshot, name: str) -> Iterator[HostFunction]:
    """Yield the functions of Objective-C++ files that share a beginning or an end with `name`."""
    named = named_functions(snapshot)
    for function in snapshot.once(_free_functions):
        bare = _bare(function.name.text)
        near = bare.startswith(name[:3]) or bare.endswith(name[-3:])
        if near and function.name.text not in named:
            yield function


def _free_functions(snapshot: Snapshot) -> tuple[HostFunction, ...]:
    documents = (snapshot.host.document(uri) for uri in snapshot.facts(HostFacts))
    return tuple(
        it for document in documents if document for it in document.functions if is_free(it)
    )


def _bare(name: str) -> str:
    """Return what a function and its stub have in common in their names."""
    for word in ("_mps", "_kernel", "_stub", "_impl", "special_", "linalg_"):
        name = name.replace(word, "")
    return name


def _waiting(snapshot: Snapshot) -> tuple[HostFunction, ...]:
    return tuple(
        it
        for uri in snapshot.facts(HostFacts)
        for it in unused_iterator_functions(snapshot, uri)
        if not close_names(it.name.text, (name for name, _ in undefined_functions(snapshot, uri)))
    )


def registrations_for_others(snapshot: Snapshot, stub: str) -> Iterator[Place]:
    """Yield where Objective-C++ registers `stub` for another device than MPS."""
    for uri in snapshot.facts(HostFacts):
        document = snapshot.host.document(uri)
        for stated, it in document.registrations() if document else ():
            if it.stub.text == stub and it.device is StubDevice.OTHER:
                yield stated.place(it.span)


def meant_stub(snapshot: Snapshot, function: HostFunction) -> Stub | None:
    """Return the stub that `function` looks as if it were written for, if MPS lacks it."""
    name = _bare(function.name.text)
    lacking = [
        it
        for it in snapshot.host.stubs.by_name.values()
        if it.declared and not it.registered and fits_stub(snapshot, it, function)
    ]
    best = max(lacking, key=lambda it: _ratio(name, _bare(it.name)), default=None)
    return best if best is not None and _ratio(name, _bare(best.name)) >= _ALIKE else None


class Instead(NamedTuple):
    """A stub that is named after a function and registered with another one, at `place`."""

    stub: str
    place: Place
    is_of_its_type: bool


def registered_instead(snapshot: Snapshot, function: HostFunction) -> Instead | None:
    """Return what `function` looks as if it were written for, and its file gives to another."""
    name = _bare(function.name.text)
    best, found = _ALIKE, None
    for stub, registration in registrations_in(snapshot, function.uri):
        given = registration.registration.function
        other = given.text.rpartition("::")[2] if given else function.name.text
        likeness = _ratio(_bare(stub.name), name)
        if given and likeness > max(best, _ratio(_bare(stub.name), _bare(other))):
            fits = (fits_stub(snapshot, stub, it) for it in snapshot.host.functions(other))
            place = registration.stated.place(given.span)
            best, found = likeness, Instead(stub.name, place, any(fits))
    return found


def misspelt_functions(snapshot: Snapshot, uri: Uri) -> frozenset[str]:
    """Return the functions that a registration in `uri` probably means and misspells."""
    document = snapshot.host.document(uri)
    wanted = [name for name, _ in undefined_functions(snapshot, uri)] if document else []
    known = document.functions_by_name if document else {}
    return frozenset(close for name in wanted for close in close_names(name, known))


def claimed_functions(snapshot: Snapshot) -> frozenset[Place]:
    """Return where the functions are that rows without a stub wait for."""
    return frozenset(
        it.waiting.name_place
        for rows in snapshot.once(_rows_without_stub).values()
        for it in rows
        if it.waiting
    )


def unregistered_functions(snapshot: Snapshot, uri: Uri) -> list[HostFunction]:
    """Return the iterator functions of `uri` that nothing mentions and no other finding is about.

    Left out is what a row without a stub waits for, and what a misspelt registration means.
    """
    claimed = claimed_functions(snapshot)
    waiting = (it for it in snapshot.once(_waiting) if it.uri == uri)
    return [it for it in waiting if it.name_place not in claimed]
