"""The type of the thing under the cursor: functor, function type, base class, library."""

import re
from collections.abc import Iterable, Iterator

from mkls.facts.model.cpp import CppFacts
from mkls.features.registered_kernels import functors_of
from mkls.features.subjects import (
    DispatchStub,
    FunctorName,
    KernelLookup,
    KernelRegistration,
    KernelTemplate,
    RegistrationMacro,
)
from mkls.features.targets import Finders, Found, Target, of_place, targets
from mkls.index.inline_shaders import real_place
from mkls.index.lookups import LinkedLookup
from mkls.index.place import Place
from mkls.index.snapshot import Snapshot
from mkls.text.document import Uri
from mkls.text.span import Span


def type_definitions(snapshot: Snapshot, uri: Uri, offset: int) -> list[Target]:
    """Return the type of what stands at `offset` of `uri`.

    Of a kernel it is the functor that it is made with, of a stub the alias of its function type,
    of a look-up the library that it asks, of a macro its definition.
    """
    return targets(snapshot, uri, offset, _FINDERS)


def _of_kernels(
    snapshot: Snapshot, subject: KernelRegistration | KernelTemplate
) -> Iterator[Found]:
    for kernel in subject.kernels:
        yield from functors_of(snapshot, kernel)


def _of_macro(_snapshot: Snapshot, subject: RegistrationMacro) -> Iterator[Found]:
    if subject.family.definition:
        yield of_place(real_place(subject.family.definition.uri, subject.family.definition.span))


def _of_functor(_snapshot: Snapshot, subject: FunctorName) -> Iterator[Found]:
    yield of_place(real_place(subject.uri, subject.definition))


def _of_stub(snapshot: Snapshot, subject: DispatchStub) -> Iterator[Found]:
    alias = snapshot.host.stubs.by_name[subject.name].type
    for uri, facts in snapshot.facts(CppFacts).items():
        if any(it.name == alias for it in facts.aliases):
            text = snapshot.sources[uri].document.text
            for match in re.finditer(rf"\busing\s+({re.escape(alias)})\s*=", text):
                yield of_place(Place(uri, Span(*match.span(1))))


def _of_lookup(snapshot: Snapshot, subject: KernelLookup) -> Iterator[Found]:
    for linked, _ in subject.asked:
        yield from map(of_place, _libraries(snapshot, linked))


def _libraries(snapshot: Snapshot, linked: LinkedLookup) -> Iterable[Place]:
    document = snapshot.host.document(linked.function.uri)
    name = linked.lookup.library.rpartition("::")[2].removesuffix("()")
    for stated, library in document.libraries() if document else ():
        if library.name.text == name:
            yield stated.place(library.name.span)


_FINDERS: Finders = {
    DispatchStub: _of_stub,
    KernelLookup: _of_lookup,
    KernelRegistration: _of_kernels,
    KernelTemplate: _of_kernels,
    RegistrationMacro: _of_macro,
    FunctorName: _of_functor,
}
