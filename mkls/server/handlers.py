"""Which function answers which method."""

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from lsprotocol import types as lsp

from mkls.server import (
    actions,
    commands,
    completion,
    file_operations,
    hierarchy,
    hints,
    lenses,
    links,
    navigation,
    pull,
    ranges,
    renames,
    requests,
    symbols,
    sync,
    tokens,
    virtual_documents,
)
from mkls.server.backend import Backend
from mkls.server.dispatch import Handlers

_REQUESTS: Mapping[str, Callable[[Backend, Any], object]] = {
    **file_operations.ANSWERS,
    **hierarchy.ANSWERS,
    **links.ANSWERS,
    **navigation.ANSWERS,
    **renames.ANSWERS,
    **symbols.ANSWERS,
    lsp.TEXT_DOCUMENT_CODE_ACTION: actions.code_action,
    lsp.CODE_ACTION_RESOLVE: actions.resolve,
    lsp.COMPLETION_ITEM_RESOLVE: completion.resolve,
    lsp.INLAY_HINT_RESOLVE: hints.resolve,
    lsp.CODE_LENS_RESOLVE: lenses.resolve,
    lsp.TEXT_DOCUMENT_COMPLETION: completion.completion,
    lsp.TEXT_DOCUMENT_SIGNATURE_HELP: completion.signature_help,
    lsp.TEXT_DOCUMENT_CODE_LENS: lenses.code_lens,
    lsp.TEXT_DOCUMENT_DEFINITION: requests.text_document_definition,
    lsp.TEXT_DOCUMENT_DIAGNOSTIC: pull.document_diagnostic,
    lsp.TEXT_DOCUMENT_DOCUMENT_SYMBOL: requests.text_document_document_symbol,
    lsp.TEXT_DOCUMENT_FOLDING_RANGE: ranges.folding_range,
    lsp.TEXT_DOCUMENT_HOVER: requests.text_document_hover,
    lsp.TEXT_DOCUMENT_INLAY_HINT: hints.inlay_hint,
    lsp.TEXT_DOCUMENT_SELECTION_RANGE: ranges.selection_range,
    lsp.TEXT_DOCUMENT_SEMANTIC_TOKENS_FULL: tokens.full,
    lsp.TEXT_DOCUMENT_SEMANTIC_TOKENS_FULL_DELTA: tokens.delta,
    lsp.TEXT_DOCUMENT_SEMANTIC_TOKENS_RANGE: tokens.of_range,
    lsp.WORKSPACE_DIAGNOSTIC: pull.workspace_diagnostic,
    lsp.WORKSPACE_EXECUTE_COMMAND: commands.execute_command,
    lsp.WORKSPACE_TEXT_DOCUMENT_CONTENT: virtual_documents.text_document_content,
}
_NOTIFICATIONS: Mapping[str, Callable[[Backend, Any], object]] = {
    lsp.INITIALIZED: sync.initialized,
    lsp.TEXT_DOCUMENT_DID_OPEN: sync.did_open,
    lsp.TEXT_DOCUMENT_DID_CHANGE: sync.did_change,
    lsp.TEXT_DOCUMENT_DID_CLOSE: sync.did_close,
    lsp.TEXT_DOCUMENT_DID_SAVE: sync.did_save,
    lsp.WINDOW_WORK_DONE_PROGRESS_CANCEL: commands.work_done_progress_cancel,
    lsp.WORKSPACE_DID_CHANGE_CONFIGURATION: sync.did_change_configuration,
    lsp.WORKSPACE_DID_CHANGE_WATCHED_FILES: sync.did_change_watched_files,
    lsp.WORKSPACE_DID_CHANGE_WORKSPACE_FOLDERS: sync.did_change_workspace_folders,
}


def handlers_of(backend: Backend) -> Handlers:
    """Return what answers each method, on `backend`."""
    return Handlers(
        {method: partial(answer, backend) for method, answer in _REQUESTS.items()},
        {method: partial(take_in, backend) for method, take_in in _NOTIFICATIONS.items()},
    )
