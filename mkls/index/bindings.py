"""Compare what the host binds with what a kernel takes."""

from collections.abc import Iterator, Mapping
from enum import IntEnum
from typing import NamedTuple

from mkls.facts.model.launches import Event, ValueKind
from mkls.facts.model.metal import KernelArgument
from mkls.index.argument_types import Shape, host_is_floating, host_size, shape_of
from mkls.index.kernels_link import Kernel


class Fault(IntEnum):
    """What is wrong with a binding, the most telling first."""

    EXTRA = 1
    """The kernel has no such buffer."""
    MISSING = 2
    READ_ONLY = 3
    """Bytes for a buffer that the kernel may write."""
    SHORT_VECTOR = 4
    SIZE = 5
    KIND = 6
    """A number for a buffer, or a buffer for a number."""


class Mismatch(NamedTuple):
    """A binding that does not fit `kernel`; `argument` is the kernel's, `event` the host's."""

    fault: Fault
    kernel: Kernel
    number: int
    event: Event | None
    argument: KernelArgument | None


class Bound(NamedTuple):
    """What is bound when a kernel is launched, by buffer number.

    `perhaps` are numbers that may be bound: by an earlier launch, or on another path. With
    `first`, buffers from 0 on are bound, but nobody knows how many. With `is_open`, anything is.
    """

    events: Mapping[int, Event]
    memory: Mapping[int, Event]
    """Threadgroup memory, by its own numbers."""
    repeated: tuple[tuple[Event, Event], ...]
    """Bindings that later ones took the number of, with those."""
    perhaps: frozenset[int]
    skipped: Mapping[int, Event]
    """What this path leaves out and another one binds."""
    first: bool
    is_open: bool


def buffers_of(kernel: Kernel) -> dict[int, KernelArgument] | None:
    """Return the buffers that `kernel` takes, by number; None when they are not certain."""
    found: dict[int, KernelArgument] = {}
    for argument in kernel.arguments:
        if argument.kind == "buffer":
            if argument.index is None or argument.index in found:
                return None
            found[argument.index] = argument
        elif argument.kind == "":
            # A parameter without a kind: what the compiler makes of it is its own mistake.
            return None
    return found


def mismatches(kernel: Kernel, bound: Bound) -> list[Mismatch] | None:
    """Return how `bound` does not fit `kernel`; None when the kernel's buffers are unknown."""
    buffers = buffers_of(kernel)
    if buffers is None:
        return None
    return [
        *_numbers(kernel, buffers, bound),
        *_memory(kernel, bound),
        *_types(kernel, buffers, bound),
    ]


def _numbers(
    kernel: Kernel, buffers: Mapping[int, KernelArgument], bound: Bound
) -> Iterator[Mismatch]:
    for index, event in bound.events.items():
        if index not in buffers:
            yield Mismatch(Fault.EXTRA, kernel, index, event, None)
    if bound.is_open:
        return
    first = min(bound.events, default=len(buffers)) if bound.first else 0
    for index, argument in buffers.items():
        known = index in bound.events or index in bound.perhaps or index < first
        if not known and argument.access and not argument.optional:
            yield Mismatch(Fault.MISSING, kernel, index, None, argument)


def _memory(kernel: Kernel, bound: Bound) -> Iterator[Mismatch]:
    """Compare the threadgroup memory, if the host gives it a length at all."""
    taken = {it.index for it in kernel.arguments if it.kind == "threadgroup"}
    for index, event in bound.memory.items():
        if index not in taken and None not in taken:
            yield Mismatch(Fault.EXTRA, kernel, index, event, None)


def _types(
    kernel: Kernel, buffers: Mapping[int, KernelArgument], bound: Bound
) -> Iterator[Mismatch]:
    for index, event in bound.events.items():
        argument = buffers.get(index)
        fault = _fault(event, argument) if argument else None
        if fault is not None:
            yield Mismatch(fault, kernel, index, event, argument)


def _fault(event: Event, argument: KernelArgument) -> Fault | None:
    kind = event.type.kind
    if kind in (ValueKind.SCALAR, ValueKind.ARRAY, ValueKind.BYTES):
        if argument.space == "device" and not argument.is_const:
            return Fault.READ_ONLY
        return None if kind is ValueKind.BYTES else _bytes_fault(event, argument)
    if kind in (ValueKind.TENSOR, ValueKind.OPERAND):
        return _tensor_fault(argument)
    return None


def _tensor_fault(argument: KernelArgument) -> Fault | None:
    """A tensor may hold one number of floating point, hardly a size, a flag or a vector."""
    shape = shape_of(argument.type)
    refers = argument.indirection == "&" and argument.space == "constant"
    if not refers or shape is None or (shape.is_floating and shape.elements == 1):
        return None
    return Fault.KIND


def _bytes_fault(event: Event, argument: KernelArgument) -> Fault | None:
    shape = shape_of(argument.type)
    if argument.indirection == "&":
        return _reference_fault(event, shape) if shape and event.type.count else None
    if argument.indirection != "*":
        return None
    if event.type.kind is ValueKind.SCALAR:
        same = shape is not None and shape.total == host_size(event.type)
        return None if same and argument.space == "constant" else Fault.KIND
    return _pointer_fault(event, shape) if shape else None


def _reference_fault(event: Event, shape: Shape) -> Fault | None:
    size = host_size(event.type)
    if not size:
        return None
    given = size * event.type.count
    if given == shape.total:
        differs = host_is_floating(event.type) is not shape.is_floating
        return Fault.SIZE if differs and shape.elements == event.type.count else None
    if given > shape.total and size == shape.size and event.type.kind is ValueKind.ARRAY:
        return None
    short = shape.is_padded and given == shape.size * shape.elements
    return Fault.SHORT_VECTOR if short else Fault.SIZE


def _pointer_fault(event: Event, shape: Shape) -> Fault | None:
    size = host_size(event.type)
    if not size:
        return None
    if size != shape.size:
        return Fault.SIZE
    rest = (size * event.type.count) % shape.total
    if not rest:
        return None
    return Fault.SHORT_VECTOR if shape.is_padded else Fault.SIZE
