"""What may be typed at a place of any document."""

from collections.abc import Iterable

import msgspec

from mkls.facts.model.cpp import CppFacts
from mkls.facts.model.host import HostFacts
from mkls.facts.model.metal import MetalFacts
from mkls.facts.model.native_functions import NativeFunctionsFacts
from mkls.features.completion.comments import Vocabulary, directive_items, suppression_items
from mkls.features.completion.host import host_items, string_items
from mkls.features.completion.item import Item, matching
from mkls.features.completion.metal import Compiler, metal_items
from mkls.features.completion.rows import row_items
from mkls.index.inline_shaders import InlineShader
from mkls.index.kernels import KernelIndex
from mkls.index.snapshot import Snapshot, Source
from mkls.syntax.lexemes import LexemeKind, comment_or_string_at
from mkls.text.document import Uri

_MOST = 300


class Completions(msgspec.Struct, frozen=True):
    """The items, best first; `complete` when typing on can only narrow them down."""

    items: tuple[Item, ...]
    complete: bool


def completions(
    snapshot: Snapshot,
    source: Source,
    offset: int,
    vocabulary: Vocabulary,
    compiler: Compiler | None = None,
) -> Completions:
    """Return what may be typed at `offset` of `source`; `compiler` knows Metal, if there is one."""
    found = list(_found(snapshot, source, offset, vocabulary, compiler))
    typed = found[0].span.of(source.document.text) if found else ""
    same = (it for it in found if it.span == found[0].span)
    best, complete = matching(same, typed.strip(), _MOST)
    return Completions(tuple(best), complete)


def _found(
    snapshot: Snapshot,
    source: Source,
    offset: int,
    vocabulary: Vocabulary,
    compiler: Compiler | None,
) -> Iterable[Item]:
    text, facts, uri = source.document.text, source.facts, source.document.uri
    line = text[text.rfind("\n", 0, offset) + 1 : offset]
    if isinstance(facts, NativeFunctionsFacts):
        return [*suppression_items(line, offset)] or row_items(snapshot, facts, text, offset)
    if isinstance(facts, MetalFacts):
        shown = _Shown(snapshot.kernels, uri, facts, text)
        return _in_metal(shown, offset, line, vocabulary, compiler)
    if isinstance(facts, HostFacts | CppFacts):
        return _in_host(snapshot, source, offset, line, vocabulary)
    return ()


class _Shown(msgspec.Struct, frozen=True):
    """A Metal source: a document, or a string of host code."""

    index: KernelIndex
    uri: Uri
    facts: MetalFacts
    text: str


def _in_metal(
    shown: _Shown, offset: int, line: str, vocabulary: Vocabulary, compiler: Compiler | None
) -> Iterable[Item]:
    inside = comment_or_string_at(shown.text, offset)
    if inside and inside.kind is LexemeKind.COMMENT:
        return [*directive_items(shown.facts, vocabulary, line, offset)] or [
            *suppression_items(line, offset)
        ]
    if inside and not line.lstrip().startswith("#"):
        return ()
    known = compiler(shown.uri, offset) if compiler else None
    if known is not None:
        return known
    return metal_items(shown.index, shown.uri, shown.facts, shown.text, offset)


def _in_host(
    snapshot: Snapshot, source: Source, offset: int, line: str, vocabulary: Vocabulary
) -> Iterable[Item]:
    text = source.document.text
    if shader := _shader_at(snapshot, source.document.uri, offset):
        start = shader.span.start
        msl = shader.span.of(text)
        shown = _Shown(snapshot.inline_kernels, shader.uri, shader.facts, msl)
        found = _in_metal(shown, offset - start, line, vocabulary, None)
        return [msgspec.structs.replace(it, span=it.span.shifted(start)) for it in found]
    inside = comment_or_string_at(text, offset)
    if inside and inside.kind is LexemeKind.COMMENT:
        return suppression_items(line, offset)
    if inside:
        return string_items(snapshot, text, offset)
    return host_items(snapshot, source, offset)


def _shader_at(snapshot: Snapshot, uri: Uri, offset: int) -> InlineShader | None:
    for shader in snapshot.inline_shaders.values():
        if shader.host == uri and shader.span.start < offset < shader.span.end:
            return shader
    return None
