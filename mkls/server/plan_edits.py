"""From plans to the protocol's workspace edits: files to create, edits with their annotations."""

from collections.abc import Iterator

from lsprotocol import types as lsp

from mkls.generation.plan import NewFile, Plan
from mkls.index.snapshot import Snapshot
from mkls.server.client import Client
from mkls.server.to_proto import range_, text_edit
from mkls.text.document import Uri
from mkls.text.edit import Edit

_Change = lsp.TextDocumentEdit | lsp.CreateFile
_Edit = lsp.TextEdit | lsp.AnnotatedTextEdit
_START = lsp.Range(lsp.Position(0, 0), lsp.Position(0, 0))


def can_carry_out(client: Client, plan: Plan) -> bool:
    """Whether `client` can do all that `plan` asks: to create files is a capability of its own."""
    return not plan.files or (client.document_changes and client.creates_files)


def plan_edit(client: Client, snapshot: Snapshot, plan: Plan) -> lsp.WorkspaceEdit:
    """Convert `plan`; with a client that can, each step with a doubt is confirmed by the user."""
    if not client.document_changes:
        return lsp.WorkspaceEdit(changes=_changes(client, snapshot, plan))
    edits: dict[Uri, list[_Edit]] = {}
    annotations: dict[str, lsp.ChangeAnnotation] = {}
    created: list[_Change] = []
    for number, step in enumerate(plan.steps):
        name = f"step-{number + 1}" if step.doubt and client.change_annotations else None
        if name:
            annotations[name] = lsp.ChangeAnnotation(
                step.title, needs_confirmation=True, description=step.doubt
            )
        for file in step.files:
            created += _created(client, file, name)
        for it in step.edits:
            edit = _edit(client, snapshot, it.uri, it.edit, name)
            edits.setdefault(it.uri, []).append(edit)
    changes: list[_Change] = [*created, *_documents(client, snapshot, edits)]
    return lsp.WorkspaceEdit(document_changes=changes, change_annotations=annotations or None)


def _changes(client: Client, snapshot: Snapshot, plan: Plan) -> dict[str, list[lsp.TextEdit]]:
    found: dict[str, list[lsp.TextEdit]] = {}
    for it in plan.edits:
        document = snapshot.sources[it.uri].document
        found.setdefault(client.uri(it.uri), []).append(text_edit(client, document, it.edit))
    return found


def _created(client: Client, file: NewFile, annotation: str | None) -> Iterator[_Change]:
    options = lsp.CreateFileOptions(overwrite=False, ignore_if_exists=False)
    uri = client.uri(file.uri)
    yield lsp.CreateFile(uri=uri, options=options, annotation_id=annotation)
    name = lsp.OptionalVersionedTextDocumentIdentifier(uri, None)
    if annotation is None:
        yield lsp.TextDocumentEdit(name, [lsp.TextEdit(_START, file.text)])
    else:
        yield lsp.TextDocumentEdit(name, [lsp.AnnotatedTextEdit(annotation, _START, file.text)])


def _edit(
    client: Client, snapshot: Snapshot, uri: Uri, edit: Edit, annotation: str | None
) -> _Edit:
    document = snapshot.sources[uri].document
    if annotation is None:
        return text_edit(client, document, edit)
    return lsp.AnnotatedTextEdit(annotation, range_(client, document, edit.span), edit.new_text)


def _documents(
    client: Client, snapshot: Snapshot, edits: dict[Uri, list[_Edit]]
) -> Iterator[lsp.TextDocumentEdit]:
    for uri, listed in edits.items():
        version = snapshot.sources[uri].document.version
        name = lsp.OptionalVersionedTextDocumentIdentifier(client.uri(uri), version)
        yield lsp.TextDocumentEdit(name, list(listed))
