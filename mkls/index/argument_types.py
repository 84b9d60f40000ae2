"""Sizes of what the host binds, and of what a kernel's parameter takes.

Sizes are in bytes, by the Metal Shading Language Specification (section 2.2.3: a vector of three
is as large as one of four).
"""

import re
from functools import lru_cache
from typing import NamedTuple

from mkls.facts.model.launches import ValueType

_SIZES = {
    **dict.fromkeys(("bool", "char", "uchar", "int8_t", "uint8_t"), 1),
    **dict.fromkeys(("short", "ushort", "half", "bfloat", "int16_t", "uint16_t"), 2),
    **dict.fromkeys(("int", "uint", "float", "int32_t", "uint32_t", "unsigned"), 4),
    **dict.fromkeys(("long", "ulong", "size_t", "int64_t", "uint64_t", "ptrdiff_t"), 8),
    "double": 8,
}
_FLOATING = frozenset({"half", "bfloat", "float", "double"})
_QUALIFIER = re.compile(
    r"\b(?:device|constant|threadgroup|thread|const|volatile|metal::|c10::metal::)(?:\b|(?<=::))|::"
)
_VECTOR = re.compile(r"(packed_)?([a-z]+)([234])\Z")
_TEMPLATE = re.compile(r"(vec|packed_vec|vec3|vec2|vec4|array)<\s*(.+?)\s*(?:,\s*(\d+)\s*)?>\Z")


class Shape(NamedTuple):
    """A Metal type of known size: `elements` elements of `size` bytes that take `total` together.

    `elements` is what a person counts: a `uint3` has three elements, and takes 16 bytes.
    """

    element: str
    size: int
    elements: int
    total: int

    @property
    def is_floating(self) -> bool:
        """Whether its elements are floating point."""
        return self.element in _FLOATING

    @property
    def is_padded(self) -> bool:
        """Whether it is a vector of three, or made of them."""
        return self.total > self.size * self.elements


@lru_cache(maxsize=4096)
def shape_of(type_: str) -> Shape | None:
    """Return the shape of what a parameter of type `type_` points or refers to, if it is known."""
    return _shape(" ".join(_QUALIFIER.sub(" ", type_).split()).rstrip("*& "))


def _shape(bare: str) -> Shape | None:
    if size := _SIZES.get(bare):
        return Shape(bare, size, 1, size)
    if (match := _VECTOR.match(bare)) and (size := _SIZES.get(match[2])):
        return _vector(match[2], size, int(match[3]), packed=bool(match[1]))
    match = _TEMPLATE.match(bare)
    if match is None:
        return None
    inner = _shape(match[2].strip())
    count = int(match[3]) if match[3] else int(match[1][3:] or 0) if match[1] != "array" else 0
    if inner is None or not count:
        return None
    if match[1] == "array":
        return Shape(inner.element, inner.size, inner.elements * count, inner.total * count)
    return _vector(inner.element, inner.size, count, packed=match[1].startswith("packed"))


def _vector(element: str, size: int, count: int, *, packed: bool) -> Shape:
    padded = 4 if count == 3 and not packed else count
    return Shape(element, size, count, size * padded)


def host_size(type_: ValueType) -> int:
    """Return how many bytes one element of a bound number or array has, 0 when it is unknown."""
    return _SIZES.get(type_.element, 0)


def host_is_floating(type_: ValueType) -> bool:
    """Whether a bound number or array is floating point."""
    return type_.element in _FLOATING


_CPP_NAMES = {
    "uint": "uint32_t",
    "int": "int32_t",
    "long": "int64_t",
    "ulong": "uint64_t",
    "short": "int16_t",
    "ushort": "uint16_t",
    "char": "int8_t",
    "uchar": "uint8_t",
}


def cpp_name(shape: Shape) -> str:
    """Return what C++ calls a number of Metal, "" when it has no such number."""
    name = _CPP_NAMES.get(shape.element, shape.element)
    return "" if name in ("half", "bfloat", "double") else name
