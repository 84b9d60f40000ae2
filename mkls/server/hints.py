"""Inlay hints; what is behind one is looked up when the user asks."""

import msgspec
from lsprotocol import types as lsp

from mkls.features.inlay_hints import Hint, HintKind, hint_tooltip, inlay_hints
from mkls.server import from_proto
from mkls.server.backend import Backend
from mkls.server.client import Client, canonical
from mkls.server.errors import invalid_params
from mkls.text.document import Document
from mkls.text.span import Span


class Ticket(msgspec.Struct, frozen=True):
    """What a hint carries: its document, its kind, and the offsets of what it is about."""

    uri: str
    kind: HintKind
    start: int
    end: int


async def inlay_hint(backend: Backend, params: lsp.InlayHintParams) -> list[lsp.InlayHint]:
    """Answer `textDocument/inlayHint`, once the workspace is read."""
    uri = from_proto.document_uri(params.text_document)
    await backend.folder(uri).loaded.wait()
    snapshot, source = backend.snapshot(uri)
    if source is None:
        return []
    off = backend.folder(uri).config.hidden_hints
    hidden = frozenset(it for it in HintKind if it.value in off)
    within = from_proto.span(backend.client, source.document, params.range)
    found = inlay_hints(snapshot, source, within, hidden)
    return [_hint(backend.client, source.document, it) for it in found]


def _hint(client: Client, document: Document, hint: Hint) -> lsp.InlayHint:
    line, column = document.lines.position(hint.offset, client.encoding)
    ticket = Ticket(document.uri, hint.kind, hint.about.start, hint.about.end)
    return lsp.InlayHint(
        position=lsp.Position(line, column),
        label=hint.label,
        padding_left=True,
        data=msgspec.to_builtins(ticket),
    )


def resolve(backend: Backend, hint: lsp.InlayHint) -> lsp.InlayHint:
    """Answer `inlayHint/resolve`.

    Raises:
        RefusedError: The hint is none of ours.
    """
    try:
        ticket = msgspec.convert(hint.data, Ticket)
    except msgspec.ValidationError as error:
        raise invalid_params(str(error)) from error
    uri = canonical(ticket.uri)
    snapshot, _ = backend.snapshot(uri)
    text = hint_tooltip(snapshot, uri, ticket.kind, Span(ticket.start, ticket.end))
    if text:
        hint.tooltip = lsp.MarkupContent(lsp.MarkupKind.Markdown, text)
    return hint
