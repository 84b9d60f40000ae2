"""Answer searches for symbols of the whole workspace."""

from collections.abc import Callable, Sequence
from typing import Any

import msgspec
from lsprotocol import types as lsp

from mkls.features.workspace_symbols import Named, workspace_symbols
from mkls.index.snapshot import Snapshot
from mkls.server.backend import Backend
from mkls.server.client import canonical
from mkls.server.errors import content_modified, invalid_params
from mkls.server.to_proto import location, symbol_kind
from mkls.server.turns import Turns
from mkls.text.span import Span

_PART = 64  # symbols in one partial result


class Ticket(msgspec.Struct, frozen=True):
    """What a symbol without its range carries: the span, in the text that was searched."""

    start: int
    end: int
    name: str


async def search(
    backend: Backend, params: lsp.WorkspaceSymbolParams
) -> list[lsp.WorkspaceSymbol] | list[lsp.SymbolInformation]:
    """Answer `workspace/symbol`, in parts when the client takes them."""
    turns = Turns()
    found: list[lsp.WorkspaceSymbol] = []
    for folder in backend.folders:
        backend.loader.start(folder)
        await folder.loaded.wait()
        backend.documents.read(folder)
        snapshot = folder.snapshot()
        for named in workspace_symbols(snapshot, params.query):
            found.append(_symbol(backend, snapshot, named))
            if len(found) >= _PART and params.partial_result_token is not None:
                _send(backend, params.partial_result_token, found)
                found = []
            await turns.give_way()
    if params.partial_result_token is not None:
        _send(backend, params.partial_result_token, found)
        return []
    return found


def _symbol(backend: Backend, snapshot: Snapshot, named: Named) -> lsp.WorkspaceSymbol:
    client = backend.client
    if client.resolves_symbol_ranges:
        where = lsp.LocationUriOnly(client.uri(named.uri))
        data = msgspec.to_builtins(Ticket(named.span.start, named.span.end, named.name))
    else:
        where, data = location(client, snapshot, named.uri, named.span), None
    return lsp.WorkspaceSymbol(
        location=where,
        name=named.name,
        kind=symbol_kind(named.kind),
        container_name=named.container or None,
        data=data,
    )


def _send(
    backend: Backend, token: lsp.ProgressToken, symbols: Sequence[lsp.WorkspaceSymbol]
) -> None:
    if symbols:
        backend.server.progress(lsp.ProgressParams(token, list(symbols)))


def resolve(backend: Backend, symbol: lsp.WorkspaceSymbol) -> lsp.WorkspaceSymbol:
    """Answer `workspaceSymbol/resolve`: where in its file the symbol stands.

    Raises:
        RefusedError: The symbol is none of ours, or its file has changed since.
    """
    try:
        ticket = msgspec.convert(symbol.data, Ticket)
    except msgspec.ValidationError as error:
        raise invalid_params(str(error)) from error
    uri = canonical(symbol.location.uri)
    snapshot, source = backend.snapshot(uri)
    if source is None or ticket.end > len(source.document.text):
        raise content_modified()
    symbol.location = location(backend.client, snapshot, uri, Span(ticket.start, ticket.end))
    return symbol


ANSWERS: dict[str, Callable[[Backend, Any], object]] = {
    lsp.WORKSPACE_SYMBOL: search,
    lsp.WORKSPACE_SYMBOL_RESOLVE: resolve,
}
"""Which function answers which method."""
