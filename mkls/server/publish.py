"""Tell the client what is wrong, some time after an edit.

A client that does not ask is told (`textDocument/publishDiagnostics`). One that asks is told to ask
again when an edit has changed what it knows of other documents.
"""

from collections.abc import Iterable

from lsprotocol import types as lsp
from pygls.lsp.server import LanguageServer

from mkls.index.snapshot import Snapshot
from mkls.server.client import Client
from mkls.server.debounced import Debounced
from mkls.server.diagnostics_to_proto import diagnostics
from mkls.server.documents import Documents
from mkls.server.folders import Folder, Told
from mkls.server.notices import Notices
from mkls.server.reports import EMPTY
from mkls.server.turns import Turns
from mkls.text.document import Uri


class Publisher:
    """Runs the rules after edits; a burst of edits costs one run."""

    def __init__(
        self,
        server: LanguageServer,
        client: Client,
        documents: Documents,
        notices: Notices,
    ) -> None:
        """Tell `client` about every workspace."""
        self._server = server
        self._client = client
        self._documents = documents
        self._notices = notices
        self._runs: dict[Folder, Debounced] = {}

    def touch(self, folder: Folder) -> None:
        """Something in `folder` has changed."""
        if folder not in self._runs:
            self._runs[folder] = Debounced(lambda: self._run(folder), self._notices)
        self._runs[folder].touch()

    def close(self, folder: Folder) -> None:
        """The workspace `folder` is closed: take back what was said about it."""
        if run := self._runs.pop(folder, None):
            run.stop()
        for uri in tuple(folder.told):
            self._take_back(folder, uri)

    async def _run(self, folder: Folder) -> None:
        if not folder.loaded.is_set():
            return
        if self._client.pulls:
            await self._ask_to_pull(folder)
        else:
            await self._publish_changes(folder)

    async def _publish_changes(self, folder: Folder) -> None:
        turns = Turns()
        self._documents.read(folder)
        snapshot = folder.snapshot()
        for uri in folder.told.keys() - snapshot.sources.keys():
            self._take_back(folder, uri)
        for uri in self._in_order(folder, snapshot):
            self._publish_if_new(folder, snapshot, uri)
            await turns.give_way()

    def _publish_if_new(self, folder: Folder, snapshot: Snapshot, uri: Uri) -> None:
        report = folder.reports.of(snapshot, uri)
        version = snapshot.sources[uri].document.version
        told = Told(report.result_id, version)
        if folder.told.get(uri, Told(EMPTY.result_id)) != told:
            folder.told[uri] = told
            found = diagnostics(self._client, snapshot, uri, report)
            self._publish(uri, found, version)

    def _take_back(self, folder: Folder, uri: Uri) -> None:
        told = folder.told.pop(uri)
        if not self._client.pulls and told.result_id != EMPTY.result_id:
            self._publish(uri, [], None)

    async def _ask_to_pull(self, folder: Folder) -> None:
        if not self._client.refreshes:
            return
        turns = Turns()
        self._documents.read(folder)
        snapshot = folder.snapshot()
        for uri in self._in_order(folder, snapshot):
            if self._is_stale(folder, snapshot, uri):
                self._server.workspace_diagnostic_refresh(None)
                return
            await turns.give_way()

    def _is_stale(self, folder: Folder, snapshot: Snapshot, uri: Uri) -> bool:
        """Whether the client shows something old, and does not know it: it did not edit `uri`."""
        told = folder.told.get(uri)
        if told is None or told.version != snapshot.sources[uri].document.version:
            return False
        return told.result_id != folder.reports.of(snapshot, uri).result_id

    def _in_order(self, folder: Folder, snapshot: Snapshot) -> Iterable[Uri]:
        """Return every document, what the user sees first."""
        first = [it.document.uri for it in self._documents if it.folder is folder]
        return dict.fromkeys((*first, *snapshot.sources))

    def _publish(self, uri: Uri, found: list[lsp.Diagnostic], version: int | None) -> None:
        sent = version if self._client.publish_versions else None
        params = lsp.PublishDiagnosticsParams(self._client.uri(uri), found, sent)
        self._server.text_document_publish_diagnostics(params)
