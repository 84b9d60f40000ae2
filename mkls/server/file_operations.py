"""Answer what else is to change when files are renamed."""

from collections.abc import Callable
from typing import Any

from lsprotocol import types as lsp

from mkls.features.file_renames import file_renames
from mkls.server.backend import Backend
from mkls.server.client import canonical
from mkls.server.workspace_edits import workspace_edit


def will_rename_files(backend: Backend, params: lsp.RenameFilesParams) -> lsp.WorkspaceEdit | None:
    """Answer `workspace/willRenameFiles`."""
    renamed = [(canonical(it.old_uri), canonical(it.new_uri)) for it in params.files]
    for folder in backend.folders:
        backend.documents.read(folder)
        snapshot = folder.snapshot()
        if edits := file_renames(snapshot, renamed):
            return workspace_edit(backend.client, snapshot, edits, None)
    return None


ANSWERS: dict[str, Callable[[Backend, Any], object]] = {
    lsp.WORKSPACE_WILL_RENAME_FILES: will_rename_files,
}
"""Which function answers which method."""
