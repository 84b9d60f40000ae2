"""A launch's arguments in guarded memory, where every stray access shows."""

import ctypes
import re
from collections.abc import Mapping, Sequence

import msgspec

from mkls.emulator.kernel_table import Argument
from mkls.emulator.launch_arguments import BoundBuffer

_NO_PADDING, _FOURTH_COMPONENT, _STRUCTURE = range(3)
_ELEMENT = re.compile(
    r"\b(?:packed_)?(bool|u?char|u?short|u?int|u?long|half|float|bfloat|size_t|(?:u?int\d+_t)"
    r"|atomic_\w+|atomic\s*<[^>]*>)([234]?)\s*[*&]"
)
_FLOATS = frozenset({"float", "half", "bfloat", "atomic_float"})


class Memory(msgspec.Struct, frozen=True):
    """What a slot of the arena is to the user: an argument or a threadgroup variable.

    Offsets within the slot count from the first byte of the argument.
    """

    name: str
    buffer: int | None
    item_size: int
    extent: int


class GuardedBuffer(msgspec.Struct, frozen=True):
    """One argument in its slot: `offset` bytes behind the slot's first valid byte.

    `may_write` is what the kernel's signature says, `is_float` what its elements are, and `type`
    how it spells the argument's.
    """

    name: str
    index: int
    slot: int
    offset: int
    bound: BoundBuffer
    may_write: bool
    is_float: bool
    type: str


class GuardedArguments:
    """Arguments in the arena. Those that share a storage share a slot, as they do on a GPU."""

    def __init__(
        self,
        runtime: ctypes.CDLL,
        buffers: Mapping[int, BoundBuffer | None],
        arguments: Mapping[int, Argument],
    ) -> None:
        """Make room for `buffers`. Raises MemoryError when the arena has none."""
        self._runtime = runtime
        self.bound: dict[int, BoundBuffer | None] = dict.fromkeys(buffers)
        self.memories: dict[int, Memory] = {}
        self.guarded: list[GuardedBuffer] = []
        self._copies: list[tuple[int, int, int, bool]] = []
        for slot, (start, members) in enumerate(_by_storage(buffers).items()):
            self._place(slot, start, members, arguments)

    def _place(
        self,
        slot: int,
        start: int,
        members: list[tuple[int, BoundBuffer]],
        arguments: Mapping[int, Argument],
    ) -> None:
        end = max(b.address + b.extent for _, b in members)
        low = min(b.address for _, b in members)
        writable = all(b.writable for _, b in members)
        base = self._runtime.mkls_checked_buffer(
            slot, end - start, low - start, end - start, int(not writable)
        )
        if not base:
            raise MemoryError(f"no guarded memory for {end - start} bytes")
        self._copies.append((low, base + (low - start), end - low, writable))
        for index, buffer in members:
            self.bound[index] = msgspec.structs.replace(
                buffer, address=base + (buffer.address - start)
            )
            self.guarded.append(
                _guarded(slot, buffer.address - low, index, buffer, arguments.get(index))
            )
        index, buffer = members[0]
        name = arguments[index].name if index in arguments else str(index)
        self.memories[slot] = Memory(name, index, buffer.item_size, end - low)
        undefined = len(members) == 1 and buffer.undefined
        padding = _padding(arguments[index].type) if index in arguments else _STRUCTURE
        self._runtime.mkls_describe_buffer(slot, int(undefined), padding)

    def fill(
        self,
        *,
        screening: bool = False,
        parts: Mapping[int, Sequence[tuple[int, int]]] | None = None,
    ) -> None:
        """Copy the tensors in, and forget what earlier launches did there.

        With `parts`, only these bytes of each buffer are copied: no thread will read others.
        """
        for slot, (source, target, size, _) in enumerate(self._copies):
            if parts is None:
                ctypes.memmove(target, source, size)
            members = [b for b in self.guarded if b.slot == slot]
            granule = -1
            if screening and any(b.may_write for b in members):
                sizes = [b.bound.item_size for b in members]
                granule = max(0, min(*sizes, 4).bit_length() - 1)
            if not self._runtime.mkls_begin_buffer(slot, granule):
                raise MemoryError(f"no memory to watch {size} bytes")

        for buffer in self.guarded if parts else ():
            moved = self.bound[buffer.index]
            for first, last in (parts or {}).get(buffer.index, ()):
                assert moved is not None
                ctypes.memmove(moved.address + first, buffer.bound.address + first, last - first)

    def contents(self) -> list[bytes]:
        """What the launch left in every storage; empty for those that no kernel may write."""
        return [
            ctypes.string_at(source, size)
            if writable and any(b.may_write for b in self.guarded if b.slot == slot)
            else b""
            for slot, (_, source, size, writable) in enumerate(self._copies)
        ]

    def copy_back(self, contents: list[bytes] | None = None) -> None:
        """Give what the kernel wrote to the tensors: `contents`, or what is there now."""
        for slot, (target, source, size, writable) in enumerate(self._copies):
            if not writable or not any(b.may_write for b in self.guarded if b.slot == slot):
                continue
            ctypes.memmove(target, contents[slot] if contents else source, size)


def _by_storage(
    buffers: Mapping[int, BoundBuffer | None],
) -> dict[int, list[tuple[int, BoundBuffer]]]:
    groups: dict[int, list[tuple[int, BoundBuffer]]] = {}
    for index, buffer in buffers.items():
        if buffer is not None:
            groups.setdefault(buffer.address - buffer.before, []).append((index, buffer))
    return groups


def _guarded(
    slot: int, offset: int, index: int, buffer: BoundBuffer, argument: Argument | None
) -> GuardedBuffer:
    type_ = argument.type if argument else ""
    element = _ELEMENT.search(type_)
    return GuardedBuffer(
        argument.name if argument else str(index),
        index,
        slot,
        offset,
        buffer,
        argument is not None and argument.access != "read",
        bool(element and element.group(1) in _FLOATS) or buffer.is_float,
        type_,
    )


def _padding(type_: str) -> int:
    element = _ELEMENT.search(type_)
    if element is None:
        return _STRUCTURE
    packed = "packed_" in element.group()
    return _FOURTH_COMPONENT if element.group(2) == "3" and not packed else _NO_PADDING
