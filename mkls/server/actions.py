"""Offer fixes as code actions.

A client that can ask for an action's edit gets it when the user has chosen the action.
"""

from collections.abc import Iterable, Iterator, Sequence

import msgspec
from lsprotocol import types as lsp

from mkls.features.code_actions import Action, fix_all, quick_fixes
from mkls.index.snapshot import Snapshot
from mkls.server import from_proto
from mkls.server.backend import Backend
from mkls.server.capabilities import FIX_ALL
from mkls.server.client import canonical
from mkls.server.diagnostics_to_proto import diagnostic
from mkls.server.errors import content_modified, invalid_params
from mkls.server.generated_actions import (
    GeneratedTicket,
    generated_actions,
    resolved_edit,
    wanted_kinds,
)
from mkls.server.reports import Shown
from mkls.server.workspace_edits import workspace_edit
from mkls.text.document import Uri


class Ticket(msgspec.Struct, frozen=True, tag="fix"):
    """What an action without an edit carries, to be found again in the same text."""

    uri: str
    version: int | None
    title: str
    start: int | None


def code_action(backend: Backend, params: lsp.CodeActionParams) -> list[lsp.CodeAction]:
    """Answer `textDocument/codeAction`."""
    uri = from_proto.document_uri(params.text_document)
    snapshot, source = backend.snapshot(uri)
    if source is None:
        return []
    shown = _shown(backend, snapshot, uri)
    near = list(_near(backend, snapshot, shown, params))
    only = from_proto.kinds(params.context.only)
    found = [_offer(backend, snapshot, uri, action, near) for action in _wanted(shown, near, only)]
    if not backend.folder(uri).loaded.is_set():
        return found  # half of a workspace would make half of a plan
    offset = from_proto.offset(backend.client, source.document, params.range.start)
    kinds = wanted_kinds(only)
    return [
        *found,
        *generated_actions(backend.client, snapshot, uri, offset, shown, kinds),
    ]


def resolve(backend: Backend, action: lsp.CodeAction) -> lsp.CodeAction:
    """Answer `codeAction/resolve`.

    Raises:
        RefusedError: The document has changed since the action was offered.
    """
    try:
        ticket = msgspec.convert(action.data, Ticket | GeneratedTicket)
    except msgspec.ValidationError as error:
        raise invalid_params(str(error)) from error
    uri = canonical(ticket.uri)
    snapshot, source = backend.snapshot(uri)
    if source is None or source.document.version != ticket.version:
        raise content_modified()
    if isinstance(ticket, GeneratedTicket):
        action.edit = resolved_edit(backend.client, snapshot, ticket)
        return action
    findings = [it.finding for it in _shown(backend, snapshot, uri)]
    everything = fix_all(findings)
    known = (*quick_fixes(findings), *((everything,) if everything else ()))
    wanted = ticket.title, ticket.start
    chosen = next((it for it in known if (it.title, _start(it)) == wanted), None)
    if chosen is None:
        raise content_modified()
    action.edit = _edit(backend, snapshot, chosen)
    return action


def _shown(backend: Backend, snapshot: Snapshot, uri: Uri) -> Sequence[Shown]:
    return backend.folder(uri).reports.of(snapshot, uri).shown


def _near(
    backend: Backend, snapshot: Snapshot, shown: Iterable[Shown], params: lsp.CodeActionParams
) -> Iterator[Shown]:
    """Yield the findings that the range touches, or that the client says it is about."""
    meant = {(it.code, *_start_of(it)) for it in params.context.diagnostics}
    for it in shown:
        document = snapshot.sources[it.finding.uri].document
        place = it.finding.diagnostic.span
        span = from_proto.span(backend.client, document, params.range)
        start = document.lines.position(place.start, backend.client.encoding)
        touched = span.start <= place.end and place.start <= span.end
        if touched or (it.finding.rule.code, *start) in meant:
            yield it


def _start_of(diagnostic: lsp.Diagnostic) -> tuple[int, int]:
    return diagnostic.range.start.line, diagnostic.range.start.character


def _wanted(
    shown: Iterable[Shown], near: Iterable[Shown], only: Sequence[str] | None
) -> Iterator[Action]:
    if _includes(only, lsp.CodeActionKind.QuickFix.value):
        yield from quick_fixes(it.finding for it in near)
    if _includes(only, FIX_ALL):
        everything = fix_all(it.finding for it in shown)
        # Unasked, one fix in the whole document would only be offered twice.
        if everything and (only or len(everything.edits) > 1):
            yield everything


def _includes(only: Sequence[str] | None, kind: str) -> bool:
    """Whether a client that asks for `only` wants `kind`: itself, or a kind above it."""
    return only is None or any(f"{kind}.".startswith(f"{it}." if it else "") for it in only)


def _offer(
    backend: Backend, snapshot: Snapshot, uri: Uri, action: Action, near: Iterable[Shown]
) -> lsp.CodeAction:
    client = backend.client
    about = [diagnostic(client, snapshot, it) for it in near if it.finding is action.finding]
    offer = lsp.CodeAction(
        title=action.title,
        kind=lsp.CodeActionKind.QuickFix if action.finding else FIX_ALL,
        diagnostics=about or None,
        is_preferred=True if action.preferred else None,
    )
    if client.action_edits_resolve:
        version = snapshot.sources[uri].document.version
        offer.data = msgspec.to_builtins(Ticket(uri, version, action.title, _start(action)))
    else:
        offer.edit = _edit(backend, snapshot, action)
    return offer


def _edit(backend: Backend, snapshot: Snapshot, action: Action) -> lsp.WorkspaceEdit:
    doubt = None if action.safe else action.title
    return workspace_edit(backend.client, snapshot, action.edits, doubt)


def _start(action: Action) -> int | None:
    return action.finding.diagnostic.span.start if action.finding else None
