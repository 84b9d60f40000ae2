"""Guess a launch for a kernel that nobody describes: shapes, sizes, grid.

The guess is one square problem of 1024 elements: pointers get 1024 elements, a lone size is 1024,
several sizes are 32 each, so that products of two stay within.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from mkls.runner.argument_types import Memory, memory_of
from mkls.runner.request import Argument, KernelSpec

ELEMENTS = 1024
_SIDE = 32
_SIZE = re.compile(
    r"(?:n|m|k|b|h|w|d|c|numel|num_?\w*|n_?\w+|size\w*|\w*_?sizes?|len\w*|\w*_?len|\w*length|count|"
    r"\w*_?count|total\w*|rows?|cols?|columns|width|height|dim\w*|\w*_?dim|elements?|limit|end)\Z",
    re.IGNORECASE,
)
_STRIDE = re.compile(r"\w*(?:stride|step|ld[abc]?)\w*\Z", re.IGNORECASE)
_COOPERATIVE = re.compile(
    r"thread(?:s|_index|_position)?_(?:in|per)_(?:threadgroup|simdgroup)|simdgroup"
)
_POSITIONS = ("thread_position_in_grid", "threads_per_grid", "grid_size")


@dataclass(frozen=True)
class Guess:
    """A value for one argument: `elements` of a buffer, or the `number` that a reference holds."""

    elements: int = 0
    number: float | None = None


def guess(argument: Argument, spec: KernelSpec) -> Guess | None:
    """Return a value for `argument`; None where only the author can tell."""
    memory = memory_of(argument)
    if memory.is_pointer:
        if memory.depth > 1 or (memory.element is None and not memory.is_void):
            return None
        return Guess(elements=ELEMENTS)
    if memory.element is None:
        return None
    return Guess(elements=1, number=_number(argument, memory, spec))


def _number(argument: Argument, memory: Memory, spec: KernelSpec) -> float:
    assert memory.element is not None
    if not memory.element.is_integral:
        return 1
    name = argument.name.rstrip("_")
    if _STRIDE.match(name):
        return 1
    if not _SIZE.match(name):
        return 1
    return ELEMENTS if _sizes(spec) == 1 and memory.lanes == 1 else _SIDE


def _sizes(spec: KernelSpec) -> int:
    count = 0
    for argument in spec.arguments:
        memory = memory_of(argument)
        is_number = argument.kind == "buffer" and not memory.is_pointer
        if is_number and memory.element and memory.element.is_integral:
            count += bool(_SIZE.match(argument.name.rstrip("_")))
    return count


def grid(spec: KernelSpec) -> tuple[int, ...]:
    """Return the threads to launch, by how many dimensions the kernel asks for."""
    lanes = 1
    for argument in spec.arguments:
        if argument.attribute in _POSITIONS:
            digits = argument.type.strip()[-1:]
            lanes = max(lanes, int(digits) if digits in ("2", "3") else 1)
    return {1: (ELEMENTS,), 2: (_SIDE, _SIDE), 3: (_SIDE, _SIDE, 1)}[lanes]


def threadgroup(spec: KernelSpec, threads: Sequence[int]) -> tuple[int, ...] | None:
    """Return a threadgroup's size for kernels whose threads work together, else None."""
    together = any(
        argument.kind == "threadgroup" or _COOPERATIVE.search(argument.attribute or "")
        for argument in spec.arguments
    )
    if not together:
        return None
    if len(threads) == 1:
        return (min(256, threads[0]),)
    return (min(16, threads[0]), min(16, threads[1]), *(1 for _ in threads[2:]))


def is_safe(spec: KernelSpec) -> bool:
    """Whether the guess can hardly be wrong: one element a thread, at most one size.

    Only then does an access out of bounds tell something about the kernel.
    """
    positions = [it for it in spec.arguments if it.attribute in _POSITIONS]
    if len(grid(spec)) != 1 or not positions or threadgroup(spec, (ELEMENTS,)):
        return False
    numbers = [it for it in spec.arguments if it.kind == "buffer" and not memory_of(it).is_pointer]
    whole = [it for it in numbers if _is_integral(it)]
    read = [it for it in spec.arguments if it.kind == "buffer" and _is_input(it)]
    # Integers next to other inputs may be indices, offsets or strides.
    may_index = len(read) > 1 and any(_is_integral(it) for it in read)
    return len(whole) == _sizes(spec) <= 1 and not may_index


def _is_input(argument: Argument) -> bool:
    return argument.access == "read" and memory_of(argument).is_pointer


def _is_integral(argument: Argument) -> bool:
    element = memory_of(argument).element
    return element is None or element.is_integral
