"""The outline of a document."""

from mkls.facts.model.metal import MetalFacts
from mkls.facts.model.native_functions import NativeFunctionsFacts
from mkls.facts.model.python import PythonFacts
from mkls.features.outline_of_host import host_symbols
from mkls.features.outline_of_metal import metal_symbols
from mkls.features.outline_of_rows import row_symbols
from mkls.features.outline_of_strings import shader_symbols
from mkls.features.symbol import Symbol
from mkls.index.snapshot import Snapshot
from mkls.text.document import Uri


def document_symbols(snapshot: Snapshot, uri: Uri) -> list[Symbol]:
    """Return the outline of `uri`, in the order of the text; half-typed names are left out."""
    return [symbol for symbol in _symbols(snapshot, uri) if symbol.name]


def _symbols(snapshot: Snapshot, uri: Uri) -> list[Symbol]:
    source = snapshot.sources.get(uri)
    if source is None:
        return []
    if isinstance(source.facts, NativeFunctionsFacts):
        return row_symbols(snapshot, uri)
    if isinstance(source.facts, MetalFacts):
        return metal_symbols(snapshot, uri, source.facts)
    if isinstance(source.facts, PythonFacts):
        return list(shader_symbols(snapshot, uri))
    return host_symbols(snapshot, uri)
