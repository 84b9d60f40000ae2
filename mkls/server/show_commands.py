"""The commands that show something: a card, what a macro stands for, Metal in a string."""

from collections.abc import Mapping
from typing import Any, TypeVar

import msgspec
from lsprotocol import types as lsp

from mkls.features.card_text import card_markdown
from mkls.features.kernel_card import kernel_card
from mkls.features.operator_card import operator_card
from mkls.index.kernels_expansion import expansion_at
from mkls.index.snapshot import Source
from mkls.server.backend import Backend
from mkls.server.client import canonical
from mkls.server.errors import invalid_params, request_failed
from mkls.server.virtual_documents import file_name, shader_at, snapshots, virtual_uri
from mkls.text.line_index import Position

T = TypeVar("T")


class PlaceArguments(msgspec.Struct, frozen=True):
    """What `mkls.showExpansion` and `mkls.showShader` take; the position is in client's units."""

    uri: str
    position: dict[str, int]


class OperatorArguments(msgspec.Struct, frozen=True):
    """What `mkls.showOperator` takes: `add`, or `add.Tensor`."""

    operator: str


class KernelArguments(msgspec.Struct, frozen=True):
    """What `mkls.showKernel` takes: host names."""

    kernel: str | list[str]

    @property
    def names(self) -> tuple[str, ...]:
        """The host names."""
        return (self.kernel,) if isinstance(self.kernel, str) else tuple(self.kernel)


def arguments_of(kind: type[T], params: lsp.ExecuteCommandParams) -> T:
    """Return the one argument of a command.

    Raises:
        RefusedError: It is something else.
    """
    try:
        return msgspec.convert((params.arguments or [None])[0], kind)
    except msgspec.ValidationError as error:
        raise invalid_params(f"{params.command}: {error}") from error


async def show_operator(backend: Backend, params: lsp.ExecuteCommandParams) -> object:
    """Answer `mkls.showOperator`: the card of an operator, as Markdown."""
    name = arguments_of(OperatorArguments, params).operator
    await _loaded(backend)
    for snapshot in snapshots(backend):
        if card := operator_card(snapshot, name):
            uri = virtual_uri("operator", f"{card.base}.md", operator=name)
            _show(backend, uri)
            return {"operator": card.base, "markdown": card_markdown(snapshot, card), "uri": uri}
    raise request_failed(f"no row of `native_functions.yaml` at hand is called `{name}`")


async def show_kernel(backend: Backend, params: lsp.ExecuteCommandParams) -> object:
    """Answer `mkls.showKernel`: the card of kernels, as Markdown."""
    names = arguments_of(KernelArguments, params).names
    await _loaded(backend)
    for snapshot in snapshots(backend):
        if text := kernel_card(snapshot, names):
            uri = virtual_uri("kernel", f"{names[0]}.md", kernels=" ".join(names))
            _show(backend, uri)
            return {"kernels": list(names), "markdown": text, "uri": uri}
    raise request_failed(f"no Metal source at hand registers `{' '.join(names)}`")


def show_shader(backend: Backend, params: lsp.ExecuteCommandParams) -> object:
    """Answer `mkls.showShader`: the Metal source in the string at a place, or null."""
    wanted = arguments_of(PlaceArguments, params)
    snapshot, source = backend.snapshot(canonical(wanted.uri))
    if source is None:
        return None
    uri, offset = source.document.uri, _offset(backend, source, wanted)
    text = shader_at(snapshot, uri, offset)
    if text is None:
        return None
    virtual = virtual_uri("shader", f"{file_name(uri)}.metal", uri=uri, offset=offset)
    _show(backend, virtual)
    return {"text": text, "uri": virtual}


def show_expansion(backend: Backend, params: lsp.ExecuteCommandParams) -> object:
    """Answer `mkls.showExpansion`: what the macro's invocation at a place stands for, or null."""
    wanted = arguments_of(PlaceArguments, params)
    snapshot, source = backend.snapshot(canonical(wanted.uri))
    if source is None:
        return None
    uri, offset = source.document.uri, _offset(backend, source, wanted)
    found = expansion_at(snapshot.kernels, uri, offset)
    if found is None:
        return None
    name = f"{found.invocation.name.text}.metal"
    virtual = virtual_uri("expansion", name, uri=uri, offset=offset)
    _show(backend, virtual)
    return {
        "invocation": found.invocation.text,
        "text": found.text,
        "macros": list(found.macros),
        "host_names": [
            it.host_name
            for it in snapshot.kernels.kernels_of(uri)
            if it.uri == uri and it.span == found.invocation.span
        ],
        "uri": virtual,
    }


def _offset(backend: Backend, source: Source, wanted: PlaceArguments) -> int:
    place = Position(wanted.position.get("line", 0), wanted.position.get("character", 0))
    return source.document.lines.offset(place, backend.client.encoding)


async def _loaded(backend: Backend) -> None:
    for folder in backend.folders:
        backend.loader.start(folder)
        await folder.loaded.wait()


def _show(backend: Backend, uri: str) -> None:
    """Open a virtual document, in clients that can both fetch and show it."""
    if backend.client.fetches_content and backend.client.shows_documents:
        backend.server.window_show_document(lsp.ShowDocumentParams(uri, take_focus=True))


COMMANDS: Mapping[str, Any] = {
    "mkls.showExpansion": show_expansion,
    "mkls.showKernel": show_kernel,
    "mkls.showOperator": show_operator,
    "mkls.showShader": show_shader,
}
