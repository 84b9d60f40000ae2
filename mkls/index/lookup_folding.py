"""Fold a lookup's name through helper functions, callers and library formulas to closed form.

Everything a fold depends on is asked of a `Folding` and noted, so that a later index can tell
whether the fold still holds (`Fold.holds`).
"""

from collections.abc import Iterator
from typing import NamedTuple, Protocol

from mkls.facts.model.host import Function, Lookup
from mkls.facts.model.name_expression import (
    Call,
    Choice,
    Concat,
    Literal,
    NameExpression,
    Parameter,
    Unknown,
    children_of,
    choice,
    concat,
    parameters_of,
)
from mkls.index.host_documents import CallSite, HostFunction
from mkls.index.place import Place
from mkls.text.document import Uri
from mkls.text.span import Span

_DEPTH = 12
_MOST = 400
"""A forwarder with more ways to be called than this is not followed further."""


class Source(Protocol):
    """What folding asks of the workspace; answers compare equal while nothing relevant changed."""

    def callers(self, function: HostFunction) -> tuple[CallSite, ...]:
        """Return the calls that hand a string to `function`."""
        ...

    def results(self, uri: Uri, name: str) -> tuple[tuple[HostFunction, NameExpression], ...]:
        """Return what the functions, or the constant, that `name` means in `uri` evaluate to."""
        ...

    def formulas(self, name: str) -> tuple[NameExpression, ...]:
        """Return what the library's `exec_*` of that name asks for."""
        ...


class Variant(NamedTuple):
    """One way of asking: a closed expression, where its stem is written, and through which calls."""

    expression: NameExpression
    origin: Place
    via: tuple[Place, ...]


class Folder:
    """Folds the names of lookups, noting what it asks."""

    def __init__(self, source: Source) -> None:
        """Fold in the workspace that `source` describes."""
        self.source = source
        self.asked: dict[tuple[str, *tuple[object, ...]], object] = {}

    def _ask(self, question: str, *arguments: object) -> object:
        key = (question, *arguments)
        if key not in self.asked:
            self.asked[key] = getattr(self.source, question)(*arguments)
        return self.asked[key]

    def variants(self, function: HostFunction, lookup: Lookup) -> list[Variant]:
        """Return every known way in which `lookup`, within `function`, comes by a name."""
        origin = function.stated.place(lookup.span)
        start = Variant(lookup.name, own_literal(function, lookup.name) or origin, ())
        found: list[Variant] = []
        for variant in self._closed(function, start, frozenset()):
            found += self._with_formula(function, lookup, variant)
        return found[:_MOST]

    def _with_formula(
        self, function: HostFunction, lookup: Lookup, variant: Variant
    ) -> list[Variant]:
        if not lookup.function.text.startswith("exec_"):
            return [variant]
        formulas = self.source_formulas(lookup.function.text)
        if not formulas:
            return [variant._replace(expression=Unknown("", lookup.span))]
        params = self._resolved(function, lookup.params, frozenset()) if lookup.params else None
        values = {"params_type_name": params or Unknown("", lookup.span)}
        whole = choice([_put(formula, values, variant.expression) for formula in formulas])
        return [variant._replace(expression=whole)]

    def source_formulas(self, name: str) -> tuple[NameExpression, ...]:
        """Return the formulas of an `exec_*`."""
        answer = self._ask("formulas", name)
        assert isinstance(answer, tuple)
        return answer

    def _closed(
        self,
        function: HostFunction,
        variant: Variant,
        passed: frozenset[tuple[Uri, str]],
    ) -> Iterator[Variant]:
        """Yield `variant` with the enclosing function's parameters replaced by arguments."""
        expression = self._resolved(function, variant.expression, frozenset())
        if not parameters_of(expression):
            written_here = not variant.via and not _has_call(variant.expression)
            for option in independent(expression):
                place = own_literal(function, option) if written_here else None
                yield variant._replace(expression=option, origin=place or variant.origin)
            return
        key = (function.uri, function.name.text)
        sites = () if key in passed or len(passed) > _DEPTH else self._callers(function)
        if not sites or function.function is None:
            yield variant._replace(expression=_forgotten(expression))
            return
        for site in sites[:_MOST]:
            yield from self._from_site(function.function, site, expression, variant, passed | {key})

    def _from_site(
        self,
        callee: Function,
        site: CallSite,
        expression: NameExpression,
        variant: Variant,
        passed: frozenset[tuple[Uri, str]],
    ) -> Iterator[Variant]:
        caller, stated = site.caller, site.caller.stated
        arguments = arguments_by_name(callee, site.call.arguments, site.call.span)
        via = (*variant.via, stated.place(site.call.span))
        names = sorted(parameters_of(expression))
        stem = arguments.get(names[0]) if len(names) == 1 else None
        resolved = self._resolved(caller, stem, frozenset()) if stem is not None else None
        options = list(independent(resolved)) if resolved is not None else []
        written_here = stem is not None and not _has_call(stem)
        for option in options or [None]:
            values = arguments if option is None else {**arguments, names[0]: option}
            handed = [option] if option else [values[name] for name in names if name in values]
            places = (own_literal(caller, value) for value in handed if written_here or not option)
            origin = next((place for place in places if place), stated.place(site.call.span))
            put = _put(expression, values, None)
            yield from self._closed(caller, Variant(put, origin, via), passed)

    def _callers(self, function: HostFunction) -> tuple[CallSite, ...]:
        answer = self._ask("callers", function)
        assert isinstance(answer, tuple)
        return answer

    def _resolved(
        self, function: HostFunction, expression: NameExpression, active: frozenset[str]
    ) -> NameExpression:
        """Return `expression` with calls of helper functions replaced by what they return."""
        if isinstance(expression, Call):
            return self._result(function, expression, active)
        if isinstance(expression, Concat):
            return concat([self._resolved(function, part, active) for part in expression.parts])
        if isinstance(expression, Choice):
            options = [self._resolved(function, part, active) for part in expression.options]
            kept = [option for option in options if option is not _RECURSION]
            return choice(kept) if kept else _RECURSION
        return expression

    def _result(self, function: HostFunction, call: Call, active: frozenset[str]) -> NameExpression:
        if call.function in active:
            return _RECURSION
        answer = self._ask("results", function.uri, call.function)
        assert isinstance(answer, tuple)
        arguments = tuple(
            self._resolved(function, argument, active) for argument in call.arguments or ()
        )
        inner = active | {call.function}
        options: list[NameExpression] = []
        for helper, returned in answer:
            if helper.function is not None and not accepts(helper.function, len(arguments)):
                continue
            values = (
                arguments_by_name(helper.function, arguments, call.span) if helper.function else {}
            )
            result = self._resolved(helper, returned, inner)
            options.append(result if result is _RECURSION else _put(result, values, None))
        kept = [option for option in options if option is not _RECURSION]
        if options and not kept and active:
            return _RECURSION
        return choice(kept) if kept else Unknown(call.function, call.span)


_RECURSION = Unknown("recursion", Span(0, 0))


def accepts(function: Function, count: int) -> bool:
    """Whether `function` can be called with `count` arguments."""
    parameters = function.parameters
    if any("..." in parameter.type for parameter in parameters):
        return True
    required = sum(not parameter.default for parameter in parameters)
    return required <= count <= len(parameters)


def arguments_by_name(
    function: Function, arguments: tuple[NameExpression | None, ...], span: Span
) -> dict[str, NameExpression]:
    """Return the arguments of a call under the names of the parameters of `function`."""
    named: dict[str, NameExpression] = {}
    for index, parameter in enumerate(function.parameters):
        value = arguments[index] if index < len(arguments) else None
        named[parameter.name] = Unknown(parameter.name, span) if value is None else value
    return named


def _put(
    expression: NameExpression,
    values: dict[str, NameExpression],
    otherwise: NameExpression | None,
) -> NameExpression:
    """Return `expression` with its parameters replaced by `values`, others by `otherwise`."""
    if isinstance(expression, Parameter):
        value = values.get(expression.name, otherwise)
        return Unknown(expression.name, expression.span) if value is None else value
    if isinstance(expression, Concat):
        return concat([_put(part, values, otherwise) for part in expression.parts])
    if isinstance(expression, Choice):
        return choice([_put(option, values, otherwise) for option in expression.options])
    return expression


def _forgotten(expression: NameExpression) -> NameExpression:
    return _put(expression, {}, None)


def independent(expression: NameExpression) -> Iterator[NameExpression]:
    """Yield the options of an expression that makes exactly one choice and takes no parameter.

    With several choices not every combination need occur, so they stay one expression.
    """
    if _choices(expression) != 1 or parameters_of(expression):
        yield expression
    elif isinstance(expression, Choice):
        yield from expression.options
    else:
        assert isinstance(expression, Concat)
        at = next(i for i, part in enumerate(expression.parts) if isinstance(part, Choice))
        chosen = expression.parts[at]
        assert isinstance(chosen, Choice)
        before, after = expression.parts[:at], expression.parts[at + 1 :]
        for option in chosen.options:
            yield concat([*before, option, *after])


def _choices(expression: NameExpression) -> int:
    inner = sum(_choices(child) for child in children_of(expression))
    return inner + isinstance(expression, Choice)


def _has_call(expression: NameExpression) -> bool:
    return isinstance(expression, Call) or any(map(_has_call, children_of(expression)))


def own_literal(function: HostFunction, expression: NameExpression) -> Place | None:
    """Return where the longest text of `expression` stands, which is written in `function`."""
    literals = [it for it in _literals(expression) if it.span.start < it.span.end]
    if not literals:
        return None
    return function.stated.place(max(literals, key=lambda it: len(it.text)).span)


def _literals(expression: NameExpression) -> Iterator[Literal]:
    if isinstance(expression, Literal):
        yield expression
    for child in children_of(expression):
        yield from _literals(child)
