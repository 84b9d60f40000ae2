"""Answer where things are and where they are named: convert, call, convert back."""

from collections.abc import Callable
from typing import Any

from lsprotocol import types as lsp

from mkls.features.declaration import declarations
from mkls.features.implementation import implementation_targets
from mkls.features.references import highlights, references
from mkls.features.targets import Target
from mkls.features.type_definition import type_definitions
from mkls.index.snapshot import Snapshot
from mkls.server import from_proto, to_proto
from mkls.server.backend import Backend
from mkls.text.document import Uri

Locations = list[lsp.Location] | list[lsp.LocationLink]


def declaration(backend: Backend, params: lsp.DeclarationParams) -> Locations:
    """Answer `textDocument/declaration`."""
    return _targets(backend, params, declarations, backend.client.declaration_links)


def type_definition(backend: Backend, params: lsp.TypeDefinitionParams) -> Locations:
    """Answer `textDocument/typeDefinition`."""
    return _targets(backend, params, type_definitions, backend.client.type_definition_links)


def implementation(backend: Backend, params: lsp.ImplementationParams) -> Locations:
    """Answer `textDocument/implementation`."""
    return _targets(backend, params, implementation_targets, backend.client.implementation_links)


def _targets(
    backend: Backend,
    params: lsp.DeclarationParams | lsp.TypeDefinitionParams | lsp.ImplementationParams,
    find: Callable[[Snapshot, Uri, int], list[Target]],
    links: bool,
) -> Locations:
    uri = from_proto.document_uri(params.text_document)
    snapshot, source = backend.snapshot(uri)
    if source is None:
        return []
    offset = from_proto.offset(backend.client, source.document, params.position)
    found = find(snapshot, uri, offset)
    return to_proto.targets(backend.client, snapshot, source.document, found, links)


async def reference(backend: Backend, params: lsp.ReferenceParams) -> list[lsp.Location]:
    """Answer `textDocument/references`, when the whole workspace is read."""
    uri = from_proto.document_uri(params.text_document)
    await backend.folder(uri).loaded.wait()
    snapshot, source = backend.snapshot(uri)
    if source is None:
        return []
    offset = from_proto.offset(backend.client, source.document, params.position)
    found = references(snapshot, uri, offset, params.context.include_declaration)
    return [to_proto.location(backend.client, snapshot, it.uri, it.span) for it in found]


def document_highlight(
    backend: Backend, params: lsp.DocumentHighlightParams
) -> list[lsp.DocumentHighlight]:
    """Answer `textDocument/documentHighlight`."""
    uri = from_proto.document_uri(params.text_document)
    snapshot, source = backend.snapshot(uri)
    if source is None:
        return []
    document = source.document
    offset = from_proto.offset(backend.client, document, params.position)
    return [
        lsp.DocumentHighlight(
            to_proto.range_(backend.client, document, it.span), _kind(it.declares)
        )
        for it in highlights(snapshot, uri, offset)
    ]


def _kind(declares: bool) -> lsp.DocumentHighlightKind:
    return lsp.DocumentHighlightKind.Write if declares else lsp.DocumentHighlightKind.Read


ANSWERS: dict[str, Callable[[Backend, Any], object]] = {
    lsp.TEXT_DOCUMENT_DECLARATION: declaration,
    lsp.TEXT_DOCUMENT_TYPE_DEFINITION: type_definition,
    lsp.TEXT_DOCUMENT_IMPLEMENTATION: implementation,
    lsp.TEXT_DOCUMENT_REFERENCES: reference,
    lsp.TEXT_DOCUMENT_DOCUMENT_HIGHLIGHT: document_highlight,
}
"""Which function answers which method."""
