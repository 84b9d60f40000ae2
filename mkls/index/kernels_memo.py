"""What invocations expand to, remembered by their text and by the macros that they use."""

from collections.abc import Callable, Iterator, Mapping
from typing import Final, NamedTuple

from mkls.facts.metal_declarations import functors_among
from mkls.facts.metal_kernels import NOWHERE, made_kernel_of
from mkls.facts.model.metal import Functor, MetalFacts, MetalKernel
from mkls.index.kernels_program import Event
from mkls.syntax.metal.declaration import heads_of
from mkls.syntax.metal.expansion import Expander
from mkls.syntax.metal.macro import Macro
from mkls.syntax.metal.token import Token, placeless_tokens_of
from mkls.text.document import Uri
from mkls.text.span import Span

_KEPT: Final = 20_000


class Expanded(NamedTuple):
    """What an invocation expands to, and the macros this holds for.

    It holds in any table that has exactly `used` and none of `unused`.
    """

    used: tuple[Macro, ...]
    unused: frozenset[str]
    kernels: tuple[MetalKernel, ...]
    functors: tuple[Functor, ...]

    def holds(self, macros: Mapping[str, Macro]) -> bool:
        """Whether expanding by `macros` would give the same."""
        return self.unused.isdisjoint(macros) and all(
            macros.get(macro.name) is macro for macro in self.used
        )


class Memo:
    """Expansions by text, programs by facts: what a change elsewhere leaves as it was."""

    def __init__(self, programs: Callable[[Uri, MetalFacts], tuple[Event, ...]]) -> None:
        """Take the events of a file from `programs`."""
        self.programs = programs
        self._expansions: dict[str, list[Expanded]] = {}

    def expansion(self, text: str, macros: Mapping[str, Macro]) -> Expanded:
        """Return the kernels that `text`, an invocation, expands to."""
        if len(self._expansions) > _KEPT:
            self._expansions.clear()
        known = self._expansions.setdefault(text, [])
        for expanded in known:
            if expanded.holds(macros):
                return expanded
        made = expand(text, macros)
        known.append(made)
        return made


def expand(text: str, macros: Mapping[str, Macro]) -> Expanded:
    """Return what `text`, an invocation, expands to by `macros`."""
    expander = Expander(macros)
    tokens = expander.expanded(placeless_tokens_of(text))
    used = tuple(dict.fromkeys(macros[name] for name in expander.consulted if name in macros))
    unused = frozenset(expander.consulted.difference(macros))
    kernels = tuple(kernels_among(tokens, NOWHERE))
    defines = any(token.text == "operator" for token in tokens)
    return Expanded(used, unused, kernels, tuple(functors_among(tokens)) if defines else ())


def kernels_among(tokens: list[Token], place: Span) -> Iterator[MetalKernel]:
    """Yield the kernels that `tokens` declare, as if they stood at `place`."""
    for head, body in heads_of(tokens):
        if any(token.text == "kernel" for token in head):
            kernel = made_kernel_of(head, body, place)
            if kernel is not None:
                yield kernel
