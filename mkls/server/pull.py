"""Answer clients that ask for diagnostics."""

from collections.abc import Iterator, Mapping, Sequence

from lsprotocol import types as lsp

from mkls.index.snapshot import Snapshot
from mkls.server import from_proto
from mkls.server.backend import Backend
from mkls.server.client import canonical
from mkls.server.diagnostics_to_proto import diagnostics
from mkls.server.folders import Folder, Told
from mkls.server.reports import EMPTY
from mkls.server.turns import Turns
from mkls.text.document import Uri

_PART = 32  # documents in one partial result

_RelatedReport = lsp.FullDocumentDiagnosticReport | lsp.UnchangedDocumentDiagnosticReport
_WorkspaceReport = (
    lsp.WorkspaceFullDocumentDiagnosticReport | lsp.WorkspaceUnchangedDocumentDiagnosticReport
)


async def document_diagnostic(
    backend: Backend, params: lsp.DocumentDiagnosticParams
) -> lsp.RelatedFullDocumentDiagnosticReport | lsp.RelatedUnchangedDocumentDiagnosticReport:
    """Answer `textDocument/diagnostic`.

    Other open documents whose diagnostics have changed with this one's come along.
    """
    uri = from_proto.document_uri(params.text_document)
    folder = backend.folder(uri)
    # From half of the workspace, the links would be wrong.
    await folder.loaded.wait()
    snapshot, _ = backend.snapshot(uri)
    result_id = folder.tell(snapshot, uri)
    related = dict(_related(backend, folder, snapshot, uri)) or None
    if result_id == params.previous_result_id:
        return lsp.RelatedUnchangedDocumentDiagnosticReport(
            result_id=result_id, related_documents=related
        )
    items = diagnostics(backend.client, snapshot, uri, folder.reports.of(snapshot, uri))
    return lsp.RelatedFullDocumentDiagnosticReport(
        items=items, result_id=result_id, related_documents=related
    )


def _related(
    backend: Backend, folder: Folder, snapshot: Snapshot, uri: Uri
) -> Iterator[tuple[str, _RelatedReport]]:
    if not backend.client.related_documents:
        return
    for document in backend.documents:
        other = document.document.uri
        if document.folder is not folder or other == uri:
            continue
        before = folder.told.get(other, Told(EMPTY.result_id)).result_id
        result_id = folder.tell(snapshot, other)
        if result_id != before:
            report = folder.reports.of(snapshot, other)
            items = diagnostics(backend.client, snapshot, other, report)
            yield (
                backend.client.uri(other),
                lsp.FullDocumentDiagnosticReport(items=items, result_id=result_id),
            )


async def workspace_diagnostic(
    backend: Backend, params: lsp.WorkspaceDiagnosticParams
) -> lsp.WorkspaceDiagnosticReport:
    """Answer `workspace/diagnostic`, in parts when the client takes them."""
    turns = Turns()
    before = {canonical(it.uri): it.value for it in params.previous_result_ids}
    reports: list[_WorkspaceReport] = []
    for folder in backend.folders:
        backend.loader.start(folder)
        await folder.loaded.wait()
        backend.documents.read(folder)
        snapshot = folder.snapshot()
        for uri in snapshot.sources:
            if report := _workspace_report(backend, folder, snapshot, uri, before):
                reports.append(report)
            if len(reports) >= _PART and params.partial_result_token is not None:
                _send_part(backend, params.partial_result_token, reports)
                reports = []
            await turns.give_way()
    if params.partial_result_token is not None:
        _send_part(backend, params.partial_result_token, reports)
        return lsp.WorkspaceDiagnosticReport([])
    return lsp.WorkspaceDiagnosticReport(reports)


def _workspace_report(
    backend: Backend, folder: Folder, snapshot: Snapshot, uri: Uri, before: Mapping[Uri, str]
) -> _WorkspaceReport | None:
    """Return what to say about `uri`, None when there is nothing and never was."""
    result_id = folder.tell(snapshot, uri)
    version = snapshot.sources[uri].document.version
    spelling = backend.client.uri(uri)
    if result_id == before.get(uri):
        return lsp.WorkspaceUnchangedDocumentDiagnosticReport(spelling, result_id, version)
    if result_id == EMPTY.result_id and uri not in before:
        return None
    items = diagnostics(backend.client, snapshot, uri, folder.reports.of(snapshot, uri))
    return lsp.WorkspaceFullDocumentDiagnosticReport(
        uri=spelling, items=items, result_id=result_id, version=version
    )


def _send_part(
    backend: Backend, token: lsp.ProgressToken, reports: Sequence[_WorkspaceReport]
) -> None:
    if reports:
        part = lsp.WorkspaceDiagnosticReportPartialResult(reports)
        backend.server.progress(lsp.ProgressParams(token, part))
