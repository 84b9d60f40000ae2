"""Who calls whom from operator to kernel: operator ↔ host function ↔ kernel.

A stub is passed through: the function that calls it calls what is registered for it.
"""

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from mkls.features.calls import Call, Node, kernel_nodes, node_of_function, node_of_row
from mkls.features.calls_of_functions import callees, callers
from mkls.features.dispatching import implementations
from mkls.features.implementation import registered_functions
from mkls.features.subject_at import subject_at
from mkls.features.subjects import (
    DispatchedFunction,
    DispatchKey,
    DispatchStub,
    HostFunctions,
    KernelLookup,
    KernelRegistration,
    KernelTemplate,
    Operator,
    RegistrationMacro,
    Subject,
)
from mkls.index.kernel_uses import kernels_named, uses_of
from mkls.index.place import Place
from mkls.index.resolution import resolution
from mkls.index.snapshot import Snapshot
from mkls.text.document import Uri


def prepared(snapshot: Snapshot, uri: Uri, offset: int) -> list[Node]:
    """Return what stands at `offset` of `uri` as nodes of the hierarchy."""
    subject = subject_at(snapshot, uri, offset)
    find = _NODES.get(type(subject)) if subject else None
    return list(dict.fromkeys(find(snapshot, subject))) if find else []


def _of_operator(_snapshot: Snapshot, subject: Operator | DispatchKey) -> Iterator[Node]:
    yield node_of_row(subject.row)


def _of_dispatched(snapshot: Snapshot, subject: DispatchedFunction) -> Iterator[Node]:
    for it in implementations(snapshot, subject.row, subject.function, subject.keys):
        yield node_of_function(it)


def _of_functions(_snapshot: Snapshot, subject: HostFunctions) -> Iterator[Node]:
    found = (subject.defined,) if subject.defined else subject.functions
    yield from map(node_of_function, found)


def _of_stub(snapshot: Snapshot, subject: DispatchStub) -> Iterator[Node]:
    for it in snapshot.host.stubs.by_name[subject.name].registered:
        yield from map(node_of_function, registered_functions(snapshot, it))


def _of_lookup(snapshot: Snapshot, subject: KernelLookup) -> Iterator[Node]:
    names = {name for _, it in subject.asked for name in it.names.kernels(snapshot.host_names)}
    yield from kernel_nodes(kernels_named(snapshot, sorted(names)))


def _of_kernels(
    _snapshot: Snapshot, subject: KernelRegistration | KernelTemplate | RegistrationMacro
) -> Iterator[Node]:
    yield from kernel_nodes(subject.kernels)


_NODES: Mapping[type[Subject], Callable[[Snapshot, Any], Iterator[Node]]] = {
    Operator: _of_operator,
    DispatchKey: _of_operator,
    DispatchedFunction: _of_dispatched,
    HostFunctions: _of_functions,
    DispatchStub: _of_stub,
    KernelLookup: _of_lookup,
    KernelRegistration: _of_kernels,
    KernelTemplate: _of_kernels,
    RegistrationMacro: _of_kernels,
}


def incoming(snapshot: Snapshot, kind: str, names: tuple[str, ...], uri: Uri) -> list[Call]:
    """Return who calls the node: the calls are in the callers' documents."""
    if kind == "kernel":
        return _kernels_callers(snapshot, names)
    if kind == "function":
        return callers(snapshot, names[0], uri)
    return []


def outgoing(snapshot: Snapshot, kind: str, names: tuple[str, ...], uri: Uri) -> list[Call]:
    """Return whom the node calls: the calls are in the node's own document."""
    if kind == "operator":
        return _row_callees(snapshot, names[0])
    if kind == "function":
        return callees(snapshot, names[0], uri)
    return []


def _kernels_callers(snapshot: Snapshot, names: tuple[str, ...]) -> list[Call]:
    places: dict[Node, list[Place]] = {}
    for linked, request in uses_of(snapshot, names):
        own = request.place if request.place.uri == linked.function.uri else linked.place
        places.setdefault(node_of_function(linked.function), []).append(own)
    return [Call(node, tuple(dict.fromkeys(found))) for node, found in places.items()]


def _row_callees(snapshot: Snapshot, name: str) -> list[Call]:
    row = snapshot.operators.row(name)
    if row is None:
        return []
    found = resolution(snapshot.operators, row)
    if found.function is None:
        return []
    at = Place(row.uri, row.name_span)
    if found.row is row:
        at = Place(row.uri, row.place(found.function.span))
    elif row.entry.structured_delegate:
        at = Place(row.uri, row.place(row.entry.structured_delegate.span))
    functions = implementations(snapshot, found.row, found.function.symbol)
    return [Call(node_of_function(it), (at,)) for it in functions]
