"""Words that a Metal document should not use, or not everywhere."""

import re
from typing import Final

from mkls.facts.model.metal_bodies import BodyPlace
from mkls.syntax.metal.function import Function, functions_of
from mkls.syntax.metal.item import Item, Shape
from mkls.text.span import Span

_DOUBLE: Final = re.compile(r"(?<![\w.:])double[234]?\b(?!\s*[=:.])")
_IF_CONSTEXPR: Final = re.compile(r"if\s+(constexpr)\b")
_BFLOAT: Final = re.compile(r"\bbfloat[234]?\b")
_LAMBDA: Final = re.compile(
    r"(?:[=(,?:]|\breturn)\s*(\[[&=\w\s,]*\])\s*(?:\([^(){};]*(?:\([^(){};]*\)[^(){};]*)*\)\s*)?"
    r"(?:mutable\s*)?(?:->\s*[\w:<>*& ]+?\s*)?\{"
)
_BINDING: Final = re.compile(r"auto\b[\s&]*(\[\s*\w+(?:\s*,\s*\w+)+\s*\])\s*[={(]")
_FLOATING: Final = re.compile(
    r"enable_if(?:_t)?\s*<\s*((?:::\s*)?(?:\w+::)*(is_floating_point_v))\s*<\s*(\w+)\s*>\s*[,>]"
)
_COMPLEX: Final = re.compile(r"\bis_complex_v\b")
_METAL_CALL: Final = re.compile(r"\b(?:metal|precise|fast)::\w+\s*\(|[\w)\]]\s*[*/]\s*[\w(]")
_OTHER_CALL: Final = re.compile(
    r"\bc10::metal::\w+\s*[(<]|(?<![\w:.])(?!(?:static_cast|float|return|if|for|while|T)\b)[^\W\d]\w*\s*\("
)


def doubles_of(clean: str) -> tuple[BodyPlace, ...]:
    """Return each use of a type of 64-bit floating-point numbers."""
    if "double" not in clean:
        return ()
    return tuple(
        BodyPlace(span, it[0], edit=span, new_text=it[0].replace("double", "float"))
        for it in _DOUBLE.finditer(clean)
        if (span := Span(*it.span()))
    )


def modern_syntax_of(clean: str) -> tuple[BodyPlace, ...]:
    """Return what C++17 has and Metal 3, which is C++14, has not."""
    found = [
        BodyPlace(span, "if constexpr", edit=span, new_text="IF_CONSTEXPR")
        for it in _IF_CONSTEXPR.finditer(clean)
        if (span := Span(*it.span(1)))
    ]
    if re.search(r"\]\s*[({]", clean):
        found += [BodyPlace(Span(*it.span(1)), "a lambda") for it in _LAMBDA.finditer(clean)]
    if "auto" in clean:
        found += [
            BodyPlace(Span(*it.span(1)), "a structured binding") for it in _BINDING.finditer(clean)
        ]
    return tuple(sorted(found, key=lambda it: it.span.start))


def bfloat_functions_of(clean: str, items: list[Item]) -> tuple[BodyPlace, ...]:
    """Return the functions whose heads name the type `bfloat`."""
    if "bfloat" not in clean:
        return ()
    return tuple(
        BodyPlace(Span(*word.span()), word[0], edit=Span(item.start, item.end))
        for item in items
        if item.shape is Shape.FUNCTION and (word := _BFLOAT.search(clean, item.start, item.head))
    )


def floating_conditions_of(clean: str, items: list[Item]) -> tuple[BodyPlace, ...]:
    """Return where an overload of a functor is for `is_floating_point_v` and nothing more.

    Left out are overloads that hand complex numbers on to functions which may know them.
    """
    if "is_floating_point_v" not in clean:
        return ()
    return tuple(
        place
        for item in items
        if item.shape is Shape.TYPE
        and clean.find("is_floating_point_v", item.body, item.body_end) >= 0
        for place in _conditions(clean, item)
    )


def _conditions(clean: str, item: Item) -> list[BodyPlace]:
    is_ambiguous = _COMPLEX.search(clean, item.body, item.body_end) is not None
    found: list[BodyPlace] = []
    for function in functions_of(clean, (item,)):
        word = _FLOATING.search(clean, function.head.start, function.head.end)
        if (
            word
            and function.name == "operator()"
            and (is_ambiguous or _is_by_part(clean, function))
        ):
            edit = Span(*word.span(1))
            safe = "c10::metal::is_scalar_floating_point_v"
            found.append(BodyPlace(Span(*word.span(2)), word[3], "", function.owner, edit, safe))
    return found


def _is_by_part(clean: str, function: Function) -> bool:
    """Whether `function` itself computes what for complex numbers is no matter of their parts."""
    body = clean[function.body.start : function.body.end]
    return _METAL_CALL.search(body) is not None and _OTHER_CALL.search(body) is None
