"""Values of expressions as what is bound to a buffer (worker side)."""

from collections.abc import Sequence
from typing import Any, cast

import torch

from mkls.runner.argument_types import Memory, memory_of
from mkls.runner.backends.protocol import Bound
from mkls.runner.packing import bytes_of, pack
from mkls.runner.request import Argument
from mkls.runner.scalar_types import ScalarType, metal_type


def binding(argument: Argument, value: Any) -> Bound:
    """Return tensors and None as they are, numbers as bytes of the argument's own type."""
    if value is None or isinstance(value, torch.Tensor):
        return value
    many = isinstance(value, list | tuple)
    numbers = tuple(cast("Sequence[Any]", value)) if many else (value,)
    memory = memory_of(argument)
    if memory.element is None:
        return b"".join(_member(it) for it in numbers)
    return pack(memory.element, _filled(numbers, memory))


def _filled(numbers: tuple[Any, ...], memory: Memory) -> tuple[Any, ...]:
    """Spread one number over a vector's lanes; pad three to the four that a vector occupies."""
    if len(numbers) == 1:
        return numbers * memory.lanes
    missing = -len(numbers) % 4 if memory.lanes == 4 else 0
    return (*numbers, *(0 for _ in range(missing)))


def _member(value: Any) -> bytes:
    """Return a struct's member: four bytes for a number, as most parameter structs have them."""
    if isinstance(value, torch.Tensor):
        return bytes_of(value)
    return pack(_member_type(value), (value,))


def _member_type(value: Any) -> ScalarType:
    kind = metal_type("float" if isinstance(value, float) else "int")
    assert kind is not None
    return kind
