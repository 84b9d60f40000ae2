"""Answer about the call hierarchy."""

from collections.abc import Callable, Iterable
from typing import Any

import msgspec
from lsprotocol import types as lsp

from mkls.features.call_hierarchy import incoming, outgoing, prepared
from mkls.features.calls import Call, Node
from mkls.index.place import Place
from mkls.index.snapshot import Snapshot
from mkls.server import from_proto
from mkls.server.backend import Backend
from mkls.server.client import canonical
from mkls.server.errors import invalid_params
from mkls.server.to_proto import range_, symbol_kind


class Ticket(msgspec.Struct, frozen=True):
    """What an item carries, to be found again."""

    kind: str
    names: tuple[str, ...]


def prepare(
    backend: Backend, params: lsp.CallHierarchyPrepareParams
) -> list[lsp.CallHierarchyItem] | None:
    """Answer `textDocument/prepareCallHierarchy`."""
    uri = from_proto.document_uri(params.text_document)
    snapshot, source = backend.snapshot(uri)
    if source is None:
        return None
    offset = from_proto.offset(backend.client, source.document, params.position)
    nodes = [it for it in prepared(snapshot, uri, offset) if it.uri in snapshot.sources]
    return [_item(backend, snapshot, it) for it in nodes] or None


def incoming_calls(
    backend: Backend, params: lsp.CallHierarchyIncomingCallsParams
) -> list[lsp.CallHierarchyIncomingCall]:
    """Answer `callHierarchy/incomingCalls`."""
    snapshot, calls = _asked(backend, params.item, incoming)
    return [
        lsp.CallHierarchyIncomingCall(
            _item(backend, snapshot, it.node),
            _ranges(backend, snapshot, (at for at in it.places if at.uri == it.node.uri)),
        )
        for it in calls
    ]


def outgoing_calls(
    backend: Backend, params: lsp.CallHierarchyOutgoingCallsParams
) -> list[lsp.CallHierarchyOutgoingCall]:
    """Answer `callHierarchy/outgoingCalls`."""
    snapshot, calls = _asked(backend, params.item, outgoing)
    own = canonical(params.item.uri)
    return [
        lsp.CallHierarchyOutgoingCall(
            _item(backend, snapshot, it.node),
            _ranges(backend, snapshot, (at for at in it.places if at.uri == own)),
        )
        for it in calls
    ]


def _asked(
    backend: Backend, item: lsp.CallHierarchyItem, find: Callable[..., list[Call]]
) -> tuple[Snapshot, list[Call]]:
    try:
        ticket = msgspec.convert(item.data, Ticket)
    except msgspec.ValidationError as error:
        raise invalid_params(str(error)) from error
    uri = canonical(item.uri)
    snapshot, _ = backend.snapshot(uri)
    found = find(snapshot, ticket.kind, ticket.names, uri)
    return snapshot, [it for it in found if it.node.uri in snapshot.sources]


def _item(backend: Backend, snapshot: Snapshot, node: Node) -> lsp.CallHierarchyItem:
    document = snapshot.sources[node.uri].document
    return lsp.CallHierarchyItem(
        name=node.title,
        kind=symbol_kind(node.symbol),
        uri=backend.client.uri(node.uri),
        range=range_(backend.client, document, node.whole),
        selection_range=range_(backend.client, document, node.span),
        detail=node.detail or None,
        data=msgspec.to_builtins(Ticket(node.kind, node.names)),
    )


def _ranges(backend: Backend, snapshot: Snapshot, places: Iterable[Place]) -> list[lsp.Range]:
    client = backend.client
    return [range_(client, snapshot.sources[it.uri].document, it.span) for it in places]


ANSWERS: dict[str, Callable[[Backend, Any], object]] = {
    lsp.TEXT_DOCUMENT_PREPARE_CALL_HIERARCHY: prepare,
    lsp.CALL_HIERARCHY_INCOMING_CALLS: incoming_calls,
    lsp.CALL_HIERARCHY_OUTGOING_CALLS: outgoing_calls,
}
"""Which function answers which method."""
