"""A checked launch: arguments copied into guarded memory, and what the hooks saw put into words."""

import ctypes
from collections.abc import Mapping
from functools import cached_property

import msgspec

from mkls.emulator.findings import Finding, Related
from mkls.emulator.launch_arguments import BoundBuffer
from mkls.emulator.line_table import LineTable
from mkls.emulator.load import KernelLibrary
from mkls.emulator.positions import Position
from mkls.emulator.rewritten_positions import RewrittenPositions

_FRAMES = 12
_BUFFER_SLOTS = 32
_THREADGROUP_SLOTS = 64


class RawReport(ctypes.Structure):
    """`Report` of runtime/reports.h."""

    _fields_ = (
        ("kind", ctypes.c_int),
        ("slot", ctypes.c_int),
        ("offset", ctypes.c_int64),
        ("value", ctypes.c_int64),
        ("size", ctypes.c_uint32),
        ("count", ctypes.c_uint32),
        ("thread", ctypes.c_uint32 * 3),
        ("threadgroup", ctypes.c_uint32 * 3),
        ("other_thread", ctypes.c_uint32 * 3),
        ("lane", ctypes.c_uint32),
        ("is_write", ctypes.c_uint32),
        ("other_is_write", ctypes.c_uint32),
        ("frames", ctypes.c_void_p * _FRAMES),
        ("frame_count", ctypes.c_int),
        ("other_pc", ctypes.c_void_p),
    )


KINDS = {
    1: "out-of-bounds-read",
    2: "out-of-bounds-write",
    3: "array-index-out-of-bounds",
    4: "nil-buffer",
    5: "read-only-write",
    6: "misaligned-access",
    7: "uninitialized-read",
    8: "data-race",
    9: "same-value-race",
    10: "barrier-divergence",
    11: "simdgroup-lanes",
    12: "division-by-zero",
    13: "shift-out-of-range",
}


class Memory(msgspec.Struct, frozen=True):
    """What a slot of the arena is to the user: an argument or a threadgroup variable."""

    name: str
    buffer: int | None
    item_size: int
    extent: int


class GuardedArguments:
    """Arguments in the arena. Those that share a storage share a slot, as they do on a GPU."""

    def __init__(
        self,
        runtime: ctypes.CDLL,
        buffers: Mapping[int, BoundBuffer | None],
        names: Mapping[int, str],
    ) -> None:
        """Copy `buffers` in. Raises MemoryError when the arena has no room."""
        self.bound: dict[int, BoundBuffer | None] = {}
        self.memories: dict[int, Memory] = {}
        self._copies: list[tuple[int, int, int]] = []
        groups = _by_storage(buffers)
        for slot, (start, members) in enumerate(groups.items()):
            end = max(b.address + b.extent for _, b in members)
            low = min(b.address for _, b in members)
            writable = all(b.writable for _, b in members)
            base = runtime.mkls_checked_buffer(
                slot, end - start, low - start, end - start, int(not writable)
            )
            if not base:
                raise MemoryError(f"no guarded memory for {end - start} bytes")
            ctypes.memmove(base + (low - start), low, end - low)
            if writable:
                self._copies.append((low, base + (low - start), end - low))
            for index, buffer in members:
                moved = base + (buffer.address - start)
                self.bound[index] = msgspec.structs.replace(buffer, address=moved)
            index, buffer = members[0]
            name = names.get(index, str(index))
            self.memories[slot] = Memory(name, index, buffer.item_size, end - low)
        for index, buffer in buffers.items():
            if buffer is None:
                self.bound[index] = None

    def copy_back(self) -> None:
        """Give what the kernel wrote to the tensors."""
        for target, source, size in self._copies:
            ctypes.memmove(target, source, size)


def _by_storage(
    buffers: Mapping[int, BoundBuffer | None],
) -> dict[int, list[tuple[int, BoundBuffer]]]:
    groups: dict[int, list[tuple[int, BoundBuffer]]] = {}
    for index, buffer in buffers.items():
        if buffer is not None:
            groups.setdefault(buffer.address - buffer.before, []).append((index, buffer))
    return groups


class Reporter:
    """Turns raw reports of one compiled kernel into findings at the user's lines."""

    def __init__(
        self, runtime: ctypes.CDLL, library: KernelLibrary, positions: RewrittenPositions
    ) -> None:
        """Read the debug information of `library` when it is first needed."""
        self._runtime = runtime
        self._library = library
        self._positions = positions

    @cached_property
    def _table(self) -> LineTable:
        return LineTable(self._library.path)

    @cached_property
    def _base(self) -> int:
        return self._library.base_address()

    def position(self, return_address: int | None) -> Position | None:
        """The user's place of a call, given where it returns to."""
        if not return_address:
            return None
        place = self._table.place(return_address - 1 - self._base)
        return self._positions.of_presumed(*place) if place else None

    def call_chain(self, frames: list[int]) -> list[Position]:
        """The user's places from the innermost call outwards."""
        chain: list[Position] = []
        for frame in frames:
            place = self.position(frame)
            if place and place not in chain:
                chain.append(place)
        return chain

    def findings(self, memories: Mapping[int, Memory], fallback: Position) -> tuple[Finding, ...]:
        """All findings of the last launch, equal ones merged."""
        count = self._runtime.mkls_report_count()
        at = self._runtime.mkls_report_at
        at.restype = ctypes.POINTER(RawReport)
        raw = [at(index).contents for index in range(count)]
        merged: dict[tuple[object, ...], Finding] = {}
        for report in raw:
            finding = self._finding(report, memories, fallback)
            if finding is None:
                continue
            others = tuple((r.path, r.line, r.column) for r in finding.related)
            key = (
                finding.kind,
                finding.argument,
                finding.path,
                finding.line,
                finding.column,
                others,
            )
            known = merged.get(key)
            if known:
                finding = msgspec.structs.replace(known, count=known.count + finding.count)
            merged[key] = finding
        return tuple(_without_shadows(list(merged.values())))

    def _finding(
        self, report: RawReport, memories: Mapping[int, Memory], fallback: Position
    ) -> Finding | None:
        chain = self.call_chain(list(report.frames)[: report.frame_count])
        place = chain[0] if chain else fallback
        other = self.position(report.other_pc)
        kind = KINDS[report.kind]
        if kind == "barrier-divergence" and report.value == 0 and other in (None, place):
            return None  # one barrier of the source that the optimiser emitted twice
        memory = memories.get(report.slot) or self._threadgroup_variable(report.slot)
        index = length = None
        if memory:
            index, length = report.offset // memory.item_size, memory.extent // memory.item_size
        thread = _triple(report.thread)
        related = [Related(p.path, p.line, p.column, "called from here") for p in chain[1:]]
        if other:
            related.insert(0, _other_side(kind, report, other))
        return Finding(
            kind=kind,
            message=_message(kind, report, memory, index, length),
            path=place.path,
            line=place.line,
            column=place.column,
            thread=thread,
            threadgroup=_triple(report.threadgroup),
            buffer=memory.buffer if memory else None,
            argument=memory.name if memory else None,
            index=index if memory else report.value if report.kind == 3 else None,
            length=length,
            count=report.count,
            related=tuple(related),
        )

    def _threadgroup_variable(self, slot: int) -> Memory | None:
        if slot < _BUFFER_SLOTS:
            return None
        if slot < _THREADGROUP_SLOTS:
            return Memory(f"threadgroup({slot - _BUFFER_SLOTS})", None, 1, self._size(slot))
        name = self._runtime.mkls_slot_name(slot)
        return Memory(name.decode() if name else "?", None, self._item(slot), self._size(slot))

    def _size(self, slot: int) -> int:
        return self._runtime.mkls_slot_size(slot)

    def _item(self, slot: int) -> int:
        return max(1, self._runtime.mkls_slot_item(slot))


def _triple(values: "ctypes.Array[ctypes.c_uint32]") -> tuple[int, int, int]:
    x, y, z = values
    return (x, y, z)


def _other_side(kind: str, report: RawReport, other: Position) -> Related:
    if kind == "barrier-divergence":
        message = f"thread {_triple(report.other_thread)} waits at this barrier"
    else:
        did = "wrote" if report.other_is_write else "read"
        message = f"thread {_triple(report.other_thread)} {did} it here"
    return Related(other.path, other.line, other.column, message)


def _message(
    kind: str, report: RawReport, memory: Memory | None, index: int | None, length: int | None
) -> str:
    name = f"`{memory.name}`" if memory else "memory"
    texts = {
        "out-of-bounds-read": f"reads {name}[{index}], which has {length} elements",
        "out-of-bounds-write": f"writes {name}[{index}], which has {length} elements",
        "array-index-out-of-bounds": f"index {report.value} is outside the array",
        "nil-buffer": f"{'writes' if report.is_write else 'reads'} through a nil buffer",
        "read-only-write": f"writes {name}[{index}], which is bound read-only",
        "misaligned-access": f"accesses {name} at an address that is no multiple of {report.value}",
        "uninitialized-read": f"reads {name}[{index}] before a thread of the threadgroup wrote it",
        "data-race": f"{'writes' if report.is_write else 'reads'} {name}[{index}] unordered with "
        f"the {'write' if report.other_is_write else 'read'} of another thread",
        "same-value-race": f"writes {name}[{index}] unordered with another thread that writes "
        "the same value",
        "barrier-divergence": f"{report.value} threads of the threadgroup never reach this barrier"
        if report.value
        else "threads of one threadgroup wait at different barriers",
        "simdgroup-lanes": f"reads lane {report.value}, which does not take part",
        "division-by-zero": "divides an integer by zero",
        "shift-out-of-range": f"shifts by {report.value}, which is not less than the width",
    }
    return texts[kind]


def _without_shadows(findings: list[Finding]) -> list[Finding]:
    """A read that came too early shows as uninitialised and as a race: the race says it all."""
    raced: set[tuple[str | None, str, int]] = set()
    for finding in findings:
        if finding.kind == "data-race":
            raced.add((finding.argument, finding.path, finding.line))
            raced.update((finding.argument, r.path, r.line) for r in finding.related)
    return [
        f
        for f in findings
        if f.kind != "uninitialized-read" or (f.argument, f.path, f.line) not in raced
    ]
