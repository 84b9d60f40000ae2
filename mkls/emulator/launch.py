"""One launch: the grid, the threadgroups, the buffers, and what came of it."""

import ctypes
import os
import signal
import sys
import threading
from collections.abc import Mapping, Sequence

import msgspec

from mkls.emulator.launch_arguments import BoundBuffer
from mkls.emulator.load import BUFFERS, RawOutcome, Request, Stop
from mkls.emulator.program import CompiledKernel

_UNKNOWN_ADDRESS = (1 << 64) - 1
MAX_THREADS_PER_THREADGROUP = 1024
MAX_THREADGROUP_BYTES = 32 << 10
THREADGROUP_KIND = 2000
_STATUS = ("completed", "crashed", "timed-out", "no-memory", "suspicious")
one_at_a_time = threading.Lock()
Size = tuple[int, int, int]
SizeLike = int | Sequence[int]


class Geometry(msgspec.Struct, frozen=True):
    """Threads of the grid and of a full threadgroup, along x, y and z."""

    threads: Size
    group_size: Size

    @property
    def groups(self) -> Size:
        """Threadgroups along each axis; those at the edge may be smaller."""
        return _size([-(-t // g) for t, g in zip(self.threads, self.group_size, strict=True)])


def geometry(
    threads: SizeLike | None, group_size: SizeLike | None, elements: int | None, limit: int
) -> Geometry:
    """The geometry that torch would choose where the caller does not.

    As many threads as the first tensor has elements, in threadgroups as large as the kernel
    allows. Raises ValueError, naming what is wrong.
    """
    if threads is None and elements is None:
        raise ValueError("the number of threads is unknown: pass threads=, or a tensor")
    asked = _axes("threads", elements if threads is None else threads)
    if group_size is None:
        groups = [limit if len(asked) > 1 else max(1, min(asked[0], limit))]
    else:
        groups = _axes("group_size", group_size)
        if len(groups) != len(asked):
            raise ValueError(
                f"threads has {len(asked)} axes and group_size {len(groups)}; they must agree"
            )
    size = _size(groups)
    if min(size) < 1:
        raise ValueError(f"group_size {size} must be positive along every axis")
    total = size[0] * size[1] * size[2]
    if total > limit:
        raise ValueError(f"a threadgroup of {total} threads is larger than the kernel's {limit}")
    return Geometry(_size(asked), size)


def _axes(name: str, value: SizeLike | None) -> list[int]:
    axes = [value] if isinstance(value, int) else [int(axis) for axis in value or ()]
    if not 1 <= len(axes) <= 3:
        raise ValueError(f"{name} must have one to three axes, not {len(axes)}")
    if any(not 0 <= axis < 1 << 32 for axis in axes):
        raise ValueError(f"{name} {axes} is out of range")
    return axes


def _size(axes: Sequence[int]) -> Size:
    x, y, z = (*axes, 1, 1)[:3]
    return (x, y, z)


def request(
    kernel: CompiledKernel, shape: Geometry, buffers: Mapping[int, BoundBuffer | None]
) -> Request:
    """The runtime's form of a launch."""
    library, number = kernel.library, kernel.number
    made = Request(entry=library.entry(number), plan=library.plan(number) or None)
    made.cooperative = int(kernel.mode == "cooperative")
    made.cores = available_cores()
    for axis in range(3):
        made.launch.grid[axis] = shape.threads[axis]
        made.launch.group_size[axis] = shape.group_size[axis]
        made.launch.groups[axis] = shape.groups[axis]
    for index, buffer in buffers.items():
        made.launch.buffers[index] = buffer.address if buffer else None
    return made


def set_threadgroup_memory(made: Request, sizes: Mapping[int, int]) -> None:
    """Give each `[[threadgroup(n)]]` argument its bytes."""
    for index, size in sizes.items():
        if not 0 <= index < BUFFERS:
            raise ValueError(f"no threadgroup argument has index {index}")
        made.threadgroup_bytes[index] = size


def available_cores() -> int:
    """The cores this process may use."""
    if sys.platform == "linux":
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def status_of(raw: RawOutcome) -> str:
    """The word for how a launch ended."""
    return _STATUS[int(raw.status)]


def crash_message(stop: Stop) -> str:
    """Why the kernel was stopped, without the place."""
    address = stop.address or 0
    if stop.stack_overflow:
        return "the stack overflowed (endless recursion, or very large local arrays)"
    if stop.signal == 0:
        return "the time limit was reached"
    if stop.signal in (signal.SIGSEGV, signal.SIGBUS):
        if address < 1 << 16:
            return "memory was accessed through a nil buffer or a null pointer"
        if address == _UNKNOWN_ADDRESS:
            return "memory was accessed that belongs to no buffer"
        return f"memory at {address:#x} was accessed, which belongs to no buffer"
    try:
        name = signal.Signals(stop.signal).name
    except ValueError:
        name = f"signal {stop.signal}"
    return f"the kernel raised {name}"


def run(runtime: ctypes.CDLL, made: Request) -> RawOutcome:
    """Run to the end, in this process."""
    raw = RawOutcome()
    runtime.mkls_run(ctypes.byref(made), ctypes.byref(raw))
    return raw
