"""Whether an elementwise kernel's launch stays within its buffers and keeps its threads apart."""

from collections.abc import Mapping, Sequence

from mkls.emulator.elementwise import Access
from mkls.emulator.launch_arguments import BoundBuffer
from mkls.emulator.load import LaunchTable

_LARGEST_INDEX = 1 << 31


def stays_within(
    accesses: Sequence[Access], buffers: Mapping[int, BoundBuffer | None], threads: int
) -> bool:
    """Whether no access of any thread can be wrong, or meet another thread's."""
    bound = [(access, buffers.get(access.buffer)) for access in accesses]
    if not all(buffer and _is_right(access, buffer, threads) for access, buffer in bound):
        return False
    empty = {index: buffer for index, buffer in buffers.items() if buffer and buffer.undefined}
    if not all(_is_filled(index, buffer, accesses, threads) for index, buffer in empty.items()):
        return False
    storages: dict[int, list[tuple[Access, int]]] = {}
    for access, buffer in bound:
        assert buffer is not None
        start = buffer.address - buffer.before
        storages.setdefault(start, []).append((access, buffer.before + access.offset))
    return all(_are_apart(members) for members in storages.values())


def _is_right(access: Access, buffer: BoundBuffer, threads: int) -> bool:
    last = access.scale * (threads - 1) + access.offset + access.size
    aligned = min(access.size & -access.size, 16)
    return (
        access.scale >= 0
        and access.offset >= 0
        and last <= buffer.extent
        and last < _LARGEST_INDEX
        and (access.scale | access.offset | buffer.address) % aligned == 0
        and (buffer.writable or not access.write)
    )


def _is_filled(index: int, buffer: BoundBuffer, accesses: Sequence[Access], threads: int) -> bool:
    """Whether every access of the buffer is a write, and every element gets one."""
    own = [access for access in accesses if access.buffer == index]
    return (
        bool(own)
        and buffer.extent <= threads * buffer.item_size
        and all(it.write and it.always and _fills(it, buffer) for it in own)
    )


def _fills(access: Access, buffer: BoundBuffer) -> bool:
    return access.size == access.scale == buffer.item_size and not access.offset


def _are_apart(members: Sequence[tuple[Access, int]]) -> bool:
    """Whether what one thread writes in a storage is accessed by no other."""
    if not any(access.write for access, _ in members):
        return True
    scales = {access.scale for access, _ in members}
    first = min(at for _, at in members)
    last = max(at + access.size for access, at in members)
    return len(scales) == 1 and last - first <= min(scales)


def touched(
    accesses: Sequence[Access], launch: LaunchTable, stride: int
) -> dict[int, list[tuple[int, int]]]:
    """The bytes of each buffer that every `stride`-th threadgroup and the last one access."""
    groups, size, threads = launch.groups[0], launch.group_size[0], launch.grid[0]
    wanted = sorted({*range(0, groups, stride), groups - 1})
    parts: dict[int, list[tuple[int, int]]] = {}
    for access in accesses:
        for group in wanted if access.scale else wanted[:1]:
            first = group * size
            last = min(first + size, threads) - 1
            start = access.scale * first + access.offset
            end = access.scale * last + access.offset + access.size
            parts.setdefault(access.buffer, []).append((start, end))
    return parts
