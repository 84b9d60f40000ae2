"""Integers that are not computed as integers."""

import re
from collections.abc import Iterator
from typing import Final

from mkls.facts.model.metal_bodies import BodyPlace
from mkls.syntax.metal.function import Function
from mkls.text.span import Span

_INTEGRAL: Final = re.compile(
    r"enable_if(?:_t)?\s*<\s*(?:::)?(?:\w+::)*is_(?:scalar_)?integral_v\s*<\s*(\w+)\s*>\s*,\s*\1\s*>"
)
_INTEGRAL_PARAMETER: Final = re.compile(
    r"enable_if(?:_t)?\s*<\s*(?:::)?(?:\w+::)*is_(?:scalar_)?integral_v\s*<\s*(\w+)\s*>\s*,\s*bool\s*>"
    r"\s*=\s*true\s*>\s*(?:inline\s+)?\1\s+\w+\s*\Z"
)
_RETURN: Final = re.compile(r"\breturn\b([^;]*);")
_TO_FLOAT: Final = re.compile(
    r"(?:\bfloat\s*\(|\bstatic_cast\s*<\s*float\s*>\s*\()\s*([^\W\d]\w*)\s*\)"
)
_CURVED: Final = re.compile(
    r"\b(?:r?sqrt|exp\w*|log\w*|pow\w*|a?(?:sin|cos|tan)h?\w*|atan2|erf\w*|\w*gamma\w*|hypot|fmod"
    r"|i[01]e?|bessel\w*|\w*polynomial\w*)\s*\("
)
_REMAINDER: Final = re.compile(r"\)\s*%\s*([\w.:]+(?:\[[^\[\]]*\]|\([^()]*\))?)")
_CALLED: Final = re.compile(r"(?<!\breturn)(?<=[\w\])>])\s*\Z")


def float_detours_in(clean: str, function: Function) -> Iterator[BodyPlace]:
    """Yield the first conversion to float in each result of an overload for integers."""
    head = function.signature.replace("operator()", "operator")
    integral = _INTEGRAL.search(head) or _INTEGRAL_PARAMETER.search(head.rstrip())
    if integral is None:
        return
    names = {it.name for it in function.parameters if re.search(rf"\b{integral[1]}\b", it.type)}
    for result in _RETURN.finditer(clean, function.body.start, function.body.end):
        if _CURVED.search(result[1]):
            continue
        for found in _TO_FLOAT.finditer(clean, *result.span(1)):
            if found[1] in names:
                within = function.owner or function.name
                yield BodyPlace(Span(*found.span()), found[1], integral[1], within)
                break


def quotient_remainders_in(clean: str, function: Function) -> Iterator[BodyPlace]:
    """Yield each `(a / b) % c`; only integers have a remainder."""
    for found in _REMAINDER.finditer(clean, function.body.start, function.body.end):
        start = _opening(clean, found.start(), function.body.start)
        inner = clean[start + 1 : found.start()].strip()
        if start > 0 and _divides(inner) and not _CALLED.search(clean[:start][-40:]):
            cure = f"c10::metal::safe_mod({inner}, {found[1]})"
            span = Span(start, found.end())
            yield BodyPlace(span, inner, found[1], function.name, span, cure)


def _opening(clean: str, close: int, limit: int) -> int:
    depth = 0
    for offset in range(close, limit - 1, -1):
        depth += (clean[offset] == ")") - (clean[offset] == "(")
        if depth == 0:
            return offset
    return -1


def _divides(expression: str) -> bool:
    depth = 0
    divided = False
    for mark in expression:
        depth += (mark in "([{") - (mark in ")]}")
        if depth == 0 and mark in "+-*%<>?&|,":
            return False
        divided = divided or (depth == 0 and mark == "/")
    return divided
