"""Rows whose stub nobody registers for MPS, and functions that wait to be registered."""

from collections.abc import Mapping
from difflib import SequenceMatcher
from typing import NamedTuple

from mkls.facts.model.host import HostFacts
from mkls.index.host_documents import HostFunction
from mkls.index.links import has_host_code, stubs_of_row
from mkls.index.mentions import unused_iterator_functions
from mkls.index.operators import MPS, Row
from mkls.index.snapshot import Snapshot
from mkls.index.spelling import close_names
from mkls.index.stub_types import meant_stubs, undefined_functions
from mkls.index.stubs import Reach
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
    waiting = snapshot.once(_waiting)
    best = max(waiting, key=lambda it: _ratio(_bare(it.name.text), _bare(stub)), default=None)
    alike = best is not None and _ratio(_bare(best.name.text), _bare(stub)) >= _ALIKE
    return best if alike else None


def _bare(name: str) -> str:
    return name.replace("_mps", "").replace("_kernel", "").replace("_stub", "")


def _waiting(snapshot: Snapshot) -> tuple[HostFunction, ...]:
    return tuple(
        it
        for uri in snapshot.facts(HostFacts)
        for it in unused_iterator_functions(snapshot, uri)
        if not close_names(it.name.text, (name for name, _ in undefined_functions(snapshot, uri)))
    )


def unregistered_functions(snapshot: Snapshot, uri: Uri) -> list[HostFunction]:
    """Return the iterator functions of `uri` that nothing mentions and no other finding is about.

    Left out is what a row without a stub waits for, and what a misspelt registration means.
    """
    claimed = {
        it.waiting.name_place
        for rows in snapshot.once(_rows_without_stub).values()
        for it in rows
        if it.waiting
    }
    waiting = (it for it in snapshot.once(_waiting) if it.uri == uri)
    return [it for it in waiting if it.name_place not in claimed]
