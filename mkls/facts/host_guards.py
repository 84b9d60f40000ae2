"""Find what a function's body says about the dtypes with which its kernels are asked for.

`TORCH_CHECK(isFloatingType(x.scalar_type()))`, `AT_DISPATCH_FLOATING_TYPES(x.scalar_type(), …)`
and `if (isFloatingType(x.scalar_type())) { … }` each narrow the dtypes of `x` from there on.
"""

import re
from collections.abc import Iterator
from typing import Final

from mkls.facts.model.host import DtypeGuard
from mkls.syntax.host.blanking import Code
from mkls.syntax.host.brackets import closing_bracket, split_commas
from mkls.text.span import Span

INTEGRAL: Final = frozenset({"Byte", "Char", "Short", "Int", "Long"})
FLOATING: Final = frozenset({"Float", "Half", "BFloat16", "Double"})
COMPLEX: Final = frozenset({"ComplexFloat", "ComplexHalf", "ComplexDouble"})
SCALAR_TYPES: Final = INTEGRAL | FLOATING | COMPLEX | {"Bool", "UInt16", "UInt32", "UInt64"}
_MPS_FLOATING: Final = frozenset({"Float", "Half", "BFloat16"})

_GUARD: Final = re.compile(
    r"\b(?:(?P<check>TORCH_CHECK\w*)|(?P<at>AT_DISPATCH_\w+)|(?P<if>if))\s*\("
)
_PREDICATE: Final = re.compile(
    r"(?P<call>(?:\w+::)*(?:is(?:Floating|Integral|Complex)Type|supportedFloating(?:OrComplex)?Type))"
    r"\s*\((?P<args>[^,]*?)(?P<with>,\s*\w+)?\s*\)$"
)
_COMPARISON: Final = re.compile(
    r"(?P<subject>[\w.()>:\- ]+?)\s*==\s*(?:\w+::)*(?:ScalarType::|k)(?P<type>[A-Z]\w*)$"
)
_DTYPE: Final = re.compile(r"\b(?:scalar_type|dtype)\s*\(")
_SUBJECT: Final = re.compile(r"[A-Za-z_]\w*")
_TYPE_NAMES: Final = {"Int8": "Char", "UInt8": "Byte", "BFloat16": "BFloat16"}
_LISTS: Final = (
    ("FLOATING_AND_COMPLEX", FLOATING | {"ComplexFloat", "ComplexDouble"}),
    ("ALL_TYPES_AND_COMPLEX", INTEGRAL | {"Float", "Double", "ComplexFloat", "ComplexDouble"}),
    ("ALL_TYPES", INTEGRAL | {"Float", "Double"}),
    ("FLOATING_TYPES", frozenset({"Float", "Double"})),
    ("INTEGRAL_TYPES", INTEGRAL),
    ("COMPLEX_TYPES", frozenset({"ComplexFloat", "ComplexDouble"})),
)
_EXTRA: Final = re.compile(r"(?:\w+::)*(?:ScalarType::|k)([A-Z]\w*)$")


def may_guard(code: str, start: int, end: int) -> bool:
    """Whether `code[start:end]` may narrow a dtype; cheap."""
    return any(code.find(word, start, end) >= 0 for word in ("Type(", "_DISPATCH_", "type() =="))


def guards_in(code: Code, body: tuple[int, int]) -> tuple[DtypeGuard, ...]:
    """Return what the body says about dtypes, in order."""
    if not may_guard(code.code, *body):
        return ()
    return tuple(_guards(code.code, body))


def compares_dtypes(code: Code, body: tuple[int, int]) -> bool:
    """Whether a `TORCH_CHECK` of the body demands that two dtypes are equal."""
    if code.code.find("TORCH_CHECK", *body) < 0:
        return False
    for found in _GUARD.finditer(code.code, *body):
        close = closing_bracket(code.code, found.end() - 1, body[1])
        if found["check"] and close is not None:
            sides = code.code[found.end() : close].split("==")
            if len(sides) > 1 and all(_DTYPE.search(side) for side in sides[:2]):
                return True
    return False


def _guards(code: str, body: tuple[int, int]) -> Iterator[DtypeGuard]:
    for found in _GUARD.finditer(code, *body):
        close = closing_bracket(code, found.end() - 1, body[1])
        if close is None:
            continue
        arguments = split_commas(code, found.end(), close)
        if found["at"]:
            yield from _dispatch(code, found["at"], arguments, Span(found.start(), close))
        elif arguments:
            end = _block_end(code, close + 1, body[1]) if found["if"] else body[1]
            start = close + 1 if found["if"] else found.start()
            condition = arguments[0] if found["check"] else (found.end(), close)
            told = _told(code[slice(*condition)])
            if told is not None:
                yield DtypeGuard(told[0], tuple(sorted(told[1])), Span(start, end))


def _block_end(code: str, after: int, end: int) -> int:
    """Return where the statement that an `if` governs ends."""
    opening = re.compile(r"\s*\{").match(code, after, end)
    if opening:
        return closing_bracket(code, opening.end() - 1, end) or end
    semicolon = code.find(";", after, end)
    return end if semicolon < 0 else semicolon


_Told = tuple[str, frozenset[str]]
"""The variable of which a condition speaks, and the dtypes it lets pass."""


def _told(condition: str) -> _Told | None:
    """Return what `condition` says about the dtype of one variable, None when it says nothing."""
    condition = _unwrapped(condition)
    if len(parts := _split(condition, "||")) > 1:
        return _joined([_told(part) for part in parts])
    if len(parts := _split(condition, "&&")) > 1:
        return _both([_told(part) for part in parts])
    if condition.startswith("!") and not condition.startswith("!="):
        inner = _told(condition[1:])
        return (inner[0], SCALAR_TYPES - inner[1]) if inner else None
    if found := _PREDICATE.fullmatch(condition):
        subject = _SUBJECT.search(found["args"])
        included = _predicate(found["call"].rpartition("::")[2], found["with"] or "")
        return (subject[0], included) if subject and included else None
    if found := _COMPARISON.fullmatch(condition):
        subject = _SUBJECT.search(found["subject"])
        dtype = _TYPE_NAMES.get(found["type"], found["type"])
        named = "type" in found["subject"] and dtype in SCALAR_TYPES
        return (subject[0], frozenset((dtype,))) if subject and named else None
    return None


def _predicate(name: str, second: str) -> frozenset[str]:
    if name == "isIntegralType":
        own = INTEGRAL | {"UInt16", "UInt32", "UInt64"}
        return own | {"Bool"} if "true" in second else own
    included: dict[str, frozenset[str]] = {
        "isFloatingType": FLOATING,
        "isComplexType": COMPLEX,
        "supportedFloatingType": _MPS_FLOATING,
        "supportedFloatingOrComplexType": _MPS_FLOATING | {"ComplexFloat", "ComplexHalf"},
    }
    return included[name]


def _unwrapped(condition: str) -> str:
    condition = condition.strip()
    while condition.startswith("(") and closing_bracket(condition, 0) == len(condition) - 1:
        condition = condition[1:-1].strip()
    return condition


def _split(condition: str, operator: str) -> list[str]:
    parts: list[str] = []
    depth = start = 0
    for index, mark in enumerate(condition):
        depth += (mark in "([{") - (mark in ")]}")
        if depth == 0 and condition.startswith(operator, index):
            parts.append(condition[start:index])
            start = index + len(operator)
    return [*parts, condition[start:]]


def _joined(told: list[_Told | None]) -> _Told | None:
    known = [it for it in told if it is not None]
    if len(known) < len(told) or len({subject for subject, _ in known}) != 1:
        return None
    return known[0][0], frozenset[str]().union(*(dtypes for _, dtypes in known))


def _both(told: list[_Told | None]) -> _Told | None:
    known = [it for it in told if it is not None]
    if not known or len({subject for subject, _ in known}) != 1:
        return None
    return known[0][0], SCALAR_TYPES.intersection(*(dtypes for _, dtypes in known))


def _dispatch(
    code: str, macro: str, arguments: list[tuple[int, int]], span: Span
) -> Iterator[DtypeGuard]:
    listed = next((dtypes for name, dtypes in _LISTS if name in macro), None)
    if listed is None:
        return
    extra: set[str] = set()
    for argument in arguments:
        found = _EXTRA.fullmatch(code[slice(*argument)])
        if found is None:
            subject = _SUBJECT.match(code, *argument)
            if subject:
                yield DtypeGuard(subject[0], tuple(sorted(listed | extra)), span)
            return
        extra.add(_TYPE_NAMES.get(found[1], found[1]))
