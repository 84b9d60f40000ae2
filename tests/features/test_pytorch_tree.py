"""Navigation over the whole of PyTorch 2.6.0."""

import random
from collections import Counter
from collections.abc import Iterator

import pytest

from mkls.features.definition import definitions
from mkls.features.diagnostics import workspace_findings
from mkls.features.references import references
from mkls.features.rename import Renaming, rename, renameable
from mkls.features.rename_plan import Plan, Refusal
from mkls.index.inline_shaders import real_place
from mkls.index.operators import MPS
from mkls.index.place import Place
from mkls.index.snapshot import Snapshot
from mkls.session.config import Config
from mkls.session.loading import load_steps
from mkls.session.state import Session
from mkls.text.document import Uri, uri_of
from tests.support.features import renamed, texts

RENAMES = 100


@pytest.fixture(scope="module")
def snapshot(pytorch_tree) -> Snapshot:
    session = Session(uri_of(str(pytorch_tree)))
    unreadable: list[str] = []
    for _ in load_steps(
        session,
        pytorch_tree,
        Config(),
        lambda _done, _total: None,
        lambda path, _error: unreadable.append(path),
    ):
        pass
    assert unreadable == []
    return session.snapshot()


def test_from_each_row_to_its_function(snapshot):
    rows = [row for row in snapshot.operators.rows if row.line(MPS)]
    assert len(rows) == 417

    for row in rows:
        function = row.function(MPS)
        assert function
        found = definitions(snapshot, row.uri, row.place(function.span).start + 1)
        places = {Place(it.uri, it.span) for it in found}
        named = snapshot.host.functions(function.symbol)
        assert places, row.name
        assert places <= {it.name_place for it in named}


def test_from_each_lookup_that_is_known_to_its_kernels(snapshot):
    reached = 0
    for linked in snapshot.host.lookups:
        for request in linked.requests:
            names = request.names.kernels(snapshot.host_names)
            if not request.names.is_known or not names:
                continue
            found = definitions(snapshot, request.place.uri, request.place.span.start + 1)
            assert _registrations(snapshot, names) <= {Place(it.uri, it.span) for it in found}
            reached += 1
    assert reached > 50


def _registrations(snapshot: Snapshot, names: tuple[str, ...]) -> set[Place]:
    return {
        real_place(kernel.uri, kernel.name_span or kernel.span)
        for index in (snapshot.kernels, snapshot.inline_kernels)
        for name in names
        for kernel in index.by_host_name.get(name, ())
    }


def test_renaming_there_and_back_restores_everything(snapshot):
    places = sorted(set(_names(snapshot)))
    random.Random(26).shuffle(places)
    before = _counted(snapshot)
    done: Counter[str] = Counter()
    refused: list[str] = []
    for kind, uri, offset in places:
        if done.total() == RENAMES:
            break
        renaming = rename(snapshot, uri, offset, "renamed_for_a_test")
        if isinstance(renaming, Refusal):
            refused.append(renaming.reason)
            continue
        _check_round_trip(snapshot, before, uri, offset, renaming)
        done[kind] += 1
    assert done.total() == RENAMES
    assert len(refused) < RENAMES / 3, refused
    assert {"overload", "dispatch", "function", "kernel"} <= set(done)


def _check_round_trip(
    snapshot: Snapshot, before: Counter[tuple[Uri, str]], uri: Uri, offset: int, there: Renaming
) -> None:
    plan = renameable(snapshot, uri, offset)
    assert isinstance(plan, Plan)
    after = renamed(snapshot, there)
    assert _counted(after) == before
    earlier = sum(it.uri == uri and it.edit.span < plan.span for it in there.changes)
    start = plan.span.start + earlier * (len("renamed_for_a_test") - len(plan.old))
    assert len(references(after, uri, start)) == len(references(snapshot, uri, plan.span.start))
    back = rename(after, uri, start, plan.old)
    assert isinstance(back, Renaming), back
    assert texts(renamed(after, back)) == texts(snapshot)


def _counted(snapshot: Snapshot) -> Counter[tuple[Uri, str]]:
    return Counter((it.uri, it.rule.code) for it in snapshot.once(workspace_findings))


def _names(snapshot: Snapshot) -> Iterator[tuple[str, Uri, int]]:
    yield from _rows(snapshot)
    yield from _host(snapshot)
    yield from _kernels(snapshot)


def _rows(snapshot: Snapshot) -> Iterator[tuple[str, Uri, int]]:
    for row in snapshot.operators.rows:
        if "." in row.name:
            yield "overload", row.uri, row.name_span.end
        function = row.function(MPS)
        if function:
            yield "dispatch", row.uri, row.place(function.span).end


def _host(snapshot: Snapshot) -> Iterator[tuple[str, Uri, int]]:
    for document in snapshot.host.documents:
        for it in document.functions if document.objective else ():
            yield "function", it.name_place.uri, it.name_place.span.start
    for stub in snapshot.host.stubs.by_name.values():
        for it in stub.registered:
            yield "stub", it.stub_place.uri, it.stub_place.span.start
    for linked in snapshot.host.lookups:
        for request in linked.requests:
            yield "look-up", request.place.uri, request.place.span.start + 1


def _kernels(snapshot: Snapshot) -> Iterator[tuple[str, Uri, int]]:
    for index in (snapshot.kernels, snapshot.inline_kernels):
        for unit in index.units.values():
            for kernel in unit.kernels:
                place = real_place(kernel.uri, kernel.name_span or kernel.span)
                yield "kernel", place.uri, place.span.start
                if kernel.primary:
                    place = real_place(kernel.primary.uri, kernel.primary.span)
                    yield "template", place.uri, place.span.start
