"""What the cursor is on in host code."""

from collections.abc import Iterator

from mkls.features.strings import shader_around
from mkls.features.subjects import (
    DispatchStub,
    HostFunctions,
    IncludedFile,
    KernelLookup,
    Operator,
    Subject,
)
from mkls.features.subjects_in_strings import string_subject
from mkls.features.words import word_at
from mkls.index.snapshot import Snapshot, Source
from mkls.text.document import Uri
from mkls.text.span import Span


def host_subject(snapshot: Snapshot, source: Source, offset: int) -> Subject | None:
    """Return what stands at `offset` of a host document."""
    uri, text = source.document.uri, source.document.text
    if inside := shader_around(snapshot, uri, offset):
        return string_subject(snapshot, inside)
    return (
        _lookup(snapshot, uri, offset)
        or _operator(snapshot, uri, offset)
        or _by_word(snapshot, uri, text, offset)
        or next(_includes(snapshot, uri, offset), None)
    )


def _lookup(snapshot: Snapshot, uri: Uri, offset: int) -> KernelLookup | None:
    asked = [
        (linked, request)
        for linked in snapshot.host.lookups
        for request in linked.requests
        if request.place.uri == uri and offset in request.place.span
    ]
    if not asked:
        return None
    smallest = min((request.place.span for _, request in asked), key=_length)
    return KernelLookup(smallest, tuple(it for it in asked if it[1].place.span == smallest))


def _length(span: Span) -> int:
    return span.end - span.start


def _operator(snapshot: Snapshot, uri: Uri, offset: int) -> Operator | None:
    document = snapshot.host.document(uri)
    for stated, impl in document.impls() if document else ():
        span = stated.place(impl.operator.span).span
        row = snapshot.operators.row(impl.operator.text.removeprefix("aten::"))
        if offset in span and row:
            return Operator(span, row, is_reference=True)
    return None


def _by_word(snapshot: Snapshot, uri: Uri, text: str, offset: int) -> Subject | None:
    span = word_at(text, offset)
    if span is None:
        return None
    name = span.of(text)
    if name in snapshot.host.stubs.by_name:
        return DispatchStub(span, name)
    functions = snapshot.host.functions(name)
    if not functions:
        return None
    defined = next((it for it in functions if it.uri == uri and it.name_place.span == span), None)
    return HostFunctions(span, functions, defined)


def _includes(snapshot: Snapshot, uri: Uri, offset: int) -> Iterator[IncludedFile]:
    document = snapshot.host.document(uri)
    for include in document.facts.includes if document else ():
        if offset in include.path.span:
            suffix = "/" + include.path.text
            yield from (
                IncludedFile(include.path.span, it)
                for it in snapshot.sources
                if it.endswith(suffix)
            )
