"""Tokens of Metal sources: address spaces, attributes, kernels, the library's own names."""

import re
from collections.abc import Iterator, Mapping
from typing import Final, NamedTuple

from mkls.facts.model.metal import MetalFacts, MetalKernel
from mkls.features.reference.entry import WordKind
from mkls.features.reference.tables import names_of
from mkls.features.tokens.token import SPACES, Modifier, Token, TokenKind, within_lines
from mkls.index.kernels_unit import Unit
from mkls.syntax.lexemes import LexemeKind, lexeme_matches
from mkls.text.span import Span

KEYWORDS: Final = frozenset(
    """
    alignas auto break case class const constexpr continue decltype default do else enum explicit
    extern false for friend if inline namespace noexcept nullptr operator private public return
    sizeof static static_assert struct switch template this true typedef typename union using
    virtual volatile while static_cast reinterpret_cast const_cast as_type fragment vertex kernel
    coherent
    """.split()  # noqa: SIM905  (forty words read best as words)
)
_BASIC: Final = frozenset(("void", "unsigned", "signed"))
_VECTOR: Final = re.compile(
    r"(?:packed_)?(?:bool|u?char|u?short|u?int|u?long|half|float|bfloat)(?:[234](?:x[234])?)\Z"
)
_STANDARD: Final = re.compile(r"u?int(?:8|16|32|64)_t\Z|size_t\Z|ptrdiff_t\Z")
_BINDINGS: Final = frozenset(("buffer", "texture", "sampler", "threadgroup", "host_name", "id"))
_TYPE_PARAMETER: Final = re.compile(r"\b(?:typename|class)\s+([A-Za-z_]\w*)\s*(?=[,>=])")
_CALLED: Final = re.compile(r"\s*(?:\(|<[\w\s:,*&]*>\s*\()")
_MACRO_LIKE: Final = re.compile(r"[A-Z][A-Z0-9_]{2,}\Z")


class Names(NamedTuple):
    """What the names of a source mean, wherever they stand."""

    kinds: Mapping[str, tuple[TokenKind, int]]
    kernels: tuple[MetalKernel, ...]


def names_in(facts: MetalFacts, text: str, unit: Unit | None) -> Names:
    """Return the names that a source and the files it includes define."""
    kinds: dict[str, tuple[TokenKind, int]] = dict(_library())
    for each in (*(unit.visited.values() if unit else ()), facts):
        kinds |= {it.name.text: (TokenKind.MACRO, 0) for it in each.macros}
        kinds |= {it.name.text: _DECLARED.get(it.kind, _VARIABLE) for it in each.declarations}
        kinds |= {it.name.text: (TokenKind.STRUCT, 0) for it in each.functors}
        kernel = (TokenKind.FUNCTION, int(Modifier.KERNEL))
        kinds |= {it.name.text: kernel for it in each.kernels}
    kinds |= dict.fromkeys(_TYPE_PARAMETER.findall(text), (TokenKind.TYPE_PARAMETER, 0))
    return Names(kinds, facts.kernels)


_VARIABLE = (TokenKind.VARIABLE, int(Modifier.READONLY))
_DECLARED = {
    "struct": (TokenKind.STRUCT, 0),
    "enum": (TokenKind.STRUCT, 0),
    "alias": (TokenKind.TYPE, 0),
    "function": (TokenKind.FUNCTION, 0),
}


def _library() -> Iterator[tuple[str, tuple[TokenKind, int]]]:
    library = int(Modifier.DEFAULT_LIBRARY)
    for kind, token in (
        (WordKind.TYPE, TokenKind.TYPE),
        (WordKind.CONSTANT, TokenKind.VARIABLE),
        (WordKind.MACRO, TokenKind.MACRO),
    ):
        yield from ((name, (token, library)) for name in names_of(kind))
    yield from ((name, (TokenKind.TYPE, library)) for name in _BASIC)
    yield from ((name, (TokenKind.KEYWORD, 0)) for name in KEYWORDS)
    yield from ((name, (TokenKind.KEYWORD, int(space))) for name, space in SPACES.items())


def metal_tokens(text: str, names: Names, within: Span | None = None) -> Iterator[Token]:
    """Yield the tokens of `text`, or those that `within` touches, in order."""
    return _Reader(text, names, within_lines(text, within)).tokens()


class _Reader:
    def __init__(self, text: str, names: Names, within: Span) -> None:
        self._text = text
        self._names = names
        self._within = within
        self._functions = names_of(WordKind.FUNCTION)
        self._kernels = iter(sorted(names.kernels, key=lambda it: it.span))
        self._kernel: MetalKernel | None = next(self._kernels, None)
        self._parameters: dict[str, int] = {}
        self._is_attribute = False

    def tokens(self) -> Iterator[Token]:
        first, last = self._within.start, self._within.end
        plain = _PLAIN
        for match in lexeme_matches(self._text, 0, last):
            kind = match.lastindex
            if kind == LexemeKind.WORD:
                found = self._word(match[0], match.start(), match.end())
                if found is not None and match.end() > first:
                    yield found
            elif kind == LexemeKind.ATTRIBUTE_START:
                self._is_attribute = True
            elif kind == LexemeKind.ATTRIBUTE_END:
                self._is_attribute = False
            elif match.end() > first:
                yield Token(match.start(), match.end(), plain[kind or 0])

    def _word(self, word: str, start: int, end: int) -> Token | None:
        self._enter(start)
        if self._is_attribute:
            modifier = int(Modifier.BINDING) if word in _BINDINGS else 0
            return Token(start, end, TokenKind.DECORATOR, modifier)
        before = self._text[start - 1 : start]
        if before == "." or (before == ">" and self._text[start - 2 : start - 1] == "-"):
            return Token(start, end, TokenKind.PROPERTY)
        if word in self._parameters:
            return Token(start, end, TokenKind.PARAMETER, self._parameters[word])
        if self._text.startswith("::", end):
            return Token(start, end, TokenKind.NAMESPACE)
        known = self._names.kinds.get(word)
        if known is not None:
            return Token(start, end, *known)
        return self._unknown(word, start, end)

    def _unknown(self, word: str, start: int, end: int) -> Token | None:
        if word in self._functions and _CALLED.match(self._text, end):
            library = int(Modifier.DEFAULT_LIBRARY)
            return Token(start, end, TokenKind.FUNCTION, library)
        if _VECTOR.match(word) or _STANDARD.match(word):
            return Token(start, end, TokenKind.TYPE, int(Modifier.DEFAULT_LIBRARY))
        if f"{word}_functor" in self._names.kinds:
            return Token(start, end, TokenKind.STRUCT)
        if _CALLED.match(self._text, end):
            kind = TokenKind.MACRO if _MACRO_LIKE.match(word) else TokenKind.FUNCTION
            return Token(start, end, kind)
        return None

    def _enter(self, at: int) -> None:
        """Keep the parameters of the kernel around `at`; offsets only grow."""
        while self._kernel is not None and at >= self._kernel.span.end:
            self._kernel = next(self._kernels, None)
            self._parameters = {}
        kernel = self._kernel
        if kernel and not self._parameters and kernel.span.start <= at:
            self._parameters = {
                it.name.text: int(SPACES.get(it.space, 0))
                | (int(Modifier.READONLY) if it.is_const or it.space == "constant" else 0)
                for it in kernel.arguments or ()
            }


_PLAIN = {
    int(LexemeKind.COMMENT): TokenKind.COMMENT,
    int(LexemeKind.RAW_STRING): TokenKind.STRING,
    int(LexemeKind.STRING): TokenKind.STRING,
    int(LexemeKind.DIRECTIVE): TokenKind.MACRO,
    int(LexemeKind.NUMBER): TokenKind.NUMBER,
    int(LexemeKind.KEYWORD): TokenKind.KEYWORD,
}
"""What lexemes are that mean the same everywhere."""
