"""The outline of host code: functions, stubs and their registrations, Metal libraries."""

import re
from collections.abc import Iterator

from mkls.features.outline_of_strings import shader_symbols
from mkls.features.symbol import Symbol, SymbolKind
from mkls.index.host_documents import HostDocument
from mkls.index.snapshot import Snapshot
from mkls.text.document import Uri

_META = re.compile(r"TORCH_(?:PRECOMPUTE_)?META_FUNC2?\s*\(\s*(\w+(?:\s*,\s*\w+)?)\s*\)")


def host_symbols(snapshot: Snapshot, uri: Uri) -> list[Symbol]:
    """Return the outline of `uri`, in the order of the text."""
    document = snapshot.host.document(uri)
    if document is None:
        return []
    found = [
        *_functions(document, snapshot.sources[uri].document.text),
        *_stubs(document),
        *_registrations(document),
        *shader_symbols(snapshot, uri),
    ]
    return sorted(found, key=lambda it: (it.whole, it.span))


def _functions(document: HostDocument, text: str) -> Iterator[Symbol]:
    for it in document.functions:
        if it.uri == document.uri and not _in_macro(text, it.name_place.span.start):
            kind = "structured kernel" if it.is_torch_impl else ""
            made = f"made by {it.macro}" if it.macro else kind
            name, whole = it.name_place.span, it.place.span
            span = name if whole.covers(name) else whole
            if meta := _META.match(text, name.start):
                yield Symbol(meta[1], SymbolKind.FUNCTION, span, whole, "meta function")
                continue
            yield Symbol(it.name.text, SymbolKind.FUNCTION, span, whole, made)


def _in_macro(text: str, at: int) -> bool:
    """Whether a line of a macro's definition holds `at`: what it makes is made elsewhere."""
    end = text.find("\n", at)
    return text[at : end if end >= 0 else len(text)].rstrip().endswith("\\")


def _stubs(document: HostDocument) -> Iterator[Symbol]:
    for stated, it in document.stubs():
        detail = "defines a stub" if it.defines else "declares a stub"
        span, whole = stated.place(it.stub.span).span, stated.place(it.span).span
        yield Symbol(it.stub.text, SymbolKind.STUB, span, whole, detail)


def _registrations(document: HostDocument) -> Iterator[Symbol]:
    for stated, it in document.registrations():
        function = f"registers {it.function.text}" if it.function else "registers nothing"
        span, whole = stated.place(it.stub.span).span, stated.place(it.span).span
        yield Symbol(it.stub.text, SymbolKind.REGISTRATION, span, whole, function)
    for stated, impl in document.impls():
        detail = f"registers {impl.function.text}" if impl.function else impl.dispatch_key
        span, whole = stated.place(impl.operator.span).span, stated.place(impl.span).span
        yield Symbol(impl.operator.text, SymbolKind.REGISTRATION, span, whole, detail)
