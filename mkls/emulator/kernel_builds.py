"""The builds of one kernel that a checked launch may need besides the detailed one."""

from collections.abc import Mapping
from typing import NamedTuple

from mkls.emulator.elementwise import Access
from mkls.emulator.positions import Position
from mkls.emulator.program import CompiledKernel, Program


class KernelBuilds(NamedTuple):
    """The builds of kernel `name` of `program`."""

    program: Program
    name: str

    def may_run_alone(self) -> bool:
        """Whether no thread waits for another."""
        return self.program.unit.mode(self.name) == "independent"

    def screening(self) -> CompiledKernel | None:
        """The one that is looked over quickly; None when threads wait for each other."""
        return self.program.screening(self.name)

    def fast(self) -> CompiledKernel:
        """The one without checks."""
        return self.program.fast(self.name)

    def accesses(self) -> tuple[Access, ...] | None:
        """What a thread accesses, where that is plain."""
        return self.program.accesses(self.name)

    def address_overflows(self) -> frozenset[Position]:
        """Where numbers are computed that become part of an address."""
        return self.program.address_overflows(self.name)

    def copy_alignments(self) -> Mapping[Position, int]:
        """How the types want to be aligned that are copied at a place."""
        return self.program.copy_alignments(self.name)
