"""Tokens of host code: what links to other languages, and the shaders in strings.

A plain C++ file belongs to whoever compiles it: only stubs and what rows name is told of there.
"""

import re
from collections.abc import Iterator
from typing import Final

from mkls.facts.model.name_expression import Literal, NameExpression, children_of
from mkls.features.reference.entry import WordKind
from mkls.features.reference.tables import host_words
from mkls.features.tokens.of_metal import KEYWORDS, metal_tokens, names_in
from mkls.features.tokens.token import Modifier, Token, TokenKind, within_lines
from mkls.index.host_documents import HostDocument
from mkls.index.links import lookups_in, named_functions
from mkls.index.snapshot import Snapshot, Source
from mkls.syntax.lexemes import LexemeKind, lexeme_matches
from mkls.text.document import Language, Uri
from mkls.text.span import Span

_MORE_KEYWORDS: Final = frozenset(
    """
    bool char double float int long short signed unsigned void new delete try catch throw override
    final mutable nil YES NO
    """.split()  # noqa: SIM905  (words read best as words)
)
_ALL_KEYWORDS: Final = (KEYWORDS | _MORE_KEYWORDS) - {"kernel", "vertex", "fragment", "as_type"}
_CALLED: Final = re.compile(r"\s*\(")
_MACRO_LIKE: Final = re.compile(r"[A-Z][A-Z0-9_]{2,}\Z")
_PLAIN = {
    int(LexemeKind.COMMENT): TokenKind.COMMENT,
    int(LexemeKind.RAW_STRING): TokenKind.STRING,
    int(LexemeKind.STRING): TokenKind.STRING,
    int(LexemeKind.DIRECTIVE): TokenKind.MACRO,
    int(LexemeKind.NUMBER): TokenKind.NUMBER,
    int(LexemeKind.KEYWORD): TokenKind.KEYWORD,
}


def host_tokens(snapshot: Snapshot, source: Source, within: Span | None = None) -> Iterator[Token]:
    """Yield the tokens of a host document, or those that `within` touches, in order."""
    text = source.document.text
    within = within_lines(text, within)
    words = _Words(snapshot, source)
    inserted = dict(_inserted(snapshot, source.document.uri, text))
    is_whole = source.document.language is Language.HOST
    for match in lexeme_matches(text, 0, within.end):
        if match.end() <= within.start:
            continue
        kind = match.lastindex
        if kind == LexemeKind.WORD:
            token = words.token(match[0], match.start(), match.end())
            if token and (is_whole or token.modifiers):
                yield token
        elif is_whole and kind in (LexemeKind.STRING, LexemeKind.RAW_STRING):
            yield from _string(match.start(), match.end(), inserted)
        elif is_whole and kind in _PLAIN:
            yield Token(match.start(), match.end(), _PLAIN[kind])


class _Words:
    def __init__(self, snapshot: Snapshot, source: Source) -> None:
        self._text = source.document.text
        self._stubs = snapshot.host.stubs.by_name
        self._named = named_functions(snapshot)
        self._library = host_words()
        document = snapshot.host.document(source.document.uri)
        self._own = document.functions_by_name if document else {}

    def token(self, word: str, start: int, end: int) -> Token | None:
        """Return what a word is, None for a word of which nothing is known."""
        if word in self._stubs:
            return Token(start, end, TokenKind.VARIABLE, int(Modifier.STUB))
        if word in _ALL_KEYWORDS:
            return Token(start, end, TokenKind.KEYWORD)
        if known := self._library.get(word):
            kind = TokenKind.MACRO if known.kind is WordKind.MACRO else TokenKind.FUNCTION
            return Token(start, end, kind, int(Modifier.DEFAULT_LIBRARY))
        if word in self._own and word in self._named:
            return Token(start, end, TokenKind.FUNCTION, int(Modifier.MPS))
        if _CALLED.match(self._text, end):
            kind = TokenKind.MACRO if _MACRO_LIKE.match(word) else TokenKind.FUNCTION
            return Token(start, end, kind)
        return None


def _string(start: int, end: int, inserted: dict[int, list[Token]]) -> Iterator[Token]:
    """Yield a string, in pieces where it holds tokens of another kind."""
    at = start
    inside = (
        each for begin in sorted(inserted) if start <= begin < end for each in inserted[begin]
    )
    for token in inside:
        if token.start >= at and token.end <= end:
            if token.start > at:
                yield Token(at, token.start, TokenKind.STRING)
            yield token
            at = token.end
    if at < end:
        yield Token(at, end, TokenKind.STRING)


def _inserted(snapshot: Snapshot, uri: Uri, text: str) -> Iterator[tuple[int, list[Token]]]:
    """Yield what stands within strings: kernels' names, and the tokens of whole shaders."""
    for shader in snapshot.inline_shaders.values():
        if shader.host == uri:
            msl = shader.span.of(text)
            unit = snapshot.inline_kernels.unit_with(shader.uri)
            start = shader.span.start
            tokens = metal_tokens(msl, names_in(shader.facts, msl, unit))
            yield start, [it._replace(start=it.start + start, end=it.end + start) for it in tokens]
    document = snapshot.host.document(uri)
    for span in set(_kernel_names(snapshot, document)) if document else ():
        if span.end > span.start:
            kernel = int(Modifier.KERNEL)
            yield span.start, [Token(span.start, span.end, TokenKind.FUNCTION, kernel)]


def _kernel_names(snapshot: Snapshot, document: HostDocument) -> Iterator[Span]:
    for linked in lookups_in(snapshot, document.uri):
        if not linked.function.macro:
            for literal in _literals(linked.lookup.name):
                yield linked.function.stated.place(literal.span).span
    for linked in snapshot.host.lookups:
        for request in linked.requests:
            if request.via and request.place.uri == document.uri:
                yield request.place.span


def _literals(expression: NameExpression) -> Iterator[Literal]:
    if isinstance(expression, Literal):
        yield expression
    for child in children_of(expression):
        yield from _literals(child)
