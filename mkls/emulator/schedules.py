"""The outputs of a kernel whose threads ran in another order, compared."""

import ctypes
import struct
from collections.abc import Sequence

import msgspec

from mkls.emulator.findings import Finding, Related
from mkls.emulator.guarded_arguments import GuardedArguments, GuardedBuffer
from mkls.emulator.positions import Position
from mkls.emulator.reporter import Reporter, Writer

_TOLERANCE = {2: 2e-2, 4: 1e-3, 8: 1e-9}
_SEVERAL = 1 << 31
_FORMATS = {2: "<e", 4: "<f", 8: "<d"}


class Snapshot(msgspec.Struct, frozen=True):
    """What the arguments that may be written held after a launch, and who wrote each element."""

    contents: dict[int, bytes]
    writers: dict[int, Sequence[int]]


def snapshot_of(runtime: ctypes.CDLL, guarded: GuardedArguments) -> Snapshot:
    """Copy what the last launch left."""
    contents: dict[int, bytes] = {}
    writers: dict[int, Sequence[int]] = {}
    for buffer in guarded.guarded:
        bound = guarded.bound[buffer.index]
        if not buffer.may_write or bound is None:
            continue
        contents[buffer.index] = ctypes.string_at(bound.address, bound.extent)
        count = bound.extent // bound.item_size
        found = (ctypes.c_uint32 * count)()
        runtime.mkls_writers(buffer.slot, buffer.offset, bound.item_size, count, found)
        writers[buffer.index] = list(found)
    return Snapshot(contents, writers)


def schedule_dependent(
    before: Snapshot,
    after: Snapshot,
    guarded: GuardedArguments,
    reporter: Reporter,
    fallback: Position,
) -> tuple[Finding, ...]:
    """Elements that differ between two orders of the same threads.

    Threads may take places in a buffer in the order in which they come: an element that one
    thread wrote in each order, another one, is none.
    """
    found: list[Finding] = []
    for buffer in guarded.guarded:
        one, two = before.contents.get(buffer.index), after.contents.get(buffer.index)
        if one == two:
            continue
        if "ErrorMessages" in buffer.type:
            continue  # reports come in any order
        differing = [
            at
            for at in range(len(before.writers[buffer.index]))
            if _differs(buffer, at, before, after)
        ]
        if differing and _took_places(buffer, differing, before, after):
            continue
        if differing:
            found.append(_finding(buffer, differing, before, after, reporter, fallback))
    return tuple(found)


def _differs(buffer: GuardedBuffer, at: int, before: Snapshot, after: Snapshot) -> bool:
    size = buffer.bound.item_size
    one = before.contents[buffer.index][at * size : (at + 1) * size]
    two = after.contents[buffer.index][at * size : (at + 1) * size]
    return one != two and not (buffer.is_float and _close(one, two, size))


def _took_places(
    buffer: GuardedBuffer, differing: list[int], before: Snapshot, after: Snapshot
) -> bool:
    """Whether threads wrote the same values, each its own, in the order in which they came."""
    size, index = buffer.bound.item_size, buffer.index
    for at in differing:
        writer, other = before.writers[index][at], after.writers[index][at]
        if writer == other or (writer | other) & _SEVERAL:
            return False
    one, two = (
        sorted(it.contents[index][at * size : (at + 1) * size] for at in differing)
        for it in (before, after)
    )
    return one == two


def _close(one: bytes, two: bytes, size: int) -> bool:
    if size not in _FORMATS:
        return False
    (a,), (b,) = struct.unpack(_FORMATS[size], one), struct.unpack(_FORMATS[size], two)
    return abs(a - b) <= _TOLERANCE[size] * max(abs(a), abs(b), 1.0)


def _finding(
    buffer: GuardedBuffer,
    differing: list[int],
    before: Snapshot,
    after: Snapshot,
    reporter: Reporter,
    fallback: Position,
) -> Finding:
    at, size = differing[0], buffer.bound.item_size
    writer: Writer | None = reporter.writer(buffer.slot, buffer.offset + at * size)
    place = (writer.place if writer else None) or fallback
    one, two = (
        _shown(it.contents[buffer.index][at * size : (at + 1) * size], buffer)
        for it in (before, after)
    )
    message = f"`{buffer.name}`[{at}] is {one} or {two}, depending on the order of the threads"
    related = (Related(fallback.path, fallback.line, fallback.column, "in this kernel"),)
    return Finding(
        kind="schedule-dependent",
        message=message,
        path=place.path,
        line=place.line,
        column=place.column,
        thread=writer.thread if writer else (0, 0, 0),
        threadgroup=(0, 0, 0),
        buffer=buffer.index,
        argument=buffer.name,
        index=at,
        length=buffer.bound.extent // size,
        count=len(differing),
        related=related if place != fallback else (),
    )


def _shown(data: bytes, buffer: GuardedBuffer) -> str:
    if buffer.is_float and len(data) in _FORMATS:
        return f"{struct.unpack(_FORMATS[len(data)], data)[0]:.6g}"
    return str(int.from_bytes(data, "little", signed=True))
