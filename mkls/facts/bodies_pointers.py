"""Pointers and references: in Metal, each has an address space."""

import re
from collections.abc import Iterator
from typing import Final

from mkls.facts.model.metal_bodies import BodyPlace
from mkls.syntax.metal.function import Function
from mkls.text.span import Span

_SPACE: Final = re.compile(
    r"\b(device|constant|threadgroup|threadgroup_imageblock|thread|ray_data|object_data)\b"
)
_PLAIN: Final = re.compile(
    r"(?:(?:const|volatile)\s+)*(?:::)?(?:\w+::)*([^\W\d]\w*)\s*(?:<[^<>]*>\s*)?(?:(?:const|volatile)\s*)*([*&])\s*(?:const\s*)?\Z"
)
_MACRO: Final = re.compile(r"[A-Z][A-Z0-9_]+\Z")
_MADE: Final = re.compile(
    r"(?:\b(?:const)\s+)?\b(device|constant|threadgroup|thread)\b\s+(?:const\s+)?[\w:]+(?:<[^;<>()]*>)?"
    r"(?:\s+const)?\s*\*\s*(?:const\s+)?([^\W\d]\w*)\s*=\s*(?:&\s*)?([^\W\d]\w*)\s*"
    r"(?=;|[-+]|\[)"
)
_POINTER: Final = re.compile(r"\*\s*(?:const\s*|__restrict\s*|restrict\s*)?\Z")


def unqualified_pointers_in(clean: str, function: Function) -> Iterator[BodyPlace]:
    """Yield the parameters that are pointers or references and name no address space."""
    for parameter in function.parameters:
        if "*" not in parameter.type and "&" not in parameter.type:
            continue
        plain = _PLAIN.match(parameter.type)
        if plain is None or _SPACE.search(parameter.type):
            continue
        if plain[1] in function.types or _MACRO.match(plain[1]) is None:
            kind = "pointer" if plain[2] == "*" else "reference"
            yield BodyPlace(
                _type_span(clean, parameter.span, plain[2]), parameter.name, kind, function.name
            )


def _type_span(clean: str, parameter: Span, mark: str) -> Span:
    at = clean.find(mark, parameter.start, parameter.end)
    return Span(parameter.start, at + 1 if at >= 0 else parameter.end)


def mixed_spaces_in(clean: str, function: Function) -> Iterator[BodyPlace]:
    """Yield the address spaces of pointers made from a parameter of another one."""
    spaces = _parameter_spaces(function)
    for made in _MADE.finditer(clean, function.body.start, function.body.end):
        theirs = spaces.get(made[3])
        if theirs is None or theirs == made[1] or not _is_alone(clean, made, function):
            continue
        yield BodyPlace(
            Span(*made.span(1)), made[1], theirs, function.name, Span(*made.span(1)), theirs
        )


def _parameter_spaces(function: Function) -> dict[str, str]:
    """Return the address space to which each pointer among the parameters points."""
    found: dict[str, str] = {}
    for parameter in function.parameters:
        space = _SPACE.search(parameter.type)
        if space and parameter.type.count("*") == 1 and _POINTER.search(parameter.type):
            found[parameter.name] = space[1]
    return found


def _is_alone(clean: str, made: "re.Match[str]", function: Function) -> bool:
    """Whether the initialiser is the parameter itself, moved: no element of it, no other name."""
    own = re.compile(rf"[\w>*&]\s+\*?\s*{made[3]}\s*=|[*]\s*{made[3]}\s*=")
    if own.search(clean, function.body.start, made.start(3)):
        return False
    after = clean[made.end() : made.end() + 1]
    address = clean[made.start() : made.start(3)].rstrip().endswith("&")
    return address if after == "[" else not address
