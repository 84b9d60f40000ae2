"""The outline of a Metal document: its structs and templates, and what registers kernels."""

from collections.abc import Iterable, Iterator

from mkls.facts.model.metal import MetalFacts
from mkls.features.symbol import Symbol, SymbolKind
from mkls.index.kernels import KernelIndex
from mkls.index.kernels_link import Kernel
from mkls.index.snapshot import Snapshot
from mkls.text.document import Uri
from mkls.text.span import Span

_KINDS = {"struct": SymbolKind.STRUCT, "enum": SymbolKind.STRUCT, "function": SymbolKind.FUNCTION}


def metal_symbols(snapshot: Snapshot, uri: Uri, facts: MetalFacts) -> list[Symbol]:
    """Return the outline of `uri`, in the order of the text."""
    found = [
        *_declarations(facts),
        *_templates(facts),
        *registrations(snapshot.kernels, uri),
        *(Symbol(it.name.text, SymbolKind.MACRO, it.name.span, it.span) for it in facts.macros),
    ]
    return sorted(found, key=lambda it: (it.whole, it.span))


def _declarations(facts: MetalFacts) -> Iterator[Symbol]:
    for it in facts.declarations:
        if it.kind in _KINDS:
            yield Symbol(it.name.text, _KINDS[it.kind], it.name.span, it.span)


def _templates(facts: MetalFacts) -> Iterator[Symbol]:
    for it in facts.kernels:
        if it.is_template:
            yield Symbol(
                it.name.text, SymbolKind.FUNCTION, it.name.span, it.span, "kernel template"
            )


def registrations(index: KernelIndex, uri: Uri) -> Iterator[Symbol]:
    """Yield what registers kernels in `uri`: a family where one place makes several."""
    by_span: dict[Span, list[Kernel]] = {}
    for kernel in index.kernels_of(uri):
        if kernel.uri == uri:
            by_span.setdefault(kernel.span, []).append(kernel)
    for span, kernels in by_span.items():
        yield _registration(span, kernels)


def _registration(span: Span, kernels: Iterable[Kernel]) -> Symbol:
    kernels = list({kernel.host_name: kernel for kernel in kernels}.values())
    first = kernels[0]
    children = tuple(Symbol(it.host_name, SymbolKind.KERNEL, span, span) for it in kernels)
    if len(children) == 1:
        return Symbol(first.host_name, SymbolKind.KERNEL, span, span, first.macro)
    name = f"{first.macro}({', '.join(first.macro_arguments)})"
    detail = f"{len(children)} kernels"
    return Symbol(name, SymbolKind.FAMILY, first.name_span or span, span, detail, children)
