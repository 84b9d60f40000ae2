"""What the preprocessor meets in one Metal file, in order."""

import re
from typing import Final, NamedTuple

from mkls.facts.model.metal import (
    Include,
    Invocation,
    MacroDefinition,
    MetalDirective,
    MetalFacts,
    MetalKernel,
)
from mkls.syntax.metal.macro import Macro, macro_of

_WORD: Final = re.compile(r"[^\W\d]\w*")


class Define(NamedTuple):
    """A `#define`."""

    macro: Macro


class Direct(NamedTuple):
    """A kernel that the file writes down, and the words of its signature."""

    kernel: MetalKernel
    words: frozenset[str]


Event = MetalDirective | Define | Include | Invocation | Direct


def program_of(facts: MetalFacts) -> tuple[Event, ...]:
    """Return the events of a file in source order; other declarations do not matter here."""
    definitions = {it.span.start: it for it in facts.macros}
    includes = list(facts.includes)
    placed: list[tuple[int, Event]] = []
    for directive in facts.directives:
        event = _directive(directive, definitions, includes)
        if event is not None:
            placed.append((directive.span.start, event))
    placed += [(it.span.start, it) for it in facts.invocations]
    placed += [(it.span.start, _direct(it)) for it in facts.kernels]
    placed.sort(key=lambda pair: pair[0])
    return tuple(event for _, event in placed)


def _direct(kernel: MetalKernel) -> Direct:
    return Direct(kernel, frozenset(_WORD.findall(kernel.signature)))


def _directive(
    directive: MetalDirective, definitions: dict[int, MacroDefinition], includes: list[Include]
) -> Event | None:
    if directive.kind == "define":
        definition = definitions.get(directive.span.start)
        if definition is None:
            return None
        return Define(macro_of(definition.name.text, definition.parameters, definition.body))
    if directive.kind in ("include", "import"):
        return next((it for it in includes if directive.span.covers(it.span)), None)
    return directive
