"""Fold a lookup's name through helper functions, callers and library formulas to closed form."""

from collections.abc import Iterator
from typing import NamedTuple

from mkls.facts.model.host import Function, Lookup
from mkls.facts.model.name_expression import (
    Call,
    Choice,
    Concat,
    Literal,
    NameExpression,
    Unknown,
    choice,
    concat,
    parameters_of,
)
from mkls.index.host_documents import CallSite, HostFunction
from mkls.index.lookup_formulas import PARAMS, STEM
from mkls.index.lookup_source import Asked
from mkls.index.name_substitution import (
    NO_VALUES,
    accepts,
    by_parameter,
    each_chosen,
    has_call,
    independent,
    literals_of,
    longest_literal,
    substituted,
)
from mkls.index.place import Place
from mkls.text.document import Uri
from mkls.text.span import Span

_DEPTH = 12
_MOST = 400
"""A forwarder with more ways to be called than this is not followed further."""
_RECURSION = Unknown("recursion", Span(0, 0))
_Passed = frozenset[tuple[Uri, str]]


class Variant(NamedTuple):
    """One way of asking: a closed expression, the text that decides it, the calls passed.

    Of an expression that makes several choices, `options` are those of each: what may be asked for
    with it, and where its text stands.
    """

    expression: NameExpression
    origin: Place
    via: tuple[Place, ...]
    options: tuple[tuple[NameExpression, Place], ...] = ()


def variants(asked: Asked, function: HostFunction, lookup: Lookup) -> list[Variant]:
    """Return every known way in which `lookup`, within `function`, comes by a name."""
    whole = function.stated.place(lookup.span)
    start = Variant(lookup.name, _written(function, lookup.name) or whole, ())
    found: list[Variant] = []
    for variant in _Folder(asked).closed(function, start, frozenset()):
        if len(found) == _MOST:
            break
        found.append(variant)
    if not lookup.function.text.startswith("exec_"):
        return found
    return [
        _with_formula(asked, function, lookup, variant._replace(options=())) for variant in found
    ]


def _with_formula(
    asked: Asked, function: HostFunction, lookup: Lookup, variant: Variant
) -> Variant:
    params: NameExpression = Unknown(PARAMS, lookup.span)
    if lookup.params is not None:
        params = substituted(_Folder(asked).resolved(function, lookup.params), NO_VALUES)
    formulas = [
        substituted(formula, {STEM: variant.expression, PARAMS: params})
        for formula in _of_the_stem(asked, function, lookup)
    ]
    unknown = Unknown(lookup.function.text, lookup.span)
    return variant._replace(expression=choice(formulas) if formulas else unknown)


def _of_the_stem(asked: Asked, function: HostFunction, lookup: Lookup) -> Iterator[NameExpression]:
    """Yield what the library may ask for; what does not depend on the stem says nothing of it."""
    for method, formula in asked.formulas(lookup.function.text):
        resolved = _Folder(asked).resolved(method or function, formula)
        for option in resolved.options if isinstance(resolved, Choice) else (resolved,):
            if STEM in parameters_of(option):
                yield option


class _Folder:
    """Follows names to where they are written, noting what it asks."""

    def __init__(self, asked: Asked) -> None:
        self.asked = asked

    def closed(
        self, function: HostFunction, variant: Variant, passed: _Passed
    ) -> Iterator[Variant]:
        """Yield `variant` with the parameters of `function` replaced by what callers hand it."""
        expression = self.resolved(function, variant.expression)
        if not parameters_of(expression):
            yield from self._options(function, variant, expression)
            return
        key = (function.uri, function.name.text)
        follow = function.function is not None and key not in passed and len(passed) < _DEPTH
        sites = self.asked.callers(function) if follow else ()
        if function.function is None or not sites:
            yield variant._replace(expression=substituted(expression, NO_VALUES))
            return
        here = variant._replace(expression=expression)
        for site in sites[:_MOST]:
            for handed in self._handed(function.function, site, here):
                yield from self.closed(site.caller, handed, passed | {key})

    def _options(
        self, function: HostFunction, variant: Variant, expression: NameExpression
    ) -> Iterator[Variant]:
        for option in independent(expression):
            place = self._place(function, variant, longest_literal(option))
            options = tuple(self._chosen(function, variant, option))
            origin = place or variant.origin
            yield variant._replace(expression=option, origin=origin, options=options)

    def _chosen(
        self, function: HostFunction, variant: Variant, expression: NameExpression
    ) -> Iterator[tuple[NameExpression, Place]]:
        """Yield what is asked for with each text that one of several choices offers."""
        for option, literal in each_chosen(expression):
            if place := self._place(function, variant, literal):
                yield option, place

    def _place(
        self, function: HostFunction, variant: Variant, literal: Literal | None
    ) -> Place | None:
        """Return where `literal` stands: here, or in the one helper that is called for it all."""
        if literal is None or variant.via:
            return None
        if not has_call(variant.expression):
            return function.stated.place(literal.span)
        return self._returned(function, variant, literal)

    def _returned(self, function: HostFunction, variant: Variant, literal: Literal) -> Place | None:
        call = variant.expression
        results = self.asked.results(function.uri, call.function) if isinstance(call, Call) else ()
        if len(results) != 1 or literal not in literals_of(results[0][1]):
            return None
        return results[0][0].stated.place(literal.span)

    def _handed(self, callee: Function, site: CallSite, variant: Variant) -> Iterator[Variant]:
        """Yield `variant` with the arguments of one call in place of the parameters."""
        caller, place = site.caller, site.caller.stated.place(site.call.span)
        values = by_parameter(callee, site.call.arguments, site.call.span)
        names = sorted(parameters_of(variant.expression))
        via = (*variant.via, place)
        for chosen in _choices(values, names):
            handed = [chosen[name] for name in names if name in chosen]
            literals = (_written(caller, it) for it in handed)
            origin = next((it for it in literals if it), place)
            yield Variant(substituted(variant.expression, chosen), origin, via)

    def resolved(
        self,
        function: HostFunction,
        expression: NameExpression,
        active: frozenset[str] = frozenset(),
    ) -> NameExpression:
        """Return `expression` with calls of helper functions replaced by what they return."""
        if isinstance(expression, Call):
            return self._result(function, expression, active)
        if isinstance(expression, Concat):
            return concat([self.resolved(function, part, active) for part in expression.parts])
        if isinstance(expression, Choice):
            return _first_known(
                [self.resolved(function, option, active) for option in expression.options]
            )
        return expression

    def _result(self, function: HostFunction, call: Call, active: frozenset[str]) -> NameExpression:
        if call.function in active:
            return _RECURSION
        given = call.arguments or ()
        arguments = tuple(self.resolved(function, argument, active) for argument in given)
        inner = active | {call.function}
        results: list[NameExpression] = []
        for helper, returned in self.asked.results(function.uri, call.function):
            if helper.function is None or accepts(helper.function, len(arguments)):
                result = self.resolved(helper, returned, inner)
                values = by_parameter(helper.function, arguments, call.span)
                known = result is not _RECURSION
                results.append(substituted(result, values) if known else result)
        if not results:
            return Unknown(call.function, call.span)
        result = _first_known(results)
        # Functions that only ever call each other return nothing that could be known.
        return Unknown(call.function, call.span) if result is _RECURSION and not active else result


def _choices(
    values: dict[str, NameExpression], names: list[str]
) -> Iterator[dict[str, NameExpression]]:
    """Yield `values`, once for every option when a single argument makes a single choice."""
    if len(names) != 1 or names[0] not in values:
        yield values
        return
    (name,) = names
    argument = values[name]
    options = [argument] if has_call(argument) else independent(argument)
    yield from ({**values, name: option} for option in options)


def _first_known(options: list[NameExpression]) -> NameExpression:
    """Return the choice between `options`; what calls itself adds nothing to it."""
    known = [option for option in options if option is not _RECURSION]
    return choice(known) if known else _RECURSION


def _written(function: HostFunction, expression: NameExpression) -> Place | None:
    """Return where the longest text of `expression` stands, which is written in `function`."""
    literal = longest_literal(expression)
    return function.stated.place(literal.span) if literal else None
