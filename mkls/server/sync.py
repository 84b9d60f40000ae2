"""Take in what the client says about texts, files, folders and settings."""

from collections.abc import Iterable, Iterator, Set
from pathlib import Path

from lsprotocol import types as lsp

from mkls.server import from_proto
from mkls.server.backend import Backend
from mkls.server.client import canonical, folder_path
from mkls.server.folders import Folder
from mkls.server.settings import SECTION
from mkls.session.discovery import in_workspace
from mkls.session.loading import excluded
from mkls.session.state import language_for
from mkls.text.document import Document, path_of

_WATCHED = "**/*.{yaml,metal,mm,h,cpp,py}"
_CONFIGURATION = ("mkls.toml", "pyproject.toml")
_OTHERS = ("**/torchgen/model.py", *(f"**/{name}" for name in _CONFIGURATION))


def initialized(backend: Backend, _params: lsp.InitializedParams) -> None:
    """Load what the client named, and ask to hear of changes."""
    if backend.client.registers_watchers:
        watchers = [lsp.FileSystemWatcher(pattern) for pattern in (_WATCHED, *_OTHERS)]
        # Of a folder that is deleted, some clients tell nothing but that.
        watchers.append(lsp.FileSystemWatcher("**/*", lsp.WatchKind.Delete))
        _register(
            backend,
            lsp.WORKSPACE_DID_CHANGE_WATCHED_FILES,
            lsp.DidChangeWatchedFilesRegistrationOptions(watchers),
        )
    if backend.client.registers_configuration:
        _register(
            backend,
            lsp.WORKSPACE_DID_CHANGE_CONFIGURATION,
            lsp.DidChangeConfigurationRegistrationOptions(SECTION),
        )
    for folder in backend.folders:
        backend.loader.start(folder)


def did_open(backend: Backend, params: lsp.DidOpenTextDocumentParams) -> None:
    """Take in a document that the user opened."""
    item = params.text_document
    uri = from_proto.document_uri(item)
    language = language_for(uri, item.language_id, item.text)
    if language is None:
        return
    folder = backend.folder(uri)
    backend.documents.open(Document(uri, language, item.text, item.version), folder, item.uri)
    backend.publisher.touch(folder)
    backend.compiling.touch(folder, uri)
    if folder.loaded.is_set():
        backend.loader.look_again(folder)


def did_change(backend: Backend, params: lsp.DidChangeTextDocumentParams) -> None:
    """Take in what the user typed."""
    uri = from_proto.document_uri(params.text_document)
    changes = from_proto.changes(params.content_changes)
    document = backend.documents.change(uri, changes, params.text_document.version)
    if document:
        backend.publisher.touch(document.folder)
        backend.compiling.touch(document.folder, uri)


def did_close(backend: Backend, params: lsp.DidCloseTextDocumentParams) -> None:
    """Let the disk's text count again, as it is now."""
    uri = from_proto.document_uri(params.text_document)
    closed = backend.documents.close(uri)
    if closed:
        backend.compiling.forget(closed.folder, uri)
        path = Path(path_of(uri))
        backend.loader.reread(closed.folder, [path] if _reads(closed.folder, path) else [])


def did_save(backend: Backend, params: lsp.DidSaveTextDocumentParams) -> None:
    """Look what else has changed; what was saved is what the editor said before."""
    document = backend.documents.get(from_proto.document_uri(params.text_document))
    if document:
        backend.loader.look_again(document.folder)


def did_change_watched_files(backend: Backend, params: lsp.DidChangeWatchedFilesParams) -> None:
    """Take in files that were made, changed or deleted."""
    changes = [(path, it.type) for it in params.changes for path in folder_path(canonical(it.uri))]
    for folder in backend.folders:
        held = [it for it in changes if backend.folders.holding(it[0]) is folder]
        if any(path.name in _CONFIGURATION and path.parent == folder.root for path, _ in held):
            backend.loader.configure(folder)
        read = [path for path, _ in held if _reads(folder, path)]
        deleted = {path for path, kind in held if kind == lsp.FileChangeType.Deleted}
        if paths := [*read, *_below(folder, deleted.difference(read))]:
            backend.loader.reread(folder, paths)


def _below(folder: Folder, deleted: Set[Path]) -> Iterator[Path]:
    """Yield the files that were in one of `deleted`, which may be folders."""
    if deleted:
        for uri in folder.session.on_disk():
            path = Path(path_of(uri))
            if not deleted.isdisjoint(path.parents):
                yield path


def did_change_configuration(backend: Backend, params: lsp.DidChangeConfigurationParams) -> None:
    """Take in settings that have changed; a client that can be asked is asked for them."""
    backend.settings.give(params.settings)
    for folder in backend.folders:
        backend.loader.configure(folder)


def did_change_workspace_folders(
    backend: Backend, params: lsp.DidChangeWorkspaceFoldersParams
) -> None:
    """Open and close workspaces."""
    for removed in params.event.removed:
        for path in folder_path(canonical(removed.uri)):
            _close(backend, backend.folders.remove(path))
    for added in params.event.added:
        for path in folder_path(canonical(added.uri)):
            backend.loader.start(backend.folders.add(path))
    for document in backend.documents:
        folder = backend.folders.of(document.document.uri)
        backend.loader.start(folder)
        backend.documents.move(document, folder)
        backend.publisher.touch(folder)


def _close(backend: Backend, folders: Iterable[Folder]) -> None:
    for folder in folders:
        if folder.work:
            folder.work.cancel()
        backend.publisher.close(folder)


def _reads(folder: Folder, path: Path) -> bool:
    if not folder.whole:
        return path.parent == folder.root
    return in_workspace(folder.root, path) and not excluded(
        str(path), folder.root, folder.config.exclude
    )


def _register(backend: Backend, method: str, options: object) -> None:
    registration = lsp.Registration(f"mkls {method}", method, options)
    backend.server.client_register_capability(lsp.RegistrationParams([registration]))
