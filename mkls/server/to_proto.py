"""From mkls's own types to the protocol's."""

from collections.abc import Iterable, Iterator, Mapping

from lsprotocol import types as lsp

from mkls.features.hover import HoverText
from mkls.features.symbol import Symbol, SymbolKind
from mkls.features.targets import Target
from mkls.index.snapshot import Snapshot
from mkls.server.client import Client
from mkls.text.document import Document, Uri
from mkls.text.edit import Edit
from mkls.text.span import Span

_SYMBOL_KINDS: Mapping[SymbolKind, lsp.SymbolKind] = {
    SymbolKind.OPERATOR: lsp.SymbolKind.Class,
    SymbolKind.OVERLOAD: lsp.SymbolKind.Method,
    SymbolKind.FAMILY: lsp.SymbolKind.Namespace,
    SymbolKind.KERNEL: lsp.SymbolKind.Function,
    SymbolKind.FUNCTION: lsp.SymbolKind.Function,
    SymbolKind.REGISTRATION: lsp.SymbolKind.Event,
    SymbolKind.STRUCT: lsp.SymbolKind.Struct,
    SymbolKind.MACRO: lsp.SymbolKind.Constant,
    SymbolKind.STUB: lsp.SymbolKind.Interface,
    SymbolKind.LIBRARY: lsp.SymbolKind.Module,
}


def symbol_kind(kind: SymbolKind) -> lsp.SymbolKind:
    """Convert what a symbol is."""
    return _SYMBOL_KINDS[kind]


def range_(client: Client, document: Document, span: Span) -> lsp.Range:
    """Convert a span of `document`."""
    start, end = document.lines.range(span, client.encoding)
    return lsp.Range(lsp.Position(*start), lsp.Position(*end))


def location(client: Client, snapshot: Snapshot, uri: Uri, span: Span) -> lsp.Location:
    """Convert a place in any document of `snapshot`."""
    document = snapshot.sources[uri].document
    return lsp.Location(client.uri(uri), range_(client, document, span))


def targets(
    client: Client, snapshot: Snapshot, origin: Document, found: Iterable[Target], links: bool
) -> list[lsp.Location] | list[lsp.LocationLink]:
    """Convert places to jump to from `origin`; with `links`, also what from."""
    known = [it for it in found if it.uri in snapshot.sources]
    if not links:
        return [location(client, snapshot, it.uri, it.span) for it in known]
    return [_link(client, snapshot, origin, it) for it in known]


def _link(client: Client, snapshot: Snapshot, origin: Document, target: Target) -> lsp.LocationLink:
    document = snapshot.sources[target.uri].document
    return lsp.LocationLink(
        target_uri=client.uri(target.uri),
        target_range=range_(client, document, target.whole),
        target_selection_range=range_(client, document, target.span),
        origin_selection_range=range_(client, origin, target.origin),
    )


def hover(client: Client, document: Document, found: HoverText) -> lsp.Hover:
    """Convert a hover over `document`."""
    kind = lsp.MarkupKind.Markdown if client.markdown_hovers else lsp.MarkupKind.PlainText
    content = lsp.MarkupContent(kind, found.markdown)
    return lsp.Hover(content, range_(client, document, found.span))


def symbols(
    client: Client, document: Document, found: Iterable[Symbol]
) -> list[lsp.DocumentSymbol] | list[lsp.SymbolInformation]:
    """Convert the outline of `document`; a client without trees gets a list."""
    if client.symbol_trees:
        return [_symbol(client, document, it) for it in found]
    return list(_flat_symbols(client, document, found, None))


def _symbol(client: Client, document: Document, symbol: Symbol) -> lsp.DocumentSymbol:
    return lsp.DocumentSymbol(
        name=symbol.name,
        detail=symbol.detail or None,
        kind=_SYMBOL_KINDS[symbol.kind],
        range=range_(client, document, symbol.whole),
        selection_range=range_(client, document, symbol.span),
        children=[_symbol(client, document, it) for it in symbol.children],
    )


def _flat_symbols(
    client: Client, document: Document, found: Iterable[Symbol], container: str | None
) -> Iterator[lsp.SymbolInformation]:
    for symbol in found:
        where = lsp.Location(client.uri(document.uri), range_(client, document, symbol.whole))
        yield lsp.SymbolInformation(
            where, symbol.name, _SYMBOL_KINDS[symbol.kind], container_name=container
        )
        yield from _flat_symbols(client, document, symbol.children, symbol.name)


def text_edit(client: Client, document: Document, edit: Edit) -> lsp.TextEdit:
    """Convert an edit of `document`."""
    return lsp.TextEdit(range_(client, document, edit.span), edit.new_text)
