"""Put a request together from a text, its directives and its headers (client side)."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from mkls.facts.extract import facts_of
from mkls.index.snapshot import Snapshot, Source, Workspace
from mkls.runner.directives import directives
from mkls.runner.embedding import embed
from mkls.runner.kernel_specs import kernel_specs
from mkls.runner.request import KernelSpec, RunRequest
from mkls.text.document import Document, Language, Uri, path_of, uri_of

Read = Callable[[str], "str | None"]


def include_dirs(root: Path, more: Sequence[str] = ()) -> tuple[str, ...]:
    """Return the folders of headers: the checkout's, then the configured ones.

    The worker adds those of its own torch behind them.
    """
    return (str(root), str(root / "aten" / "src"), *(str(root / it) for it in more))


def read_disk(path: str) -> str | None:
    """Return the text at `path`, None when it cannot be read."""
    try:
        return Path(path).read_text(encoding="utf-8", errors="replace")
    except OSError:
        return None


def file_request(
    path: Path, root: Path, more_include_dirs: Sequence[str] = (), installed: Path | None = None
) -> RunRequest:
    """Return a request for all kernels of a file on the disk.

    `installed` is the include folder of an installed torch, for the table of kernels alone.

    Raises:
        OSError: The file cannot be read.
    """
    source = path.read_text(encoding="utf-8", errors="replace")
    folders = include_dirs(root, more_include_dirs)
    known = (*folders, str(installed)) if installed else folders
    return RunRequest(
        path=str(path),
        source=source,
        launches=directives(source).launches,
        include_dirs=folders,
        kernel_table=kernel_table(path, source, known),
    )


def kernel_table(
    path: Path, source: str, folders: Sequence[str], read: Read = read_disk
) -> tuple[KernelSpec, ...]:
    """Return the kernels of `source`, read with the headers that it includes."""
    uri = uri_of(str(path))
    headers = {it: read(it) or "" for it in embed(str(path), source, folders, read).headers}
    texts = {str(path): source, **headers}
    roots = [uri_of(it) for it in folders]
    workspace = Workspace.of(roots[0] if roots else Uri("file:///"), roots[1:])
    snapshot = Snapshot.of((_source(it, text) for it, text in texts.items()), workspace)
    return kernel_specs(snapshot, uri)


def _source(path: str, text: str) -> Source:
    document = Document(uri_of(path), Language.METAL, text)
    return Source(document, facts_of(document))


def document_request(
    snapshot: Snapshot, uri: Uri, more_include_dirs: Sequence[str] = ()
) -> RunRequest:
    """Return a request for all kernels of a document as the editor has it.

    Headers that are open in the editor count with the editor's text.
    """
    document = snapshot.sources[uri].document
    root = Path(path_of(snapshot.root))
    return RunRequest(
        path=path_of(uri),
        source=document.text,
        launches=directives(document.text).launches,
        include_dirs=include_dirs(root, more_include_dirs),
        kernel_table=kernel_specs(snapshot, uri),
        overlay=_open_headers(snapshot, uri),
    )


def _open_headers(snapshot: Snapshot, uri: Uri) -> dict[str, str]:
    return {
        path_of(other): source.document.text
        for other, source in snapshot.sources.items()
        if other != uri and other.endswith(".h") and source.document.version is not None
    }


def for_remote(request: RunRequest, read: Read = read_disk) -> RunRequest:
    """Return `request` with every header that it includes, for a worker that sees no files here."""

    def read_both(path: str) -> str | None:
        return request.overlay.get(path) or read(path)

    embedded = embed(request.path, request.source, request.include_dirs, read_both)
    carried: Mapping[str, str] = {it: read_both(it) or "" for it in embedded.headers}
    return replace(request, overlay={**request.overlay, **carried})
