"""Metal sources that stand in strings of host code.

Each is a Metal document of its own under a URI that no editor knows, `FILE#msl=OFFSET`; a place in
it is a place in its file, `OFFSET` further on.
"""

import re
from collections.abc import Callable, Mapping
from functools import lru_cache

import msgspec

from mkls.facts.metal import metal_facts
from mkls.facts.model.metal import MetalFacts
from mkls.index.host import HostIndex
from mkls.index.place import Place
from mkls.text.document import Uri
from mkls.text.span import Span

_MARK = "#msl="
_HOLE = re.compile(r"\{(\d)\}|\{\{|\}\}")


class InlineShader(msgspec.Struct, frozen=True):
    """MSL in a string of host code; `span` is that of the MSL, without the string's quotes."""

    host: Uri
    span: Span
    facts: MetalFacts

    @property
    def uri(self) -> Uri:
        """The URI under which the index knows it."""
        return Uri(f"{self.host}{_MARK}{self.span.start}")


def inline_shaders(host: HostIndex, text_of: Callable[[Uri], str]) -> Mapping[Uri, InlineShader]:
    """Return the Metal sources in the strings of all host documents, by their own URIs."""
    found: dict[Uri, InlineShader] = {}
    for document in host.documents:
        formats = {it.source for _, it in document.libraries() if it.type_parameters}
        for stated, shader in document.shaders():
            span = stated.place(shader.span).span
            text = span.of(text_of(document.uri))
            is_format = shader.name is not None and shader.name.text in formats
            it = InlineShader(document.uri, span, _facts(_filled(text) if is_format else text))
            found[it.uri] = it
    return found


def real_place(uri: Uri, span: Span) -> Place:
    """Return `span` of a Metal document as a place that an editor can show."""
    host, mark, offset = uri.rpartition(_MARK)
    return Place(Uri(host), span.shifted(int(offset))) if mark else Place(uri, span)


def _filled(text: str) -> str:
    """Fill the holes of a format string with names, at equal length."""
    return _HOLE.sub(lambda hole: f"T{hole[1]}_" if hole[1] else f" {hole[0][0]}", text)


@lru_cache(maxsize=64)
def _facts(text: str) -> MetalFacts:
    return metal_facts(text)
