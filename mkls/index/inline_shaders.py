"""Metal sources that stand in strings of host code and of Python.

Each is a Metal document of its own under a URI that no editor knows, and that tells where each of
its characters stands: `FILE#msl=OFFSET`, where a place in it is a place in its file, `OFFSET`
further on, or `FILE#msl=RUNS` for what is put together from pieces or has escapes.
"""

import re
from collections.abc import Callable, Iterable, Mapping
from functools import cached_property, lru_cache

import msgspec

from mkls.facts.metal import metal_facts
from mkls.facts.model.metal import MetalFacts
from mkls.facts.model.python import PythonFacts
from mkls.facts.model.shader_calls import PythonShader
from mkls.index.host import HostIndex
from mkls.index.place import Place
from mkls.text.document import Uri
from mkls.text.source_text import Run, document_span, text_offset, verbatim_span
from mkls.text.span import Span

_MARK = "#msl="
_HOLE = re.compile(r"\{(\d)\}|\{\{|\}\}")


class InlineShader(msgspec.Struct, frozen=True, dict=True):
    """MSL in a string of `host`; `span` holds all of its parts, without the string's quotes.

    `text` is the MSL itself, `runs` where its parts stand. `is_format` tells a format string,
    whose holes are filled with names.
    """

    host: Uri
    span: Span
    text: str
    runs: tuple[Run, ...]
    facts: MetalFacts
    is_format: bool = False

    @cached_property
    def uri(self) -> Uri:
        """The URI under which the index knows it."""
        return Uri(f"{self.host}{_MARK}{_written(self.runs)}")

    def offset(self, offset: int) -> int | None:
        """Return the offset in `text` of what stands at `offset` of the host, None outside."""
        return text_offset(self.runs, offset)


def inline_shaders(
    host: HostIndex,
    python: Mapping[Uri, PythonFacts],
    text_of: Callable[[Uri], str],
) -> Mapping[Uri, InlineShader]:
    """Return the Metal sources in the strings of all documents, by their own URIs."""
    found = (*_of_host(host, text_of), *_of_python(python))
    return {it.uri: it for it in found}


def _of_host(host: HostIndex, text_of: Callable[[Uri], str]) -> Iterable[InlineShader]:
    for document in host.documents:
        formats = {it.source for _, it in document.libraries() if it.type_parameters}
        for stated, shader in document.shaders():
            span = stated.place(shader.span).span
            text = span.of(text_of(document.uri))
            is_format = shader.name is not None and shader.name.text in formats
            runs = (Run(0, len(text), span),)
            msl = _filled(text) if is_format else text
            yield InlineShader(document.uri, span, msl, runs, _facts(msl), is_format)


def _of_python(python: Mapping[Uri, PythonFacts]) -> Iterable[InlineShader]:
    for uri, facts in python.items():
        for library in facts.shaders.libraries:
            if library.shader and library.shader.runs:
                yield inline_shader(uri, library.shader)


def inline_shader(uri: Uri, shader: PythonShader) -> InlineShader:
    """Return the MSL that the Python file at `uri` holds in strings."""
    starts = [run.span.start for run in shader.runs]
    ends = [run.span.end for run in shader.runs]
    span = Span(min(starts), max(ends))
    return InlineShader(uri, span, shader.text, shader.runs, _facts(shader.text))


def real_place(uri: Uri, span: Span) -> Place:
    """Return `span` of a Metal document as a place that an editor can show."""
    host, mark, runs = uri.rpartition(_MARK)
    if not mark:
        return Place(uri, span)
    if runs.isdecimal():
        return Place(Uri(host), span.shifted(int(runs)))
    return Place(Uri(host), document_span(_read(runs), span) or Span(0, 0))


def editable_place(uri: Uri, span: Span) -> Place | None:
    """Return the place where the very characters of `span` stand; None where they are made."""
    host, mark, runs = uri.rpartition(_MARK)
    if not mark or runs.isdecimal():
        return real_place(uri, span)
    place = verbatim_span(_read(runs), span)
    return Place(Uri(host), place) if place else None


def _written(runs: tuple[Run, ...]) -> str:
    if len(runs) == 1 and runs[0].is_verbatim:
        return str(runs[0].span.start)
    return ";".join(f"{it.at},{it.length},{it.span.start},{it.span.end}" for it in runs)


@lru_cache(maxsize=64)
def _read(runs: str) -> tuple[Run, ...]:
    numbers = (tuple(map(int, it.split(","))) for it in runs.split(";") if it)
    return tuple(Run(at, length, Span(start, end)) for at, length, start, end in numbers)


def _filled(text: str) -> str:
    """Fill the holes of a format string with names, at equal length."""
    return _HOLE.sub(lambda hole: f"T{hole[1]}_" if hole[1] else f" {hole[0][0]}", text)


@lru_cache(maxsize=256)
def _facts(text: str) -> MetalFacts:
    return metal_facts(text)
