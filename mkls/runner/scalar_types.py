"""The scalar types that Metal, torch and `c10/metal/common.h` have in common."""

import re
from dataclasses import dataclass


@dataclass(frozen=True)
class ScalarType:
    """A type under its names.

    `metal` is the name in host names (`scalarToMetalTypeString`), `torch` the dtype's, `size` its
    bytes, `code` its value in `c10::metal::ScalarType`.
    """

    metal: str
    torch: str
    size: int
    code: int

    @property
    def is_complex(self) -> bool:
        """Whether a value is a pair of real numbers."""
        return self.torch.startswith("complex")

    @property
    def is_floating(self) -> bool:
        """Whether values are real floating-point numbers."""
        return "float" in self.torch and not self.is_complex

    @property
    def is_bool(self) -> bool:
        """Whether it is `bool`."""
        return self.torch == "bool"

    @property
    def is_integral(self) -> bool:
        """Whether values are integers, `bool` left out."""
        return not (self.is_floating or self.is_complex or self.is_bool)


SCALAR_TYPES = (
    ScalarType("float", "float32", 4, 6),
    ScalarType("half", "float16", 2, 5),
    ScalarType("bfloat", "bfloat16", 2, 15),
    ScalarType("int", "int32", 4, 3),
    ScalarType("long", "int64", 8, 4),
    ScalarType("short", "int16", 2, 2),
    ScalarType("char", "int8", 1, 1),
    ScalarType("uchar", "uint8", 1, 0),
    ScalarType("bool", "bool", 1, 11),
    ScalarType("float2", "complex64", 8, 9),
    ScalarType("half2", "complex32", 4, 8),
    ScalarType("ushort", "uint16", 2, 27),
    ScalarType("uint", "uint32", 4, 28),
    ScalarType("ulong", "uint64", 8, 29),
)

_SYNONYMS = {
    "int8_t": "char",
    "int16_t": "short",
    "int32_t": "int",
    "int64_t": "long",
    "uint8_t": "uchar",
    "uint16_t": "ushort",
    "uint32_t": "uint",
    "uint64_t": "ulong",
    "size_t": "ulong",
    "ptrdiff_t": "long",
}
_BY_FIRST_NAME = {it.metal: it for it in SCALAR_TYPES}
_BY_METAL = _BY_FIRST_NAME | {name: _BY_FIRST_NAME[target] for name, target in _SYNONYMS.items()}
_BY_TORCH = {it.torch: it for it in SCALAR_TYPES}

METAL_NAMES = tuple(sorted(_BY_METAL, key=len, reverse=True))
"""Every spelling of a scalar type, the longest first, as a regular expression wants them."""

_VECTOR = re.compile(r"(packed_)?([a-z]+?)([234])\Z")


def metal_type(name: str) -> ScalarType | None:
    """Return the type that Metal calls `name`."""
    return _BY_METAL.get(name)


def torch_type(name: str) -> ScalarType | None:
    """Return the type of the torch dtype `name` (`float32`)."""
    return _BY_TORCH.get(name)


def vector_type(name: str) -> tuple[ScalarType, int] | None:
    """Return the scalar type of `name` and how many scalars one value occupies.

    `float3` occupies four, `packed_float3` three, `float` one (MSL 4, section 2.2).
    """
    scalar = _BY_METAL.get(name)
    if scalar is not None and not scalar.is_complex:
        return scalar, 1
    match = _VECTOR.match(name)
    element = _BY_METAL.get(match[2]) if match else None
    if match is None or element is None:
        return None
    lanes = int(match[3])
    return element, 4 if lanes == 3 and not match[1] else lanes
