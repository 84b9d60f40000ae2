"""Raw reports of the runtime as findings at the user's lines."""

import ctypes
from collections.abc import Callable, Mapping
from functools import cached_property
from typing import NamedTuple

import msgspec

from mkls.emulator.findings import Finding, Related
from mkls.emulator.guarded_arguments import Memory
from mkls.emulator.line_table import LineTable
from mkls.emulator.load import KernelLibrary
from mkls.emulator.positions import Position
from mkls.emulator.raw_reports import KINDS, MISALIGNED_COPY, NO_VALUE, RawReport
from mkls.emulator.rewritten_positions import RewrittenPositions
from mkls.emulator.wording import message_of, variable_name

_BUFFER_SLOTS = 32
_THREADGROUP_SLOTS = 64


class Writer(NamedTuple):
    """Who wrote an element last, and where."""

    thread: tuple[int, int, int]
    place: Position | None


class Reporter:
    """Turns raw reports of one compiled kernel into findings at the user's lines."""

    def __init__(
        self,
        runtime: ctypes.CDLL,
        library: KernelLibrary,
        positions: RewrittenPositions,
        alignments: Callable[[], Mapping[Position, int]] = dict,
    ) -> None:
        """Read the debug information of `library` when it is first needed.

        `alignments` tells how the types want to be aligned that are copied at a place.
        """
        self._runtime = runtime
        self._library = library
        self._positions = positions
        self._alignments = alignments

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

    def writer(self, slot: int, offset: int) -> Writer | None:
        """Who wrote the byte at `offset` of a slot last."""
        pc, position = ctypes.c_void_p(), (ctypes.c_uint32 * 3)()
        who = self._runtime.mkls_writer(slot, offset, ctypes.byref(pc), position)
        return Writer(_triple(position), self.position(pc.value)) if who else None

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
            others = tuple((r.path, r.line) for r in finding.related)
            key = (
                finding.kind,
                finding.argument,
                finding.path,
                finding.line,
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
        if report.kind == MISALIGNED_COPY:
            wanted = self._alignments().get(place, 1)
            if report.value >= wanted:
                return None
            report.value = wanted
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
            message=message_of(kind, report, memory, index, length),
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
            lane=report.lane,
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
    if report.kind == NO_VALUE:
        message = f"`{variable_name(report.text)}` begins without a value here"
    elif kind == "barrier-divergence":
        message = f"thread {_triple(report.other_thread)} waits at this barrier"
    else:
        did = "wrote" if report.other_is_write else "read"
        message = f"thread {_triple(report.other_thread)} {did} it here"
    return Related(other.path, other.line, other.column, message)


def _without_shadows(findings: list[Finding]) -> list[Finding]:
    """Findings without those that another one explains.

    A read that came too early shows as uninitialised and as a race: the race says it all. An
    update outside its buffer reads and writes there: the write does.
    """
    written = {_element(f) for f in findings if f.kind == "out-of-bounds-write"}
    raced: set[tuple[str | None, str, int]] = set()
    for finding in findings:
        if finding.kind == "data-race":
            raced.add((finding.argument, finding.path, finding.line))
            raced.update((finding.argument, r.path, r.line) for r in finding.related)
    return [
        f
        for f in findings
        if (f.kind != "uninitialized-read" or (f.argument, f.path, f.line) not in raced)
        and (f.kind != "out-of-bounds-read" or _element(f) not in written)
    ]


def _element(finding: Finding) -> tuple[object, ...]:
    return finding.argument, finding.index, finding.path, finding.line
