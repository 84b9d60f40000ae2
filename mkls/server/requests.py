"""Answer what a person asks of the code: convert, call, convert back."""

from lsprotocol import types as lsp

from mkls.features.definition import definitions
from mkls.features.document_symbols import document_symbols
from mkls.features.hover import hover
from mkls.server import from_proto, to_proto
from mkls.server.backend import Backend


def text_document_definition(
    backend: Backend, params: lsp.DefinitionParams
) -> list[lsp.Location] | list[lsp.LocationLink]:
    """Answer `textDocument/definition`."""
    uri = from_proto.document_uri(params.text_document)
    snapshot, source = backend.snapshot(uri)
    if source is None:
        return []
    offset = from_proto.offset(backend.client, source.document, params.position)
    found = definitions(snapshot, uri, offset)
    links = backend.client.definition_links
    return to_proto.targets(backend.client, snapshot, source.document, found, links)


def text_document_hover(backend: Backend, params: lsp.HoverParams) -> lsp.Hover | None:
    """Answer `textDocument/hover`."""
    uri = from_proto.document_uri(params.text_document)
    snapshot, source = backend.snapshot(uri)
    if source is None:
        return None
    offset = from_proto.offset(backend.client, source.document, params.position)
    found = hover(snapshot, uri, offset)
    return to_proto.hover(backend.client, source.document, found) if found else None


def text_document_document_symbol(
    backend: Backend, params: lsp.DocumentSymbolParams
) -> list[lsp.DocumentSymbol] | list[lsp.SymbolInformation]:
    """Answer `textDocument/documentSymbol`."""
    uri = from_proto.document_uri(params.text_document)
    snapshot, source = backend.snapshot(uri)
    found = document_symbols(snapshot, uri) if source else []
    return to_proto.symbols(backend.client, source.document, found) if source else []
