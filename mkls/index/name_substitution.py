"""Rewrite name expressions: put arguments in place of parameters, take choices apart."""

import re
from collections.abc import Iterator, Mapping
from typing import Final

from mkls.facts.model.host import Function
from mkls.facts.model.name_expression import (
    Call,
    Choice,
    Concat,
    Literal,
    NameExpression,
    Unknown,
    children_of,
    choice,
    concat,
    parameters_of,
    with_parameters,
)
from mkls.text.span import Span

_TELLING: Final = re.compile(r"[A-Za-z]{3}")
NO_VALUES: Mapping[str, NameExpression] = {}


def substituted(expression: NameExpression, values: Mapping[str, NameExpression]) -> NameExpression:
    """Return `expression` with `values` for its parameters; those without one become unknown."""
    return with_parameters(expression, lambda it: values.get(it.name) or Unknown(it.name, it.span))


def accepts(function: Function, count: int) -> bool:
    """Whether `function` can be called with `count` arguments."""
    parameters = function.parameters
    if any("..." in parameter.type for parameter in parameters):
        return True
    required = sum(not parameter.default for parameter in parameters)
    return required <= count <= len(parameters)


def by_parameter(
    function: Function | None, arguments: tuple[NameExpression | None, ...], span: Span
) -> dict[str, NameExpression]:
    """Return the arguments of a call at `span`, by the names of the parameters they go to."""
    named: dict[str, NameExpression] = {}
    for index, parameter in enumerate(function.parameters if function else ()):
        value = arguments[index] if index < len(arguments) else None
        named[parameter.name] = Unknown(parameter.name, span) if value is None else value
    return named


def independent(expression: NameExpression) -> Iterator[NameExpression]:
    """Yield the options of an expression that makes exactly one choice and takes no parameter.

    With several choices not every combination need occur, so they stay one expression.
    """
    if _choices(expression) != 1 or parameters_of(expression):
        yield expression
    elif isinstance(expression, Choice):
        yield from expression.options
    elif isinstance(expression, Concat):
        yield from _taken_apart(expression)


def each_chosen(expression: NameExpression) -> Iterator[tuple[NameExpression, Literal]]:
    """Yield `expression` with each text that one of its several choices offers, and the text.

    Not every combination need occur, but every option does, in some of them. Texts without a word
    in them, such as `32`, are left out: they follow from the others.
    """
    if _choices(expression) > 1 and not parameters_of(expression):
        for literal in dict.fromkeys(_offered(expression)):
            yield _keeping(expression, literal), literal


def _offered(expression: NameExpression) -> Iterator[Literal]:
    for child in children_of(expression):
        if isinstance(expression, Choice) and isinstance(child, Literal):
            if child.span.start < child.span.end and _TELLING.search(child.text):
                yield child
        else:
            yield from _offered(child)


def _keeping(expression: NameExpression, literal: Literal) -> NameExpression:
    """Return `expression` with the options that have `literal`, in each choice that offers it."""
    if isinstance(expression, Choice):
        having = [it for it in expression.options if literal in literals_of(it)]
        return choice([_keeping(it, literal) for it in having or expression.options])
    if isinstance(expression, Concat):
        return concat([_keeping(it, literal) for it in expression.parts])
    return expression


def _taken_apart(expression: Concat) -> Iterator[NameExpression]:
    for at, part in enumerate(expression.parts):
        if isinstance(part, Choice):
            before, after = expression.parts[:at], expression.parts[at + 1 :]
            yield from (concat([*before, option, *after]) for option in part.options)


def _choices(expression: NameExpression) -> int:
    inner = sum(_choices(child) for child in children_of(expression))
    return inner + isinstance(expression, Choice)


def has_call(expression: NameExpression) -> bool:
    """Whether part of `expression` stands in another function or file."""
    return isinstance(expression, Call) or any(map(has_call, children_of(expression)))


def longest_literal(expression: NameExpression) -> Literal | None:
    """Return the longest text that is written out in `expression`."""
    literals = [it for it in literals_of(expression) if it.span.start < it.span.end]
    return max(literals, key=lambda it: len(it.text), default=None)


def literals_of(expression: NameExpression) -> Iterator[Literal]:
    """Yield the texts that are written out in `expression`."""
    if isinstance(expression, Literal):
        yield expression
    for child in children_of(expression):
        yield from literals_of(child)
