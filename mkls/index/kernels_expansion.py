"""What one macro invocation expands to, for showing it."""

from collections.abc import Mapping

import msgspec

from mkls.facts.model.metal import Invocation, MetalFacts
from mkls.index.kernels import KernelIndex
from mkls.index.kernels_includes import Includes
from mkls.index.kernels_memo import Memo, kernels_among
from mkls.index.kernels_unit import VERSIONS, Unit
from mkls.index.kernels_walk import Walk
from mkls.syntax.metal.expansion import Expander
from mkls.syntax.metal.macro import Macro
from mkls.syntax.metal.token import Token, spelling, tokens_of
from mkls.text.document import Uri
from mkls.text.span import Span


class Piece(msgspec.Struct, frozen=True, array_like=True):
    """One token of an expansion.

    `span` is where the invocation spells it, None when a macro's body does; `through` are the
    macros that made it, outermost first.
    """

    text: str
    span: Span | None
    through: tuple[str, ...]


class Expansion(msgspec.Struct, frozen=True):
    """An invocation in full: `text` has one declaration a line."""

    invocation: Invocation
    text: str
    pieces: tuple[Piece, ...]
    macros: tuple[str, ...]
    host_names: tuple[str, ...]


def expansion_at(index: KernelIndex, uri: Uri, offset: int) -> Expansion | None:
    """Return the expansion of the invocation at `offset` of `uri`, None where there is none.

    The macros are those in force there, in the newest language version for which the invocation
    is compiled; for a header, in the first source that includes it.
    """
    unit = index.unit_with(uri)
    facts = unit.visited.get(uri) if unit else None
    if unit is None or facts is None:
        return None
    invocation = next((it for it in facts.invocations if offset in it.span), None)
    macros = _macros_at(index, unit, invocation) if invocation else None
    if invocation is None or macros is None or invocation.name.text not in macros:
        return None
    return expansion_of(invocation, macros)


def expansion_of(invocation: Invocation, macros: Mapping[str, Macro]) -> Expansion:
    """Return the expansion of `invocation` by `macros`."""
    expander = Expander(macros, trace=True)
    tokens = expander.expanded(tokens_of(invocation.text, invocation.span.start))
    kernels = kernels_among(tokens, invocation.span)
    return Expansion(
        invocation,
        _laid_out(tokens),
        tuple(_piece(token) for token in tokens),
        tuple(dict.fromkeys(macro.name for macro in expander.used)),
        tuple(it.host_name.text for it in kernels if it.host_name),
    )


def _piece(token: Token) -> Piece:
    span = Span(token.start, token.start + len(token.text)) if token.start >= 0 else None
    return Piece(token.text, span, token.trail)


def _laid_out(tokens: list[Token]) -> str:
    lines: list[str] = []
    line: list[Token] = []
    depth = 0
    for token in tokens:
        line.append(token)
        depth += (token.text in "([{") - (token.text in ")]}")
        if depth == 0 and token.text in (";", "}"):
            lines.append(spelling(line))
            line = []
    return "\n".join([*lines, spelling(line)] if line else lines)


def _macros_at(
    index: KernelIndex, unit: Unit, invocation: Invocation
) -> Mapping[str, Macro] | None:
    for version in reversed(VERSIONS):
        walk = _Watch(unit.visited, index.includes, index.walks, version, invocation)
        walk.visit(unit.uri)
        if walk.seen is not None:
            return walk.seen
    return None


class _Watch(Walk):
    """Walks a source until an invocation, and keeps the macros in force there."""

    def __init__(
        self,
        documents: Mapping[Uri, MetalFacts],
        includes: Includes,
        memo: Memo,
        version: int,
        invocation: Invocation,
    ) -> None:
        super().__init__(documents, includes, memo, version)
        self.seen: dict[str, Macro] | None = None
        self._watched = invocation

    def invocation(self, event: Invocation, uri: Uri) -> None:
        if event is self._watched and self.seen is None:
            self.seen = dict(self.macros)
        if self.seen is None:
            super().invocation(event, uri)
