"""Code lenses: run kernels where they are written, and see what came of it."""

import msgspec
from lsprotocol import types as lsp

from mkls.facts.model.metal import MetalFacts
from mkls.features.code_lens import runnables
from mkls.index.snapshot import Snapshot
from mkls.server import from_proto
from mkls.server.backend import Backend
from mkls.server.client import canonical
from mkls.server.errors import invalid_params
from mkls.server.to_proto import range_
from mkls.text.document import Uri

RUN_KERNEL = "mkls.runKernel"


class Ticket(msgspec.Struct, frozen=True):
    """What a lens carries: the document that it is in, and the kernels that it runs."""

    uri: str
    kernels: tuple[str, ...]


def code_lens(backend: Backend, params: lsp.CodeLensParams) -> list[lsp.CodeLens]:
    """Answer `textDocument/codeLens`."""
    uri = from_proto.document_uri(params.text_document)
    folder = backend.folder(uri)
    snapshot, source = backend.snapshot(uri)
    if source is None or not isinstance(source.facts, MetalFacts):
        return []
    if folder.config.run.enabled is False:
        return []
    document = source.document
    return [
        lsp.CodeLens(
            range=range_(backend.client, document, it.span),
            command=_command(backend, snapshot, uri, it.unit, it.kernels),
            data=msgspec.to_builtins(Ticket(uri, it.kernels)),
        )
        for it in runnables(snapshot, uri)
    ]


def resolve(backend: Backend, lens: lsp.CodeLens) -> lsp.CodeLens:
    """Answer `codeLens/resolve`: write above a lens what its kernels' last run came to.

    Raises:
        RefusedError: The lens is none of ours.
    """
    try:
        ticket = msgspec.convert(lens.data, Ticket)
    except msgspec.ValidationError as error:
        raise invalid_params(str(error)) from error
    uri = canonical(ticket.uri)
    snapshot, _ = backend.snapshot(uri)
    unit = snapshot.kernels.unit_with(uri)
    compiled = unit.uri if unit else uri
    lens.command = _command(backend, snapshot, uri, compiled, ticket.kernels)
    return lens


def _command(
    backend: Backend, snapshot: Snapshot, uri: Uri, unit: Uri, kernels: tuple[str, ...]
) -> lsp.Command:
    title = backend.folder(uri).reports.results.title(snapshot, unit, kernels)
    arguments = {
        "uri": backend.client.uri(uri),
        "kernel": kernels[0] if len(kernels) == 1 else list(kernels),
    }
    return lsp.Command(title, RUN_KERNEL, arguments=[arguments])
