"""Whom a host function calls, and who calls it."""

import re
from bisect import bisect_right
from collections.abc import Iterator

from mkls.features.calls import Call, Node, kernel_nodes, node_of_function, node_of_row
from mkls.features.dispatching import rows_dispatching_to
from mkls.features.implementation import registered_functions
from mkls.features.occurrences import in_host_code
from mkls.features.references_of_host import function_scope
from mkls.index.host_documents import HostFunction
from mkls.index.kernel_uses import kernels_named
from mkls.index.links import lookups_in
from mkls.index.place import Place
from mkls.index.snapshot import Snapshot
from mkls.syntax.identifiers import identifier_spans
from mkls.text.document import Uri
from mkls.text.span import Span

_CALLED = re.compile(r"\b([A-Za-z_]\w*)\s*\(")
Edges = dict[Node, list[Place]]


def callers(snapshot: Snapshot, name: str, uri: Uri) -> list[Call]:
    """Return the rows that name host function `name` of `uri`, and the functions that call it."""
    edges: Edges = {}
    functions = snapshot.host.functions(name)
    for row in rows_dispatching_to(snapshot, name):
        for line in row.entry.dispatch:
            if line.function and line.function.symbol == name:
                at = Place(row.uri, row.place(line.function.span))
                edges.setdefault(node_of_row(row), []).append(at)
    scope = [it for it in function_scope(snapshot, functions, uri) if _objective(snapshot, it)]
    for it in in_host_code(snapshot, name, scope):
        _add_caller(snapshot, it.place, name, edges)
    for node, place in _through_stubs(snapshot, name):
        edges.setdefault(node, []).append(place)
    return _calls(edges)


def _objective(snapshot: Snapshot, uri: Uri) -> bool:
    document = snapshot.host.document(uri)
    return document is not None and document.objective


def _add_caller(snapshot: Snapshot, place: Place, name: str, edges: Edges) -> None:
    caller = _enclosing(snapshot, place)
    if caller and caller.name_place.span != place.span and caller.name.text != name:
        edges.setdefault(node_of_function(caller), []).append(place)


def _enclosing(snapshot: Snapshot, place: Place) -> HostFunction | None:
    document = snapshot.host.document(place.uri)
    functions = document.functions if document else []
    written = [it for it in functions if it.function and not it.macro]
    written.sort(key=lambda it: it.place.span)
    at = bisect_right(written, place.span.start, key=lambda it: it.place.span.start) - 1
    found = written[at] if at >= 0 else None
    return found if found and place.span.start < found.place.span.end else None


def _through_stubs(snapshot: Snapshot, name: str) -> Iterator[tuple[Node, Place]]:
    """Yield the functions that call a stub for which host function `name` is registered."""
    stubs = {
        stub.name
        for stub in snapshot.host.stubs.by_name.values()
        for it in stub.registered
        if it.registration.function
        if it.registration.function.text.rpartition("::")[2] == name
    }
    if not stubs:
        return
    for document in snapshot.host.documents:
        for function in document.functions:
            for use in function.function.uses if function.function else ():
                if use.name.text in stubs:
                    yield node_of_function(function), function.stated.place(use.name.span)


def callees(snapshot: Snapshot, name: str, uri: Uri) -> list[Call]:
    """Return what host function `name` of `uri` calls: functions, stubs' functions, kernels."""
    edges: Edges = {}
    for function in snapshot.host.functions(name):
        if function.uri == uri:
            _add_kernels(snapshot, function, edges)
            _add_registered(snapshot, function, edges)
            _add_functions(snapshot, function, edges)
    return _calls(edges)


def _add_kernels(snapshot: Snapshot, function: HostFunction, edges: Edges) -> None:
    for linked in lookups_in(snapshot, function.uri):
        if linked.function == function:
            names = {
                it
                for request in linked.requests
                for it in request.names.kernels(snapshot.host_names)
            }
            for node in kernel_nodes(kernels_named(snapshot, sorted(names))):
                edges.setdefault(node, []).append(linked.place)


def _add_registered(snapshot: Snapshot, function: HostFunction, edges: Edges) -> None:
    for use in function.function.uses if function.function else ():
        stub = snapshot.host.stubs.by_name.get(use.name.text)
        for registration in stub.registered if stub else ():
            for it in registered_functions(snapshot, registration):
                place = function.stated.place(use.name.span)
                edges.setdefault(node_of_function(it), []).append(place)


def _add_functions(snapshot: Snapshot, function: HostFunction, edges: Edges) -> None:
    if function.function is None or function.macro:
        return
    text, whole = snapshot.sources[function.uri].document.text, function.place.span
    body = whole.of(text)
    for name in dict.fromkeys(_CALLED.findall(body)):
        callee = _callee(snapshot, function, name)
        if callee:
            spans = (it.shifted(whole.start) for it in identifier_spans(body, name))
            places = [Place(function.uri, it) for it in spans if _is_free_call(text, it)]
            if places:
                edges.setdefault(node_of_function(callee), []).extend(places)


def _callee(snapshot: Snapshot, caller: HostFunction, name: str) -> HostFunction | None:
    """Return the function that `name` means in `caller`, if a Metal document defines it."""
    if name == caller.name.text:
        return None
    found = [it for it in snapshot.host.functions(name) if _objective(snapshot, it.uri)]
    own = [it for it in found if it.uri == caller.uri]
    return next(iter(own or found), None)


def _is_free_call(text: str, span: Span) -> bool:
    before = text[max(0, span.start - 2) : span.start].rstrip()
    return not before.endswith((".", "->"))


def _calls(edges: Edges) -> list[Call]:
    return [Call(node, tuple(dict.fromkeys(places))) for node, places in edges.items()]
