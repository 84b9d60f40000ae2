"""Metal text to facts."""

import re
from typing import Final

from mkls.facts.metal_bodies import bodies_of
from mkls.facts.metal_declarations import declaration_of, functor_of
from mkls.facts.metal_kernels import kernel_of
from mkls.facts.metal_regions import conditional_problems, regions_of
from mkls.facts.model.metal import (
    Functor,
    Include,
    Invocation,
    MacroDefinition,
    MetalDeclaration,
    MetalDirective,
    MetalFacts,
    MetalKernel,
)
from mkls.facts.model.name import Name
from mkls.syntax.metal.access import Accesses
from mkls.syntax.metal.brackets import bracket_problems
from mkls.syntax.metal.directive import Directive, definition_of, header_of
from mkls.syntax.metal.item import Item, Shape, items_of
from mkls.syntax.metal.structure import structure_of
from mkls.text.span import Span

_KERNEL: Final = re.compile(r"\bkernel\b")
_FUNCTOR: Final = re.compile(r"\boperator\s*\(\s*\)")
_ARGUMENT: Final = re.compile(r"[(),]")


def metal_facts(text: str) -> MetalFacts:
    """Return what `text` states; broken parts state less and appear among the problems."""
    structure = structure_of(text)
    items = items_of(structure.clean)
    reader = _Reader(text, structure.clean, items.items)
    reader.read()
    return MetalFacts(
        includes=_includes(text, structure.directives),
        macros=_macros(text, structure.directives),
        directives=tuple(
            MetalDirective(it.kind, it.argument, it.span) for it in structure.directives
        ),
        regions=regions_of(structure.directives, len(text)),
        invocations=tuple(reader.invocations),
        kernels=tuple(reader.kernels),
        functors=tuple(reader.functors),
        declarations=tuple(reader.declarations),
        problems=(
            *conditional_problems(structure.directives),
            *bracket_problems(structure.clean),
        ),
        bodies=bodies_of(structure.clean, items.items),
    )


def _includes(text: str, directives: list[Directive]) -> tuple[Include, ...]:
    named = (header_of(text, it) for it in directives if it.kind in ("include", "import"))
    return tuple(Include(*header) for header in named if header)


def _macros(text: str, directives: list[Directive]) -> tuple[MacroDefinition, ...]:
    found: list[MacroDefinition] = []
    for directive in directives:
        if directive.kind != "define":
            continue
        definition = definition_of(text, directive)
        if definition is None:
            continue
        name, start, parameters, body_start = definition
        end = directive.span.end
        found.append(
            MacroDefinition(
                Name(name, Span(start, start + len(name))),
                parameters,
                text[body_start:end],
                Span(body_start, end),
                directive.span,
            )
        )
    return tuple(found)


class _Reader:
    """Sorts the items of a text by what they declare."""

    def __init__(self, text: str, clean: str, items: list[Item]) -> None:
        self.text = text
        self.clean = clean
        self.items = items
        self.accesses = Accesses(clean, items)
        self.invocations: list[Invocation] = []
        self.kernels: list[MetalKernel] = []
        self.functors: list[Functor] = []
        self.declarations: list[MetalDeclaration] = []

    def read(self) -> None:
        for item in self.items:
            if item.shape is Shape.INVOCATION:
                self.invocations.append(self._invocation(item))
            elif _KERNEL.search(self.clean, item.start, item.head):
                self._kernel(item)
            else:
                self._declaration(item)

    def _kernel(self, item: Item) -> None:
        kernel = kernel_of(self.text, item, self.accesses)
        if kernel is not None:
            self.kernels.append(kernel)

    def _declaration(self, item: Item) -> None:
        declaration = declaration_of(self.text, self.clean, item)
        if declaration is None:
            return
        self.declarations.append(declaration)
        if item.shape is Shape.TYPE and _FUNCTOR.search(self.clean, item.body, item.body_end):
            self.functors.append(functor_of(self.text, self.clean, item, declaration.name))

    def _invocation(self, item: Item) -> Invocation:
        end = item.end - 1 if self.clean[item.end - 1] == ";" else item.end
        end = item.start + len(self.text[item.start : end].rstrip())
        word = self.clean[item.start : item.head].strip()
        name = Name(word, Span(item.start, item.start + len(word)))
        arguments = None
        if item.head < end and self.clean[item.head] == "(":
            arguments = self._arguments(item.head, end)
        return Invocation(name, arguments, self.text[item.start : end], Span(item.start, end))

    def _arguments(self, opening: int, end: int) -> tuple[Name, ...]:
        depth = 0
        start = opening + 1
        found: list[Name] = []
        for match in _ARGUMENT.finditer(self.clean, opening, end):
            depth += (match[0] == "(") - (match[0] == ")")
            if (match[0] == "," and depth == 1) or (match[0] == ")" and depth == 0):
                found.append(trimmed(self.text, start, match.start()))
                start = match.end()
        return tuple(found) if len(found) != 1 or found[0].text else ()


def trimmed(text: str, start: int, end: int) -> Name:
    """Return `text[start:end]` without the white space around it."""
    inner = text[start:end]
    start += len(inner) - len(inner.lstrip())
    inner = inner.strip()
    return Name(inner, Span(start, start + len(inner)))
