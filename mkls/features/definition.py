"""Where the thing under the cursor comes from, across the three languages."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

import msgspec

from mkls.features.dispatching import implementations, rows_dispatching_to
from mkls.features.subject_at import subject_at
from mkls.features.subjects import (
    DispatchedFunction,
    DispatchKey,
    DispatchStub,
    FunctorName,
    HostFunctions,
    IncludedFile,
    KernelLookup,
    KernelRegistration,
    KernelTemplate,
    Operator,
    RegistrationMacro,
    Subject,
)
from mkls.index.host_documents import HostFunction
from mkls.index.inline_shaders import real_place
from mkls.index.kernels_link import Kernel
from mkls.index.operators import MPS, Row
from mkls.index.place import Place
from mkls.index.resolution import resolution
from mkls.index.snapshot import Snapshot
from mkls.text.document import Uri
from mkls.text.span import Span


class Target(msgspec.Struct, frozen=True):
    """A place to jump to: `span` is its name in `whole`; `origin` is what the user jumps from."""

    uri: Uri
    span: Span
    whole: Span
    origin: Span


Found = tuple[Place, Span]
"""The name to jump to, and the whole of what it names."""


def definitions(snapshot: Snapshot, uri: Uri, offset: int) -> list[Target]:
    """Return where what stands at `offset` of `uri` is defined, or what implements it.

    From a row to its host function and back, from a stub's registration to its declaration and
    back, from a look-up to the kernels it may mean, from a registration to template and functor.
    """
    subject = subject_at(snapshot, uri, offset)
    if subject is None:
        return []
    find = _FINDERS.get(type(subject))
    found = dict.fromkeys(find(snapshot, subject)) if find else {}
    return [
        Target(place.uri, place.span, whole, subject.span)
        for place, whole in found
        if place.uri in snapshot.sources and not (place.uri == uri and offset in place.span)
    ]


def _of_operator(snapshot: Snapshot, subject: Operator) -> Iterator[Found]:
    if subject.is_reference:
        yield _row(subject.row)
    else:
        yield from _of_key(snapshot, DispatchKey(subject.span, subject.row, MPS))


def _of_key(snapshot: Snapshot, subject: DispatchKey) -> Iterator[Found]:
    found = resolution(snapshot.operators, subject.row, subject.key)
    if found.row is not subject.row:
        yield _row(found.row)
    if found.function:
        yield from map(_function, implementations(snapshot, found.row, found.function.symbol))
    if subject.key == MPS:
        for place, _ in snapshot.host.library_impls.get(subject.row.name, ()):
            yield place, place.span


def _of_dispatched(snapshot: Snapshot, subject: DispatchedFunction) -> Iterator[Found]:
    yield from map(
        _function, implementations(snapshot, subject.row, subject.function, subject.keys)
    )


def _of_host_functions(snapshot: Snapshot, subject: HostFunctions) -> Iterator[Found]:
    if subject.defined is None:
        yield from map(_function, subject.functions)
        return
    name = subject.defined.name.text
    yield from map(_row, rows_dispatching_to(snapshot, name))
    for stub in snapshot.host.stubs.by_name.values():
        for it in stub.registered:
            if it.registration.function and it.registration.function.text == name:
                yield it.stub_place, it.place.span


def _of_stub(snapshot: Snapshot, subject: DispatchStub) -> Iterator[Found]:
    stub = snapshot.host.stubs.by_name[subject.name]
    for place in (*stub.declared, *stub.defined):
        yield place, place.span
    for it in stub.registered:
        yield it.stub_place, it.place.span


def _of_lookup(snapshot: Snapshot, subject: KernelLookup) -> Iterator[Found]:
    found: list[Found] = []
    for _, request in subject.asked:
        for name in request.names.kernels(snapshot.host_names):
            for index in (snapshot.kernels, snapshot.inline_kernels):
                found += map(_kernel, index.by_host_name.get(name, ()))
    yield from sorted(found)


def _of_registration(
    snapshot: Snapshot, subject: KernelRegistration | RegistrationMacro
) -> Iterator[Found]:
    for kernel in subject.kernels:
        yield from _functors(snapshot, kernel)
    for kernel in subject.kernels:
        if kernel.primary:
            place = real_place(kernel.primary.uri, kernel.primary.span)
            yield place, place.span


def _functors(snapshot: Snapshot, kernel: Kernel) -> Iterator[Found]:
    index = snapshot.kernels if kernel.unit in snapshot.kernels.units else snapshot.inline_kernels
    unit = index.unit_with(kernel.unit)
    for argument in (*kernel.macro_arguments, *kernel.template_arguments):
        for name in (argument, f"{argument}_functor"):
            if unit and (functor := unit.functors.get(name)):
                place = real_place(functor.uri, functor.span)
                yield place, place.span


def _of_macro(snapshot: Snapshot, subject: RegistrationMacro) -> Iterator[Found]:
    if subject.family.definition:
        place = real_place(subject.family.definition.uri, subject.family.definition.span)
        yield place, place.span
    yield from _of_registration(snapshot, subject)


def _of_template(_snapshot: Snapshot, subject: KernelTemplate) -> Iterator[Found]:
    yield from map(_kernel, subject.kernels)
    for kernel in subject.kernels:
        if kernel.primary:
            place = real_place(kernel.primary.uri, kernel.primary.span)
            yield place, place.span


def _of_functor(_snapshot: Snapshot, subject: FunctorName) -> Iterator[Found]:
    place = real_place(subject.uri, subject.definition)
    yield place, place.span


def _of_include(_snapshot: Snapshot, subject: IncludedFile) -> Iterator[Found]:
    yield Place(subject.uri, Span(0, 0)), Span(0, 0)


_FINDERS: Mapping[type[Subject], Callable[[Snapshot, Any], Iterable[Found]]] = {
    Operator: _of_operator,
    DispatchKey: _of_key,
    DispatchedFunction: _of_dispatched,
    HostFunctions: _of_host_functions,
    DispatchStub: _of_stub,
    KernelLookup: _of_lookup,
    KernelRegistration: _of_registration,
    RegistrationMacro: _of_macro,
    KernelTemplate: _of_template,
    FunctorName: _of_functor,
    IncludedFile: _of_include,
}


def _row(row: Row) -> Found:
    return Place(row.uri, row.name_span), row.place(Span(0, row.entry.end))


def _function(function: HostFunction) -> Found:
    return function.name_place, function.place.span


def _kernel(kernel: Kernel) -> Found:
    whole = real_place(kernel.uri, kernel.span)
    name = real_place(kernel.uri, kernel.name_span or kernel.span)
    return name, whole.span
