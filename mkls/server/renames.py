"""Answer renames of names."""

from collections.abc import Callable
from typing import Any

from lsprotocol import types as lsp

from mkls.features.rename import Renaming, rename, renameable
from mkls.features.rename_plan import Refusal
from mkls.server import from_proto
from mkls.server.backend import Backend
from mkls.server.errors import content_modified, request_failed
from mkls.server.to_proto import range_
from mkls.server.workspace_edits import renaming_edit

_ANYWAY, _NOT = "Rename", "Cancel"


async def prepare(
    backend: Backend, params: lsp.PrepareRenameParams
) -> lsp.PrepareRenamePlaceholder | None:
    """Answer `textDocument/prepareRename`, when the whole workspace is read.

    Raises:
        RefusedError: What is there cannot be renamed; the message says why.
    """
    uri = from_proto.document_uri(params.text_document)
    await backend.folder(uri).loaded.wait()
    snapshot, source = backend.snapshot(uri)
    if source is None:
        return None
    offset = from_proto.offset(backend.client, source.document, params.position)
    found = renameable(snapshot, uri, offset)
    if isinstance(found, Refusal):
        raise request_failed(found.reason)
    where = range_(backend.client, source.document, found.span)
    return lsp.PrepareRenamePlaceholder(where, found.old)


async def perform(backend: Backend, params: lsp.RenameParams) -> lsp.WorkspaceEdit | None:
    """Answer `textDocument/rename`, when the whole workspace is read.

    Raises:
        RefusedError: It would break something, or the user does not want it after all.
    """
    uri = from_proto.document_uri(params.text_document)
    await backend.folder(uri).loaded.wait()
    snapshot, source = backend.snapshot(uri)
    if source is None:
        return None
    offset = from_proto.offset(backend.client, source.document, params.position)
    found = rename(snapshot, uri, offset, params.new_name)
    if isinstance(found, Refusal):
        raise request_failed(found.reason)
    if found.doubt and not backend.client.change_annotations:
        await _confirm(backend, found)
        if backend.snapshot(uri)[0] is not snapshot:
            raise content_modified()
    return renaming_edit(backend.client, snapshot, found)


async def _confirm(backend: Backend, renaming: Renaming) -> None:
    """Ask the user of a client that cannot show what needs to be confirmed."""
    count = len(renaming.changes)
    question = lsp.ShowMessageRequestParams(
        lsp.MessageType.Warning,
        f"{renaming.doubt}. Rename in {count} places all the same?",
        [lsp.MessageActionItem(_ANYWAY), lsp.MessageActionItem(_NOT)],
    )
    answer = await backend.server.window_show_message_request_async(question)
    if answer is None or answer.title != _ANYWAY:
        raise request_failed("not renamed")


ANSWERS: dict[str, Callable[[Backend, Any], object]] = {
    lsp.TEXT_DOCUMENT_PREPARE_RENAME: prepare,
    lsp.TEXT_DOCUMENT_RENAME: perform,
}
"""Which function answers which method."""
