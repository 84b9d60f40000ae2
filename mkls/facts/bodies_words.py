"""Words that a Metal document should not use, or not everywhere."""

import re
from typing import Final

from mkls.facts.model.metal_bodies import BodyPlace
from mkls.syntax.metal.item import Item, Shape
from mkls.text.span import Span

_DOUBLE: Final = re.compile(r"(?<![\w.:])double[234]?\b(?!\s*[=:.])")
_IF_CONSTEXPR: Final = re.compile(r"if\s+(constexpr)\b")
_BFLOAT: Final = re.compile(r"\bbfloat[234]?\b")
_LAMBDA: Final = re.compile(
    r"(?:[=(,?:]|\breturn)\s*(\[[&=\w\s,]*\])\s*(?:\([^()]*(?:\([^()]*\)[^()]*)*\)\s*)?"
    r"(?:mutable\s*)?(?:->\s*[\w:<>*& ]+?\s*)?\{"
)
_BINDING: Final = re.compile(r"auto\s*[&]{0,2}\s*(\[\s*\w+(?:\s*,\s*\w+)+\s*\])\s*[={(]")
_FLOATING: Final = re.compile(r"(?<!!)\b(?:::)?((?:\w+::)*)(is_floating_point_v)\s*<\s*(\w+)\s*>")
_ENABLE: Final = re.compile(r"\benable_if(?:_t)?\s*<([^;{}()]*?)>\s*(?:operator\b|>)")
_FUNCTOR: Final = re.compile(r"\boperator\s*\(\s*\)")
_STRUCT: Final = re.compile(r"\bstruct\s+([^\W\d]\w*)")


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
    """Return where an overload of a functor is for `is_floating_point_v` and nothing more."""
    if "is_floating_point_v" not in clean:
        return ()
    return tuple(
        place
        for item in items
        if item.shape is Shape.TYPE and _FUNCTOR.search(clean, item.body, item.body_end)
        for place in _conditions(clean, item)
    )


def _conditions(clean: str, item: Item) -> list[BodyPlace]:
    struct = _STRUCT.search(clean, item.start, item.head)
    if struct is None:
        return []
    found: list[BodyPlace] = []
    for condition in _ENABLE.finditer(clean, item.body, item.body_end):
        if re.search(r"&&|\|\||!|is_scalar", condition[1]):
            continue
        word = _FLOATING.search(clean, *condition.span(1))
        if word:
            edit = Span(*word.span(2))
            if word[1]:
                edit = Span(clean.rindex(word[1], 0, word.start(2)), word.end(2))
                start = edit.start
                edit = Span(start - 2 if clean[start - 2 : start] == "::" else start, edit.end)
            found.append(
                BodyPlace(
                    Span(*word.span(2)), word[3], "", struct[1], edit,
                    "c10::metal::is_scalar_floating_point_v",
                )
            )  # fmt: skip
    return found
