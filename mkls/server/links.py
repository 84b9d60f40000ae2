"""Answer which texts of a document lead somewhere."""

from collections.abc import Callable
from typing import Any

import msgspec
from lsprotocol import types as lsp

from mkls.features.document_links import document_links, link_target
from mkls.server import from_proto
from mkls.server.backend import Backend
from mkls.server.client import canonical
from mkls.server.errors import invalid_params
from mkls.server.to_proto import range_


class Ticket(msgspec.Struct, frozen=True):
    """What a link without a target carries."""

    uri: str


def document_link(backend: Backend, params: lsp.DocumentLinkParams) -> list[lsp.DocumentLink]:
    """Answer `textDocument/documentLink`; where names lead is looked for when they are used."""
    uri = from_proto.document_uri(params.text_document)
    snapshot, source = backend.snapshot(uri)
    if source is None:
        return []
    client, document = backend.client, source.document
    return [
        lsp.DocumentLink(
            range_(client, document, it.span),
            target=client.uri(it.target) if it.target else None,
            data=None if it.target else msgspec.to_builtins(Ticket(uri)),
        )
        for it in document_links(snapshot, uri)
    ]


def resolve(backend: Backend, link: lsp.DocumentLink) -> lsp.DocumentLink:
    """Answer `documentLink/resolve`: the file and, after `#L`, the line and column.

    Raises:
        RefusedError: The link is none of ours.
    """
    if link.target is not None:
        return link
    try:
        ticket = msgspec.convert(link.data, Ticket)
    except msgspec.ValidationError as error:
        raise invalid_params(str(error)) from error
    uri = canonical(ticket.uri)
    snapshot, source = backend.snapshot(uri)
    if source is None:
        return link
    span = from_proto.span(backend.client, source.document, link.range)
    found = link_target(snapshot, uri, span)
    if found and found[0] in snapshot.sources:
        target, name = found
        line, column = snapshot.sources[target].document.lines.position(name.start)
        link.target = f"{backend.client.uri(target)}#L{line + 1},{column + 1}"
    return link


ANSWERS: dict[str, Callable[[Backend, Any], object]] = {
    lsp.TEXT_DOCUMENT_DOCUMENT_LINK: document_link,
    lsp.DOCUMENT_LINK_RESOLVE: resolve,
}
"""Which function answers which method."""
