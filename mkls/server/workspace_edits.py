"""From edits of several documents to the protocol's workspace edits."""

from collections.abc import Iterable

from lsprotocol import types as lsp

from mkls.diagnostics.model import FileEdit
from mkls.features.rename import Change, Renaming
from mkls.index.snapshot import Snapshot
from mkls.server.client import Client
from mkls.server.to_proto import range_, text_edit
from mkls.text.document import Uri
from mkls.text.edit import Edit

_ANNOTATION = "mkls"


def workspace_edit(
    client: Client, snapshot: Snapshot, edits: Iterable[FileEdit], doubt: str | None
) -> lsp.WorkspaceEdit:
    """Convert `edits`; with a `doubt`, the client asks the user before it applies them."""
    by_uri: dict[Uri, list[Edit]] = {}
    for it in edits:
        if it.uri in snapshot.sources:
            by_uri.setdefault(it.uri, []).append(it.edit)
    if not client.document_changes:
        return lsp.WorkspaceEdit(changes=_changes(client, snapshot, by_uri))
    if doubt is None or not client.change_annotations:
        return lsp.WorkspaceEdit(document_changes=_versioned(client, snapshot, by_uri, False))
    return lsp.WorkspaceEdit(
        document_changes=_versioned(client, snapshot, by_uri, True),
        change_annotations={_ANNOTATION: lsp.ChangeAnnotation(doubt, needs_confirmation=True)},
    )


def _changes(
    client: Client, snapshot: Snapshot, by_uri: dict[Uri, list[Edit]]
) -> dict[str, list[lsp.TextEdit]]:
    return {
        client.uri(uri): [text_edit(client, snapshot.sources[uri].document, edit) for edit in edits]
        for uri, edits in by_uri.items()
    }


def _versioned(
    client: Client, snapshot: Snapshot, by_uri: dict[Uri, list[Edit]], annotated: bool
) -> list[lsp.TextDocumentEdit]:
    return [_document_edit(client, snapshot, uri, by_uri[uri], annotated) for uri in by_uri]


def _document_edit(
    client: Client, snapshot: Snapshot, uri: Uri, edits: Iterable[Edit], annotated: bool
) -> lsp.TextDocumentEdit:
    document = snapshot.sources[uri].document
    name = lsp.OptionalVersionedTextDocumentIdentifier(client.uri(uri), document.version)
    if not annotated:
        return lsp.TextDocumentEdit(name, [text_edit(client, document, it) for it in edits])
    return lsp.TextDocumentEdit(
        name,
        [
            lsp.AnnotatedTextEdit(_ANNOTATION, range_(client, document, it.span), it.new_text)
            for it in edits
        ],
    )


def renaming_edit(client: Client, snapshot: Snapshot, renaming: Renaming) -> lsp.WorkspaceEdit:
    """Convert the edits of a rename; a client that knows how shows them by their labels."""
    if not (client.document_changes and client.change_annotations):
        plain = (FileEdit(it.uri, it.edit) for it in renaming.changes)
        return workspace_edit(client, snapshot, plain, None)
    by_uri: dict[Uri, list[Change]] = {}
    for it in renaming.changes:
        by_uri.setdefault(it.uri, []).append(it)
    doubt = renaming.doubt or None
    labels = dict.fromkeys(it.label for it in renaming.changes)
    return lsp.WorkspaceEdit(
        document_changes=[_labelled(client, snapshot, uri, by_uri[uri]) for uri in by_uri],
        change_annotations={
            it: lsp.ChangeAnnotation(it, needs_confirmation=bool(doubt), description=doubt)
            for it in labels
        },
    )


def _labelled(
    client: Client, snapshot: Snapshot, uri: Uri, changes: Iterable[Change]
) -> lsp.TextDocumentEdit:
    document = snapshot.sources[uri].document
    name = lsp.OptionalVersionedTextDocumentIdentifier(client.uri(uri), document.version)
    edits = [
        lsp.AnnotatedTextEdit(it.label, range_(client, document, it.edit.span), it.edit.new_text)
        for it in changes
    ]
    return lsp.TextDocumentEdit(name, edits)
