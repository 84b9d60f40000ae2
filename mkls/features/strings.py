"""The Metal sources in strings of host code and of Python, from the cursor's point of view."""

from collections.abc import Iterator
from typing import NamedTuple

from mkls.index.inline_shaders import InlineShader
from mkls.index.snapshot import Snapshot
from mkls.text.document import Uri


class InString(NamedTuple):
    """A place in a Metal source that a string holds: `offset` is one of `shader.text`."""

    shader: InlineShader
    offset: int


def shaders_of(snapshot: Snapshot, uri: Uri) -> Iterator[InlineShader]:
    """Yield the Metal sources in the strings of `uri`."""
    return (it for it in snapshot.inline_shaders.values() if it.host == uri)


def shader_around(snapshot: Snapshot, uri: Uri, offset: int) -> InString | None:
    """Return what `offset` of `uri` is in a Metal source, None outside of all strings."""
    for shader in shaders_of(snapshot, uri):
        inner = shader.offset(offset)
        if inner is not None:
            return InString(shader, inner)
    return None
