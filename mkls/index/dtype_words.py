"""Words that spell dtypes, in macro arguments and in host names."""

import re
from collections.abc import Mapping
from typing import Final

METAL_SPELLINGS: Final[Mapping[str, str]] = {
    "int64_t": "long",
    "int32_t": "int",
    "int16_t": "short",
    "int8_t": "char",
    "uint64_t": "ulong",
    "uint32_t": "uint",
    "uint16_t": "ushort",
    "uint8_t": "uchar",
    "float16_t": "half",
    "bfloat16_t": "bfloat",
    "float32_t": "float",
}
"""How C++ spells a type, and how `scalarToMetalTypeString` does (MSL 4, section 2.1)."""

SPELLINGS: Final[Mapping[str, str]] = {
    "Float": "float",
    "Half": "half",
    "BFloat16": "bfloat",
    "Int": "int",
    "Long": "long",
    "Short": "short",
    "Char": "char",
    "Byte": "uchar",
    "Bool": "bool",
    "ComplexFloat": "float2",
    "ComplexHalf": "half2",
    "UInt16": "ushort",
    "UInt32": "uint",
    "UInt64": "ulong",
}
"""How `scalarToMetalTypeString` spells the enumerators of `c10::ScalarType` (torch 2.13)."""

FLOATING: Final = ("float", "half", "bfloat")
COMPLEX: Final = ("float2", "half2")
_WORD: Final = re.compile(r"[^\W_]+")


def slots_of(text: str, dtypes: frozenset[str]) -> tuple[str, tuple[str, ...]]:
    """Return `text` with `{}` for each dtype that is a word of it, and those dtypes in order.

    Underscores part words: `ELUParams_half` is `ELUParams_{}` with half.
    """
    if text in dtypes:
        return "{}", (text,)
    found: list[str] = []

    def hole(word: "re.Match[str]") -> str:
        if word[0] not in dtypes:
            return word[0]
        found.append(word[0])
        return "{}"

    return _WORD.sub(hole, text), tuple(found)


def filled(pattern: str, dtypes: tuple[str, ...]) -> str:
    """Return `pattern` with `dtypes` in its `{}`."""
    return pattern.replace("{}", "%s") % dtypes if dtypes else pattern
