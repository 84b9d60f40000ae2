"""Which Metal documents a name of one of them can be meant in."""

from collections.abc import Iterator

from mkls.features.strings import shader_around
from mkls.index.kernels_unit import Unit
from mkls.index.snapshot import Snapshot
from mkls.text.document import Uri
from mkls.text.span import Span


def units(snapshot: Snapshot) -> Iterator[Unit]:
    """Yield every Metal source that is compiled on its own, those within strings last."""
    yield from snapshot.kernels.units.values()
    yield from snapshot.inline_kernels.units.values()
    yield from snapshot.python_kernels.units.values()


def metal_scope(snapshot: Snapshot, uri: Uri) -> list[Uri]:
    """Return the documents that are compiled together with `uri` in some source.

    A Metal source within a string has an URI of its own (`mkls.index.inline_shaders`).
    """
    found = {it: None for unit in units(snapshot) if uri in unit.visited for it in unit.visited}
    return sorted({**found, uri: None})


def shader_at(snapshot: Snapshot, uri: Uri, offset: int) -> Uri:
    """Return the Metal document that stands at `offset` of `uri`: a string's own, or `uri`."""
    found = shader_around(snapshot, uri, offset)
    return found.shader.uri if found else uri


def is_other_name(text: str, span: Span, is_kernel: bool) -> bool:
    """Whether the name at `span` is another thing of that name: `metal::fmax`, `x.fmax`.

    Nobody calls a kernel: what is called by the name of one is a function of the library.
    """
    if text.endswith(("::", ".", "->"), 0, span.start):
        return True
    calls = is_kernel and text[span.end : span.end + 1] == "("
    return calls and not text[: span.start].rstrip().endswith("void")
