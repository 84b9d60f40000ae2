"""Documents that exist only while they are looked at: cards, expansions, Metal in strings.

Their URIs say all that is needed to write them again: `mkls:/operator/add.md`. Clients that know
`workspace/textDocumentContent` (LSP 3.18) fetch them; others get the text as a command's result.
"""

from collections.abc import Callable, Mapping
from urllib.parse import parse_qsl, quote, urlencode, urlsplit

from lsprotocol import types as lsp

from mkls.features.card_text import card_markdown
from mkls.features.kernel_card import kernel_card
from mkls.features.operator_card import operator_card
from mkls.features.strings import shader_around
from mkls.index.kernels_expansion import Expansion, expansion_at
from mkls.index.snapshot import Snapshot
from mkls.server.backend import Backend
from mkls.server.client import canonical
from mkls.server.errors import invalid_params
from mkls.text.document import Uri, path_of

SCHEME = "mkls"


def virtual_uri(kind: str, name: str, **query: object) -> str:
    """Return the URI of a document of a kind, by which it can be written again."""
    return f"{SCHEME}:/{kind}/{quote(name)}" + (f"?{urlencode(query)}" if query else "")


def text_document_content(
    backend: Backend, params: lsp.TextDocumentContentParams
) -> lsp.TextDocumentContentResult:
    """Answer `workspace/textDocumentContent`.

    Raises:
        RefusedError: The URI is none of ours.
    """
    parts = urlsplit(params.uri)
    kind, _, name = parts.path.lstrip("/").partition("/")
    write = _WRITERS.get(kind) if parts.scheme == SCHEME else None
    if write is None:
        raise invalid_params(f"`{params.uri}` is no document of mkls")
    return lsp.TextDocumentContentResult(write(backend, name, dict(parse_qsl(parts.query))))


def _operator(backend: Backend, _name: str, query: Mapping[str, str]) -> str:
    name = query.get("operator", "")
    for snapshot in snapshots(backend):
        if card := operator_card(snapshot, name):
            return card_markdown(snapshot, card)
    return f"No operator is called `{name}`.\n"


def _kernel(backend: Backend, _name: str, query: Mapping[str, str]) -> str:
    names = tuple(query.get("kernels", "").split())
    return next(filter(None, (kernel_card(it, names) for it in snapshots(backend))), "") or (
        f"No kernel is called `{' '.join(names)}`.\n"
    )


def _offset(query: Mapping[str, str]) -> int:
    text = query.get("offset", "")
    if not text.isdecimal():
        raise invalid_params("a document of mkls needs an `offset` in its URI")
    return int(text)


def _expansion(backend: Backend, _name: str, query: Mapping[str, str]) -> str:
    uri, offset = canonical(query.get("uri", "")), _offset(query)
    snapshot, _ = backend.snapshot(uri)
    found = expansion_at(snapshot.kernels, uri, offset)
    return expansion_text(found) if found else "// No macro is invoked there any more.\n"


def expansion_text(found: Expansion) -> str:
    """Return an expansion as a Metal document."""
    lines = "\n".join(f"//   {line}" for line in found.invocation.text.splitlines())
    return f"// What this stands for:\n{lines}\n\n{found.text}\n"


def _shader(backend: Backend, _name: str, query: Mapping[str, str]) -> str:
    uri, offset = canonical(query.get("uri", "")), _offset(query)
    snapshot, source = backend.snapshot(uri)
    text = shader_at(snapshot, uri, offset)
    return text if source and text is not None else "// No Metal source stands there any more.\n"


def shader_at(snapshot: Snapshot, uri: Uri, offset: int) -> str | None:
    """Return the Metal source in the string around `offset` of `uri`."""
    found = shader_around(snapshot, uri, offset)
    if found is None:
        return None
    shader = found.shader
    # A format string is shown with its holes.
    text = snapshot.sources[uri].document.text
    return shader.span.of(text) if shader.is_format else shader.text


def snapshots(backend: Backend) -> list[Snapshot]:
    """Return every open workspace as it is now."""
    found: list[Snapshot] = []
    for folder in backend.folders:
        backend.loader.start(folder)
        backend.documents.read(folder)
        found.append(folder.snapshot())
    return found


def file_name(uri: Uri) -> str:
    """Return the last part of a document's path."""
    return path_of(uri).rpartition("/")[2]


_WRITERS: Mapping[str, Callable[[Backend, str, Mapping[str, str]], str]] = {
    "operator": _operator,
    "kernel": _kernel,
    "expansion": _expansion,
    "shader": _shader,
}
