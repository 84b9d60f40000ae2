"""How host code spells a kernel's name: a finite algebra over string expressions.

`"lerp_" + scalarToMetalTypeString(out)` is `Concat((Literal("lerp_"), Dtype("out")))`. What one
document cannot know (the caller's argument, another function's result) stays symbolic, and the
index substitutes it.
"""

from collections.abc import Callable

import msgspec

from mkls.text.span import Span


class Literal(msgspec.Struct, frozen=True, array_like=True, tag="literal", gc=False):
    """Characters that are written out; `span` is theirs, without quotes."""

    text: str
    span: Span


class Dtype(msgspec.Struct, frozen=True, array_like=True, tag="dtype", gc=False):
    """The Metal spelling of a dtype (`scalarToMetalTypeString`); `text` is what it is taken of."""

    text: str
    span: Span


class Parameter(msgspec.Struct, frozen=True, array_like=True, tag="parameter", gc=False):
    """A parameter of the enclosing function."""

    name: str
    span: Span


class Unknown(msgspec.Struct, frozen=True, array_like=True, tag="unknown", gc=False):
    """Something that cannot be folded to a finite set; `text` is how it is written."""

    text: str
    span: Span


class Concat(msgspec.Struct, frozen=True, array_like=True, tag="concat"):
    """The parts, one after the other."""

    parts: tuple["NameExpression", ...]


class Choice(msgspec.Struct, frozen=True, array_like=True, tag="choice"):
    """One of the options: a ternary, or what branches assign."""

    options: tuple["NameExpression", ...]


class Call(msgspec.Struct, frozen=True, array_like=True, tag="call"):
    """What a function of the project returns, or, without parentheses, what a constant holds."""

    function: str
    arguments: tuple["NameExpression", ...] | None
    span: Span


NameExpression = Literal | Dtype | Parameter | Unknown | Concat | Choice | Call


def concat(parts: list[NameExpression]) -> NameExpression:
    """Return the concatenation of `parts`, flat."""
    flat: list[NameExpression] = []
    for part in parts:
        flat += part.parts if isinstance(part, Concat) else (part,)
    return flat[0] if len(flat) == 1 else Concat(tuple(flat))


def choice(options: list[NameExpression]) -> NameExpression:
    """Return the choice between `options`, flat and without repetition."""
    flat: dict[NameExpression, None] = {}
    for option in options:
        flat |= dict.fromkeys(option.options if isinstance(option, Choice) else (option,))
    return next(iter(flat)) if len(flat) == 1 else Choice(tuple(flat))


def with_parameters(
    expression: NameExpression, change: Callable[[Parameter], NameExpression]
) -> NameExpression:
    """Return `expression` with `change` made to each of its parameters."""
    if isinstance(expression, Parameter):
        return change(expression)
    if isinstance(expression, Concat):
        return concat([with_parameters(part, change) for part in expression.parts])
    if isinstance(expression, Choice):
        return choice([with_parameters(option, change) for option in expression.options])
    if isinstance(expression, Call) and expression.arguments:
        arguments = tuple(with_parameters(it, change) for it in expression.arguments)
        return Call(expression.function, arguments, expression.span)
    return expression


def parameters_of(expression: NameExpression) -> frozenset[str]:
    """Return the names of the enclosing function's parameters that `expression` depends on."""
    if isinstance(expression, Parameter):
        return frozenset((expression.name,))
    return frozenset(name for child in children_of(expression) for name in parameters_of(child))


def children_of(expression: NameExpression) -> tuple[NameExpression, ...]:
    """Return what `expression` is directly made of."""
    if isinstance(expression, Concat):
        return expression.parts
    if isinstance(expression, Choice):
        return expression.options
    if isinstance(expression, Call):
        return expression.arguments or ()
    return ()
