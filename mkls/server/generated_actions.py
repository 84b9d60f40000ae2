"""Offer what mkls can generate as code actions; their edits are made when one is chosen."""

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

import msgspec
from lsprotocol import types as lsp

from mkls.features.generated_actions import (
    Generator,
    Offer,
    is_worth_telling,
    offers,
    planned,
)
from mkls.generation.plan import Plan, Refusal
from mkls.index.snapshot import Snapshot
from mkls.server.client import Client
from mkls.server.diagnostics_to_proto import diagnostic
from mkls.server.errors import request_failed
from mkls.server.plan_edits import can_carry_out, plan_edit
from mkls.server.reports import Shown
from mkls.session.cpu_kernels import cpu_kernel_texts
from mkls.text.document import Uri, path_of
from mkls.text.span import Span

REWRITE = lsp.CodeActionKind.RefactorRewrite.value
QUICK_FIX = lsp.CodeActionKind.QuickFix.value


class GeneratedTicket(msgspec.Struct, frozen=True, tag="generated"):
    """What an action carries to be planned again, in the text that it was offered for."""

    uri: str
    version: int | None
    title: str
    generator: Generator
    operator: str


def generated_actions(
    client: Client,
    snapshot: Snapshot,
    uri: Uri,
    offset: int,
    shown: Sequence[Shown],
    wanted: Sequence[str],
) -> Iterator[lsp.CodeAction]:
    """Yield the actions of the kinds `wanted` for what stands at `offset` of `uri`.

    `shown` are the findings of the document, some of which an action may take away.
    """
    for offer in offers(snapshot, uri, offset):
        about = [it for it in shown if _mends(offer, it)]
        kind = QUICK_FIX if about else REWRITE
        if kind not in wanted and not (about and REWRITE in wanted):
            continue
        answer = planned(snapshot, offer)
        action = _action(client, snapshot, uri, offer, answer)
        if action is not None:
            action.kind = kind if kind in wanted else REWRITE
            action.diagnostics = [diagnostic(client, snapshot, it) for it in about] or None
            yield action


def _mends(offer: Offer, shown: Shown) -> bool:
    start = shown.finding.diagnostic.span.start
    return shown.finding.rule.code in offer.mends and start in offer.span


def _action(
    client: Client, snapshot: Snapshot, uri: Uri, offer: Offer, answer: Plan | Refusal
) -> lsp.CodeAction | None:
    if isinstance(answer, Refusal):
        if not client.disabled_actions or not is_worth_telling(answer):
            return None
        reason = lsp.CodeActionDisabled(reason=answer.message)
        return lsp.CodeAction(title=offer.title, disabled=reason)
    if not can_carry_out(client, answer):
        return None
    title = _with_todo(offer.title, answer)
    if not client.action_edits_resolve:
        return lsp.CodeAction(title=title, edit=_edit(client, snapshot, offer))
    version = snapshot.sources[uri].document.version
    ticket = GeneratedTicket(uri, version, offer.title, offer.generator, offer.operator)
    return lsp.CodeAction(title=title, data=msgspec.to_builtins(ticket))


def _with_todo(title: str, plan: Plan) -> str:
    return f"{title} (something is left to do)" if plan.todo else title


def resolved_edit(client: Client, snapshot: Snapshot, ticket: GeneratedTicket) -> lsp.WorkspaceEdit:
    """Return the edit of the action that `ticket` was given for.

    Raises:
        RefusedError: It is refused by now; the error says why.
    """
    offer = Offer(ticket.title, ticket.generator, ticket.operator, (), Span(0, 0))
    return _edit(client, snapshot, offer)


def _edit(client: Client, snapshot: Snapshot, offer: Offer) -> lsp.WorkspaceEdit:
    texts = cpu_kernel_texts(Path(path_of(snapshot.root)))
    answer = planned(snapshot, offer, texts)
    if isinstance(answer, Refusal):
        raise request_failed(answer.message)
    return plan_edit(client, snapshot, answer)


def wanted_kinds(only: Iterable[str] | None) -> list[str]:
    """Return which kinds of generated actions a client wants that asks for `only`."""
    kinds = (QUICK_FIX, REWRITE)
    if only is None:
        return list(kinds)
    asked = tuple(only)
    return [
        kind for kind in kinds if any(f"{kind}.".startswith(f"{it}." if it else "") for it in asked)
    ]
