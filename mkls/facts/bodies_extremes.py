"""Metal's own `min`, `max` and `clamp`, which prefer a number to NaN."""

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Final

from mkls.facts.model.metal_bodies import BodyPlace
from mkls.syntax.metal.function import Function, closing, parts
from mkls.text.span import Span

_CALL: Final = re.compile(
    r"(?<![\w:.])(?P<prefix>(?:::\s*)?metal::(?:precise::|fast::)?)?(?P<name>max|min|clamp)\s*\("
)
_ABOUT: Final = re.compile(r"(?:arg|a|cum)?(?:max(?:imum)?|min(?:imum)?|minmax|clamp|clip)(?:_|\Z)")
_CAREFUL: Final = re.compile(r"\bis(?:nan|unordered)\s*\(")
_SAFE_CALL: Final = re.compile(r"\bc10::metal::(?:max|min)\s*\(")
_OWN: Final = re.compile(
    r"\busing\s+namespace\s+(?:::\s*)?c10\b|\busing\s+(?:::\s*)?c10::metal::(?:max|min)\b"
    r"|^[^\n;{}()=]{0,200}\s(?:max|min|clamp)\s*\([^;{}()]*\)\s*\{",
    re.MULTILINE,
)
_FLOATING: Final = frozenset(
    f"{kind}{lanes}" for kind in ("float", "half", "bfloat") for lanes in ("", "2", "3", "4")
)
_INTEGRAL: Final = frozenset(
    f"{sign}{kind}{lanes}"
    for sign in ("", "u")
    for kind in ("int", "long", "short", "char", "int8_t", "int16_t", "int32_t", "int64_t")
    for lanes in ("", "2", "3", "4")
) | {"bool", "size_t", "ptrdiff_t", "unsigned"}
_INTEGERS_ONLY: Final = re.compile(
    r"(?<!!)(?<!!::metal::)(?<!!metal::)\bis_(?:scalar_)?integral(?:_v)?\s*<\s*(\w+)"
    r"|!\s*(?:::)?(?:\w+::)*is_(?:scalar_)?floating_point(?:_v)?\s*<\s*(\w+)"
)
_DECLARED: Final = re.compile(
    r"\b(?:const\s+|thread\s+)*([^\W\d]\w*)(?:\s+|\s*[*&]\s*)([^\W\d]\w*)\s*(?=[=;{(\[,])"
)
_AUTO: Final = re.compile(r"\bauto\s+([^\W\d]\w*)\s*=\s*([^;]*);")
_WORD: Final = re.compile(r"(?<![\w.])[^\W\d]\w*")
_BRACKETED: Final = re.compile(r"\[[^\[\]]*\]|\.\s*\w+")
_INNER_CALL: Final = re.compile(r"\b(?:static_cast\s*<\s*(\w+)\s*>|([^\W\d]\w*))\s*\(")


def extremes_in(clean: str, function: Function) -> Iterator[BodyPlace]:
    """Yield the calls in `function` that drop a NaN which the result should be."""
    start, end = function.body.start, function.body.end
    if _CAREFUL.search(clean, start, end):
        return
    about = _ABOUT.match(function.owner or function.name) is not None
    nested = [_extent(clean, it) for it in _SAFE_CALL.finditer(clean, start, end)]
    if not (about or nested):
        return
    types = _types(clean, function)
    anything = _takes_anything(function)
    for call in _CALL.finditer(clean, start, end):
        if call["prefix"] is None and _is_own(clean, function):
            continue
        extent = _extent(clean, call)
        if (about or _touches(extent, nested)) and _is_floating(clean, call, types):
            yield _place(call, function, "any" if anything else "")


def _place(call: "re.Match[str]", function: Function, other: str) -> BodyPlace:
    name = call.start("name")
    edit = None if call["name"] == "clamp" else Span(call.start(), name)
    within = function.owner or function.name
    span = Span(call.start(), call.end("name"))
    return BodyPlace(span, call["name"], other, within, edit, "c10::metal::")


def _is_own(clean: str, function: Function) -> bool:
    """Whether an unqualified name may mean another function than Metal's."""
    return "c10" in function.scope or _OWN.search(clean) is not None


def _extent(clean: str, call: "re.Match[str]") -> Span:
    end = closing(clean, call.end() - 1)
    return Span(call.start(), end if end >= 0 else call.end())


def _touches(extent: Span, others: Iterable[Span]) -> bool:
    return any(
        (it.start < extent.start < it.end) or (extent.start < it.start < extent.end)
        for it in others
    )


def _takes_anything(function: Function) -> bool:
    """Whether the types of `function` are any that it is called with."""
    return bool(function.types) and "enable_if" not in function.signature


def _types(clean: str, function: Function) -> dict[str, str]:
    """Return whether names in `function` are `floating` or `integral`; others are not there."""
    integers = {it[1] or it[2] for it in _INTEGERS_ONLY.finditer(function.signature)}
    kinds = dict.fromkeys(_INTEGRAL, "integral") | dict.fromkeys(_FLOATING, "floating")
    kinds |= {it: "integral" if it in integers else "floating" for it in function.types}
    known: dict[str, str] = {}
    for parameter in function.parameters:
        words = [kinds[it] for it in _WORD.findall(parameter.type) if it in kinds]
        if words and "[[" not in parameter.type:
            known[parameter.name] = words[-1]
    body = clean[function.body.start : function.body.end]
    for found in _DECLARED.finditer(body):
        if found[1] in kinds:
            known[found[2]] = kinds[found[1]]
    known = kinds | known
    for found in _AUTO.finditer(body):
        kind = _kind(found[2], known)
        if kind:
            known[found[1]] = kind
    return known


def _is_floating(clean: str, call: "re.Match[str]", types: Mapping[str, str]) -> bool:
    opening = call.end() - 1
    end = closing(clean, opening)
    if end < 0:
        return False
    kinds = {_kind(clean[it.start : it.end], types) for it in parts(clean, opening + 1, end)}
    return "floating" in kinds and "integral" not in kinds


def _kind(expression: str, types: Mapping[str, str]) -> str:
    """Return `floating`, `integral` or, when it is not certain, nothing."""
    converted = _INNER_CALL.match(expression.strip())
    if converted:
        kind = types.get(converted[1] or converted[2])
        if kind:
            return kind
    shown = expression
    while (shorter := _BRACKETED.sub("", shown)) != shown:
        shown = shorter
    kinds = {types[word] for word in _WORD.findall(shown) if word in types}
    return kinds.pop() if len(kinds) == 1 else ""
