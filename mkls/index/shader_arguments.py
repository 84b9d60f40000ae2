"""Whether what Python passes to a kernel arrives as what the kernel's parameter reads.

How `compile_shader`'s kernels encode arguments: an `int` becomes int64, a `float` float32, a list
the like of its first number; `arg_casts` names another type. Tensors are bound as they are.
Source: `torch/csrc/mps/Module.cpp`.
"""

from collections.abc import Iterator, Mapping
from enum import Enum
from typing import NamedTuple

from mkls.facts.model.metal import KernelArgument
from mkls.facts.model.shader_calls import ArgumentCast, ArgumentKind, ShaderArgument, ShaderLaunch
from mkls.index.argument_types import Shape, shape_of
from mkls.index.kernels_link import Kernel
from mkls.index.python_libraries import (
    LinkedLaunch,
    buffers_of_launch,
    launches_in,
    only_kernel,
)
from mkls.index.snapshot import Snapshot
from mkls.text.document import Uri
from mkls.text.span import Span

_CASTS = {
    "fp16": ("half", 2),
    "bf16": ("bfloat", 2),
    "int32": ("int", 4),
    "int16": ("short", 2),
    "int8": ("char", 1),
    "uint8": ("uchar", 1),
}
TORCH_CASTS = tuple(_CASTS)
"""What torch accepts in `arg_casts`."""
EMULATOR_CASTS = (
    *TORCH_CASTS, "int64", "uint64", "uint32", "uint16", "fp32", "float32", "float", "float16",
    "half", "bfloat16", "bool",
)  # fmt: skip
"""What `mkls.compile_shader` accepts."""
_FLOATING = ("half", "bfloat", "float")
_NUMBERS = frozenset((ArgumentKind.INTEGER, ArgumentKind.REAL, ArgumentKind.NUMBER))
_LISTS = frozenset((ArgumentKind.INTEGERS, ArgumentKind.REALS))
_DTYPES = {
    "float16": ("half", 2),
    "bfloat16": ("bfloat", 2),
    "float32": ("float", 4),
    "int64": ("long", 8),
    "int32": ("int", 4),
}


class Passed(NamedTuple):
    """An argument of a launch and the parameter that it goes to."""

    linked: LinkedLaunch
    kernel: Kernel
    number: int
    argument: ShaderArgument
    parameter: KernelArgument

    @property
    def cast(self) -> ArgumentCast | None:
        """The cast that applies to it."""
        casts = self.linked.launch.casts
        own = [it for it in casts.casts if it.index in (None, self.number)] if casts else []
        return own[-1] if own else None

    @property
    def is_number(self) -> bool:
        """Whether it is a number or a list of numbers."""
        return self.argument.kind in _NUMBERS or self.argument.kind in _LISTS

    @property
    def is_list(self) -> bool:
        """Whether it is a list of numbers."""
        return self.argument.kind in _LISTS

    @property
    def is_written(self) -> bool:
        """Whether the kernel may write there."""
        return self.parameter.space == "device" and not self.parameter.is_const


def passed_arguments(snapshot: Snapshot, uri: Uri) -> Iterator[Passed]:
    """Yield each argument that the Python file `uri` passes to a kernel that takes it.

    Where one is missing or too many, those after it are not where they are meant to be.
    """
    miscounted = miscounted_launches(snapshot, uri)
    for linked in launches_in(snapshot, uri):
        kernel, buffers = only_kernel(linked), buffers_of_launch(linked)
        if kernel is None or buffers is None or linked.launch.span in miscounted:
            continue
        for index, argument in enumerate(linked.launch.arguments or ()):
            parameter = buffers.get(index)
            if parameter is not None:
                yield Passed(linked, kernel, index, argument, parameter)


class Encoding(NamedTuple):
    """How the numbers of an argument are encoded: an element's name in Metal and its bytes."""

    element: str
    size: int

    @property
    def is_floating(self) -> bool:
        """Whether they are floating point."""
        return self.element in _FLOATING


class Fault(Enum):
    """Why an encoding does not fit."""

    KIND = "kind"
    """Integers for floating point, or the other way round."""
    WIDTH = "width"
    SHORT = "short"
    """Fewer bytes than the parameter reads."""


class Misencoded(NamedTuple):
    """An argument that a kernel reads as something else; `cast` is the one that would help."""

    passed: Passed
    encoding: Encoding
    shape: Shape
    fault: Fault
    cast: str


def misencoded(snapshot: Snapshot, uri: Uri) -> Iterator[Misencoded]:
    """Yield the numbers and lists that arrive as something else."""
    for passed in passed_arguments(snapshot, uri):
        encoding = _encoding(passed)
        shape = shape_of(passed.parameter.type)
        if encoding is None or shape is None or passed.is_written or passed.argument.zero:
            continue
        launch = passed.linked.launch
        if any(misplaced_cast(launch, it) for it in (launch.casts.casts if launch.casts else ())):
            continue  # one of the casts is meant for this argument
        fault = _fault(passed, encoding, shape)
        if fault is not None:
            cast = "" if fault is Fault.SHORT else _cast_for(passed, shape)
            yield Misencoded(passed, encoding, shape, fault, cast)


def _encoding(passed: Passed) -> Encoding | None:
    """Return how `passed` is encoded, None where that is not certain."""
    if not passed.is_number or "arg_casts" in passed.linked.launch.unknown:
        return None
    if "**" in passed.linked.launch.unknown:
        return None
    cast = passed.cast
    if cast is not None:
        return Encoding(*_CASTS[cast.name.text]) if cast.name.text in _CASTS else None
    kind = passed.argument.kind
    if kind is ArgumentKind.NUMBER:
        shape = shape_of(passed.parameter.type)
        # Whether an integer or not comes: neither is half precision.
        is_half = shape is not None and shape.element in ("half", "bfloat")
        return Encoding("float", 4) if is_half else None
    is_real = kind in (ArgumentKind.REAL, ArgumentKind.REALS)
    return Encoding("float", 4) if is_real else Encoding("long", 8)


def _fault(passed: Passed, encoding: Encoding, shape: Shape) -> Fault | None:
    if encoding.is_floating is not shape.is_floating:
        return Fault.KIND
    if shape.is_floating and encoding.element != shape.element:
        return Fault.WIDTH
    count = passed.argument.count if passed.is_list else 1
    by_reference = passed.parameter.indirection == "&"
    wanted = shape.elements if by_reference or count is None else max(count, shape.elements)
    if wanted > 1 or count is None:
        if passed.is_list and encoding.size != shape.size:
            return Fault.WIDTH
    elif encoding.size < shape.size:
        # The lowest bytes come first: a wider number is read right.
        return Fault.WIDTH
    short = by_reference and count is not None and encoding.size * count < shape.total
    return Fault.SHORT if short else None


def _cast_for(passed: Passed, shape: Shape) -> str:
    """Return the cast with which `passed` arrives as `shape`, "" where torch has none."""
    if shape.element in ("half", "bfloat"):
        return "fp16" if shape.element == "half" else "bf16"
    if shape.is_floating or shape.size == 8:
        return ""
    if passed.argument.kind is ArgumentKind.REAL or passed.argument.kind is ArgumentKind.REALS:
        # A cast would cut the fraction off without a word.
        return ""
    narrow = "uint8" if shape.element in ("uchar", "uint8_t", "bool") else "int8"
    return {4: "int32", 2: "int16", 1: narrow}.get(shape.size, "")


class MistypedTensor(NamedTuple):
    """A tensor whose elements the kernel reads as others."""

    passed: Passed
    shape: Shape


def mistyped_tensors(snapshot: Snapshot, uri: Uri) -> Iterator[MistypedTensor]:
    """Yield the tensors whose dtype is plain, and no way to look at the same bytes."""
    for passed in passed_arguments(snapshot, uri):
        shape = shape_of(passed.parameter.type)
        dtype = _DTYPES.get(passed.argument.dtype)
        if shape is None or dtype is None or shape.element not in _KNOWN_ELEMENTS:
            continue
        if _is_mistyped(Encoding(*dtype), shape):
            yield MistypedTensor(passed, shape)


_KNOWN_ELEMENTS = frozenset((*_FLOATING, "int", "uint", "int32_t", "uint32_t", "long", "int64_t"))


def _is_mistyped(encoding: Encoding, shape: Shape) -> bool:
    """Whether reading `encoding` as `shape` makes no sense.

    Integers of the same size may hold bits of floating-point numbers, and the like.
    """
    if encoding.is_floating and shape.is_floating:
        return encoding.element != shape.element
    if encoding.is_floating is not shape.is_floating:
        return encoding.size != shape.size
    return shape.elements == 1 and encoding.size != shape.size


class CountFault(NamedTuple):
    """A launch that gives a kernel too much or too little; `argument` is None for too little."""

    linked: LinkedLaunch
    kernel: Kernel
    number: int
    argument: ShaderArgument | None
    parameter: KernelArgument | None


def miscounted_launches(snapshot: Snapshot, uri: Uri) -> frozenset[Span]:
    """Return the launches of the Python file `uri` with a missing argument, or one too many."""
    return frozenset(it.linked.launch.span for it in count_faults(snapshot, uri))


def misplaced_cast(launch: ShaderLaunch, cast: ArgumentCast) -> str:
    """Say why there is nothing to cast at the position of `cast`, "" where there is something."""
    if cast.index is None or launch.arguments is None:
        return ""
    if not 0 <= cast.index < len(launch.arguments):
        return f"the call has no argument {cast.index} to cast"
    if launch.arguments[cast.index].kind is ArgumentKind.TENSOR:
        return f"argument {cast.index} is a tensor, which is passed as it is"
    return ""


def count_faults(snapshot: Snapshot, uri: Uri) -> Iterator[CountFault]:
    """Yield the arguments that no buffer takes, and the first buffer that gets no argument."""
    for linked in launches_in(snapshot, uri):
        kernel, buffers = only_kernel(linked), buffers_of_launch(linked)
        if kernel is not None and buffers is not None and linked.launch.arguments is not None:
            yield from _count_faults(linked, kernel, buffers)


def _count_faults(
    linked: LinkedLaunch, kernel: Kernel, buffers: Mapping[int, KernelArgument]
) -> Iterator[CountFault]:
    launch = linked.launch
    arguments = launch.arguments or ()
    for index, argument in enumerate(arguments):
        if index not in buffers and argument.kind is not ArgumentKind.NONE:
            yield CountFault(linked, kernel, index, argument, None)
    for index, parameter in sorted(buffers.items()):
        given = index < len(arguments) or _is_error_buffer(launch, index)
        if not given and parameter.access and not parameter.optional:
            yield CountFault(linked, kernel, index, None, parameter)
            return


def _is_error_buffer(launch: ShaderLaunch, index: int) -> bool:
    unknown = {"error_buf_idx", "**"} & set(launch.unknown)
    return bool(unknown) or launch.error_buffer == index


_UNPASSABLE = frozenset(("threadgroup", "texture", "sampler"))


def unpassable(linked: LinkedLaunch) -> KernelArgument | None:
    """Return the first parameter of the launched kernel for which Python can pass nothing."""
    kernel = only_kernel(linked)
    found = (it for it in kernel.arguments if it.kind in _UNPASSABLE) if kernel else iter(())
    return next(found, None)
