"""What single words of Metal sources and host code mean: the library, attributes, parameters."""

import re
from collections.abc import Iterator

from mkls.facts.model.cpp import CppFacts
from mkls.facts.model.host import HostFacts
from mkls.facts.model.metal import MetalFacts
from mkls.facts.model.native_functions import NativeFunctionsFacts
from mkls.features.declared import declared
from mkls.features.hover_entries import hover_entry_word
from mkls.features.hover_parameters import hover_parameter
from mkls.features.reference.entry import Word, WordKind
from mkls.features.reference.pages import pages, word_page
from mkls.features.reference.tables import ATTRIBUTES, host_words, metal_words
from mkls.features.strings import InString, shader_around
from mkls.features.words import word_at
from mkls.index.inline_shaders import real_place
from mkls.index.snapshot import Snapshot, Source
from mkls.syntax.lexemes import comment_or_string_at
from mkls.text.document import Uri
from mkls.text.span import Span

_QUALIFIER = re.compile(r"(?:(?<![\w:])|(?<=\W))((?:::)?(?:\w+\s*::\s*)+)\Z")
_IN_ATTRIBUTE = re.compile(r"\[\[(?:[^\[\]]|\[[^\[\]]*\])*\Z")
_LONGEST = 200


def hover_word(snapshot: Snapshot, source: Source, offset: int) -> tuple[str, Span] | None:
    """Return what the word at `offset` means, as Markdown, and where it stands."""
    uri, text, facts = source.document.uri, source.document.text, source.facts
    if isinstance(facts, MetalFacts):
        return _in_metal(snapshot, uri, facts, text, offset)
    if isinstance(facts, NativeFunctionsFacts):
        return hover_entry_word(facts, offset)
    if inside := shader_around(snapshot, uri, offset):
        return _in_string(snapshot, inside)
    if isinstance(facts, HostFacts | CppFacts):
        return _in_host(snapshot, source, offset)
    return None


def _in_metal(
    snapshot: Snapshot, uri: Uri, facts: MetalFacts, text: str, offset: int
) -> tuple[str, Span] | None:
    span = word_at(text, offset)
    if span is None or comment_or_string_at(text, span.start):
        return None
    name = span.of(text)
    before = text[max(0, span.start - _LONGEST) : span.start]
    if _IN_ATTRIBUTE.search(before):
        word = ATTRIBUTES.get(name)
        return (word_page(word, f"[[{name}]]"), span) if word else None
    page = hover_parameter(snapshot, uri, facts, text, span) or _library_page(name, before)
    return (page, span) if page else None


def _library_page(name: str, before: str) -> str:
    found = metal_words().get(name, ())
    if found and (qualifier := _QUALIFIER.search(before)):
        found = tuple(_qualified(found, "".join(qualifier[1].split())))
    elif re.search(r"(?:\.|->)\s*\Z", before):
        return ""  # a member, which has its name from elsewhere
    return pages(found)


def _qualified(found: tuple[Word, ...], qualifier: str) -> Iterator[Word]:
    """Yield the words that `qualifier` may mean: `c10::metal::` is PyTorch's, others Metal's."""
    ours = "c10::" in qualifier or qualifier.startswith("AtomicType")
    wanted = [it for it in found if it.source.startswith("MSL") is not ours]
    known = qualifier.rstrip(":").rpartition("::")[2] in ("metal", "fast", "precise")
    yield from wanted if known or ours else found


def _in_string(snapshot: Snapshot, inside: InString) -> tuple[str, Span] | None:
    shader, offset = inside
    found = _in_metal(snapshot, shader.uri, shader.facts, shader.text, offset)
    return (found[0], real_place(shader.uri, found[1]).span) if found else None


def _in_host(snapshot: Snapshot, source: Source, offset: int) -> tuple[str, Span] | None:
    text = source.document.text
    span = word_at(text, offset)
    if span is None:
        return None
    page = host_page(snapshot, span.of(text))
    return (page, span) if page and not comment_or_string_at(text, span.start) else None


def host_page(snapshot: Snapshot, name: str) -> str:
    """Return what a function or macro of the host's API does, "" for any other.

    The signatures are those of the checkout's headers, where it has them.
    """
    word = host_words().get(name)
    if word is None:
        return ""
    found = declared(snapshot, name) if word.kind is WordKind.FUNCTION else ()
    if not found:
        return word_page(word)
    signatures = tuple(it.signature for it in found)
    return word_page(Word(name, word.kind, word.summary, word.source, signatures))
