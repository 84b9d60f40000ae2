"""The outline of what stands in strings: Metal sources with their kernels."""

from collections.abc import Iterator

from mkls.features.outline_of_metal import registrations
from mkls.features.strings import shaders_of
from mkls.features.symbol import Symbol, SymbolKind
from mkls.index.inline_shaders import real_place
from mkls.index.snapshot import Snapshot
from mkls.text.document import Uri


def shader_symbols(snapshot: Snapshot, uri: Uri) -> Iterator[Symbol]:
    """Yield each Metal source in a string of `uri`, with its kernels."""
    for shader in shaders_of(snapshot, uri):
        index = snapshot.kernels_of_shader(shader)
        kernels = registrations(index, shader.uri, shader.text)
        children = tuple(_placed(kernel, shader.uri) for kernel in kernels)
        yield Symbol("Metal source", SymbolKind.LIBRARY, shader.span, shader.span, "", children)


def _placed(symbol: Symbol, uri: Uri) -> Symbol:
    """Return a symbol of the Metal source `uri` where an editor finds it."""
    children = tuple(_placed(child, uri) for child in symbol.children)
    span, whole = (real_place(uri, it).span for it in (symbol.span, symbol.whole))
    return Symbol(symbol.name, symbol.kind, span, whole, symbol.detail, children)
