"""Code lenses: run kernels where they are written, see what came of it, and who uses them."""

import msgspec
from lsprotocol import types as lsp

from mkls.features.code_lens import Lens, LensKind, lens_words, lenses, runnables
from mkls.index.snapshot import Snapshot, Source
from mkls.server import from_proto
from mkls.server.backend import Backend
from mkls.server.client import canonical
from mkls.server.errors import invalid_params
from mkls.server.folders import Folder
from mkls.server.to_proto import range_
from mkls.text.document import Language, Uri

RUN_KERNEL = "mkls.runKernel"
SHOW_OPERATOR = "mkls.showOperator"
SHOW_KERNEL = "mkls.showKernel"


class Ticket(msgspec.Struct, frozen=True):
    """What a lens carries: the document that it is in, and the names that it is about.

    These are kernels; of a lens above a row, its operator. Without `kind` the lens runs kernels.
    """

    uri: str
    kernels: tuple[str, ...]
    kind: LensKind | None = None


async def code_lens(backend: Backend, params: lsp.CodeLensParams) -> list[lsp.CodeLens]:
    """Answer `textDocument/codeLens`: what the lenses of the second kind say is left out.

    It waits for the workspace: nobody would ask again who uses a kernel.
    """
    uri = from_proto.document_uri(params.text_document)
    folder = backend.folder(uri)
    await folder.loaded.wait()
    snapshot, source = backend.snapshot(uri)
    if source is None:
        return []
    hidden = folder.config.hidden_lenses
    told = [it for it in lenses(snapshot, uri) if it.kind.value not in hidden]
    return [
        *_run_lenses(backend, folder, snapshot, source),
        *(_told_lens(backend, source, it) for it in told),
    ]


def _run_lenses(
    backend: Backend, folder: Folder, snapshot: Snapshot, source: Source
) -> list[lsp.CodeLens]:
    document, uri = source.document, source.document.uri
    off = folder.config.run.enabled is False or "run" in folder.config.hidden_lenses
    if off or document.language is not Language.METAL:
        return []
    return [
        lsp.CodeLens(
            range=range_(backend.client, document, it.span),
            command=_command(backend, snapshot, uri, it.unit, it.kernels),
            data=msgspec.to_builtins(Ticket(uri, it.kernels)),
        )
        for it in runnables(snapshot, uri)
    ]


def _told_lens(backend: Backend, source: Source, lens: Lens) -> lsp.CodeLens:
    ticket = Ticket(source.document.uri, lens.names, lens.kind)
    where = range_(backend.client, source.document, lens.span)
    return lsp.CodeLens(range=where, data=msgspec.to_builtins(ticket))


def resolve(backend: Backend, lens: lsp.CodeLens) -> lsp.CodeLens:
    """Answer `codeLens/resolve`: write what its kernels' last run came to, or who uses them.

    Raises:
        RefusedError: The lens is none of ours.
    """
    try:
        ticket = msgspec.convert(lens.data, Ticket)
    except msgspec.ValidationError as error:
        raise invalid_params(str(error)) from error
    uri = canonical(ticket.uri)
    snapshot, _ = backend.snapshot(uri)
    if ticket.kind is not None:
        lens.command = _told(snapshot, ticket.kind, ticket.kernels)
        return lens
    unit = snapshot.kernels.unit_with(uri)
    compiled = unit.uri if unit else uri
    lens.command = _command(backend, snapshot, uri, compiled, ticket.kernels)
    return lens


def _told(snapshot: Snapshot, kind: LensKind, names: tuple[str, ...]) -> lsp.Command:
    words = lens_words(snapshot, kind, names) or "–"
    if kind is LensKind.ROWS:
        return lsp.Command(words, SHOW_OPERATOR, arguments=[{"operator": names[0]}])
    return lsp.Command(words, SHOW_KERNEL, arguments=[{"kernel": list(names)}])


def _command(
    backend: Backend, snapshot: Snapshot, uri: Uri, unit: Uri, kernels: tuple[str, ...]
) -> lsp.Command:
    title = backend.folder(uri).reports.results.title(snapshot, unit, kernels)
    arguments = {
        "uri": backend.client.uri(uri),
        "kernel": kernels[0] if len(kernels) == 1 else list(kernels),
    }
    return lsp.Command(title, RUN_KERNEL, arguments=[arguments])
