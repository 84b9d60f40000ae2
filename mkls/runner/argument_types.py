"""What a kernel parameter's type says about the memory to bind."""

import re
from dataclasses import dataclass

from mkls.runner.device_errors import is_error_buffer
from mkls.runner.request import Argument
from mkls.runner.scalar_types import ScalarType, vector_type

_NOISE = re.compile(
    r"\b(?:device|constant|const|threadgroup|thread|volatile|restrict|__restrict|coherent(?:\s*\([^)]*\))?|"
    r"struct)\b|(?:::)?\bmetal\s*::|(?:::)?\bstd\s*::|\[\[.*?\]\]"
)
_ATOMIC = re.compile(r"(?:\w*[Aa]tomic\w*\s*<\s*(\w+)\s*>|atomic_(\w+))\Z")
_VECTOR = re.compile(r"(packed_)?vec\s*<\s*(\w+)\s*,\s*([234])\s*>\Z")
_UNSIGNED = re.compile(r"\bunsigned\s+(char|short|int|long)\b|\bunsigned\b")


@dataclass(frozen=True)
class Memory:
    """The elements of a buffer: `lanes` scalars each; `element` None for `void` and structs.

    `is_pointer` tells an array from one value passed by reference; `base` is the type's name.
    """

    base: str
    element: ScalarType | None
    lanes: int
    is_pointer: bool
    depth: int

    @property
    def is_void(self) -> bool:
        """Whether the kernel casts it itself."""
        return self.base == "void"

    @property
    def is_error_buffer(self) -> bool:
        """Whether the kernel reports its own errors there."""
        return is_error_buffer(self.base)


def memory_of(argument: Argument) -> Memory:
    """Return what `argument.type` points or refers to."""
    text = _NOISE.sub(" ", argument.type)
    depth = text.count("*") + text.count("&") + text.count("[")
    base = re.sub(r"\[.*?\]", "", text.replace("*", " ").replace("&", " "))
    base = " ".join(base.split())
    base = _UNSIGNED.sub(lambda it: "u" + (it[1] or "int"), base)
    if atomic := _ATOMIC.match(base):
        base = atomic[1] or atomic[2]
    if vector := _VECTOR.match(base):
        base = f"{vector[1] or ''}{vector[2]}{vector[3]}"
    found = vector_type(base)
    pointer = "*" in argument.type or "[" in argument.type.partition("[[")[0]
    return Memory(base, found[0] if found else None, found[1] if found else 1, pointer, depth)
