"""Registrations of kernels as they are written: through wrapper macros, down to each dtype.

`REGISTER_FLOAT_UNARY_OP(exp)` registers for three dtypes; where each of the three is written is in
the macro's body, and there it must be mended. Everything is read from the macros at hand.
"""

import re
from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Final, NamedTuple

from mkls.facts.model.metal import MacroDefinition
from mkls.index.kernels_link import Kernel
from mkls.index.kernels_unit import Unit
from mkls.index.place import Place
from mkls.syntax.metal.macro import Macro, macro_of
from mkls.syntax.metal.token import Token, is_word, spelling, tokens_of
from mkls.text.document import Uri
from mkls.text.span import Span

_DEPTH: Final = 8
_KERNEL: Final = re.compile(r"\bkernel\b")
_OPENING: Final = frozenset("([{")
_CLOSING: Final = frozenset(")]}")


class Argument(NamedTuple):
    """An argument of a registration, and where a person wrote it."""

    text: str
    place: Place


class Step(NamedTuple):
    """An invocation on the way from what the source says to the macro that makes the kernels."""

    macro: str
    arguments: tuple[Argument, ...]
    place: Place


class Registration(NamedTuple):
    """Kernels that one invocation makes; `steps` lead to it, the one in the source first.

    A kernel that is instantiated by hand has a step without a macro, at its host name.
    """

    steps: tuple[Step, ...]
    kernels: tuple[Kernel, ...]

    @property
    def top(self) -> Step:
        """The invocation at namespace level."""
        return self.steps[0]

    @property
    def leaf(self) -> Step:
        """The invocation of the macro whose body holds the kernels."""
        return self.steps[-1]

    def written(self, words: frozenset[str]) -> Step:
        """Return the innermost invocation that spells one of `words` itself, else the top."""
        for outer, step in zip(reversed(self.steps[:-1]), reversed(self.steps[1:]), strict=True):
            handed = {it.place for it in outer.arguments}
            if any(it.text in words and it.place not in handed for it in step.arguments):
                return step
        return self.top


def registrations_of(unit: Unit) -> tuple[Registration, ...]:
    """Return the registrations of the source of `unit`, in source order."""
    groups: dict[tuple[Uri, Span], list[Kernel]] = {}
    for kernel in unit.kernels:
        groups.setdefault((kernel.uri, kernel.span), []).append(kernel)
    reader = _Reader(unit)
    found: list[Registration] = []
    for kernels in groups.values():
        found += reader.registrations(kernels)
    return tuple(found)


class _Call(NamedTuple):
    """An invocation in a macro's body; offsets count from the body's start."""

    name: str
    arguments: tuple[tuple[Token, ...], ...]
    span: Span


@lru_cache(maxsize=4096)
def _calls_in(body: str) -> tuple[_Call, ...]:
    """Return what may be macro invocations in `body`, outer ones only."""
    tokens = tokens_of(body)
    found: list[_Call] = []
    index = 0
    while index + 1 < len(tokens):
        if is_word(tokens[index].text) and tokens[index + 1].text == "(":
            end = _closing(tokens, index + 1)
            arguments = tuple(_split(tokens[index + 2 : end]))
            last = tokens[min(end, len(tokens) - 1)]
            span = Span(tokens[index].start, last.start + len(last.text))
            found.append(_Call(tokens[index].text, arguments, span))
        index += 1
    return tuple(found)


def _closing(tokens: list[Token], opening: int) -> int:
    depth = 0
    for index in range(opening, len(tokens)):
        depth += (tokens[index].text in _OPENING) - (tokens[index].text in _CLOSING)
        if depth == 0:
            return index
    return len(tokens)


def _split(tokens: list[Token]) -> Iterator[tuple[Token, ...]]:
    depth, part = 0, list[Token]()
    for token in tokens:
        depth += (token.text in _OPENING) - (token.text in _CLOSING)
        if token.text == "," and depth == 0:
            yield tuple(part)
            part = []
        else:
            part.append(token)
    if tokens:
        yield tuple(part)


class _Reader:
    """Takes invocations of one compilation apart."""

    def __init__(self, unit: Unit) -> None:
        self._unit = unit
        self._macros: Mapping[str, Macro] = {**unit.macros, **unit.invoked}
        self._definitions: dict[str, tuple[Uri, MacroDefinition]] = {}
        self._counts: dict[str, int] = {}
        for uri, facts in unit.visited.items():
            for it in facts.macros:
                macro = self._macros.get(it.name.text)
                if macro is macro_of(it.name.text, it.parameters, it.body):
                    self._definitions[it.name.text] = (uri, it)

    def registrations(self, kernels: list[Kernel]) -> Iterator[Registration]:
        """Yield the registrations that the invocation of `kernels` consists of."""
        first = kernels[0]
        invocation = first.registered.invocation
        if invocation is None:
            step = Step("", (), Place(first.uri, first.span))
            yield Registration((step,), tuple(kernels))
            return
        arguments = tuple(
            Argument(it.text, Place(first.uri, it.span)) for it in invocation.arguments or ()
        )
        top = Step(invocation.name.text, arguments, Place(first.uri, invocation.span))
        leaves = list(self._leaves((top,)))
        if sum(self._count(steps[-1].macro) for steps in leaves) != len(kernels):
            yield Registration((top,), tuple(kernels))
            return
        start = 0
        for steps in leaves:
            end = start + self._count(steps[-1].macro)
            yield Registration(steps, tuple(kernels[start:end]))
            start = end

    def _leaves(self, steps: tuple[Step, ...]) -> Iterator[tuple[Step, ...]]:
        """Yield the ways from the last of `steps` to macros whose bodies hold kernels."""
        step = steps[-1]
        known = self._definitions.get(step.macro)
        if known is None or len(steps) > _DEPTH:
            return
        uri, definition = known
        if _KERNEL.search(definition.body):
            yield steps
            return
        values = self._values(definition, step)
        for call in _calls_in(definition.body):
            if call.name in self._definitions and self._count(call.name):
                yield from self._leaves((*steps, self._step(uri, definition, call, values)))

    def _values(self, definition: MacroDefinition, step: Step) -> dict[str, Argument]:
        names = macro_of(definition.name.text, definition.parameters, definition.body).parameters
        values = dict(zip(names or (), step.arguments, strict=False))
        if names and len(step.arguments) > len(names):
            rest = ", ".join(it.text for it in step.arguments[len(names) - 1 :])
            values[names[-1]] = Argument(rest, step.arguments[len(names) - 1].place)
        return values

    def _step(
        self, uri: Uri, definition: MacroDefinition, call: _Call, values: dict[str, Argument]
    ) -> Step:
        start = definition.body_span.start
        arguments = tuple(
            values.get(tokens[0].text) or _argument(tokens, values, uri, start)
            if len(tokens) == 1
            else _argument(tokens, values, uri, start)
            for tokens in call.arguments
        )
        return Step(call.name, arguments, Place(uri, call.span.shifted(start)))

    def _count(self, macro: str) -> int:
        """How many kernels one invocation of `macro` makes."""
        if macro not in self._counts:
            self._counts[macro] = 0
            _, definition = self._definitions.get(macro, (None, None))
            if definition is not None:
                own = len(_KERNEL.findall(definition.body))
                calls = () if own else _calls_in(definition.body)
                self._counts[macro] = own + sum(self._count(it.name) for it in calls)
        return self._counts[macro]


def _argument(
    tokens: tuple[Token, ...], values: dict[str, Argument], uri: Uri, start: int
) -> Argument:
    """Return an argument that a macro's body writes, parameters replaced and `##` carried out."""
    if not tokens:
        return Argument("", Place(uri, Span(start, start)))
    last = tokens[-1]
    span = Span(start + tokens[0].start, start + last.start + len(last.text))
    made: list[Token] = []
    pastes = False
    for token in tokens:
        if token.text == "##":
            pastes = True
            continue
        value = values.get(token.text)
        text = value.text if value else token.text
        if pastes and made:
            text = made.pop().text + text
        made.append(Token(text, token.space and not pastes))
        pastes = False
    return Argument(spelling(made), Place(uri, span))
