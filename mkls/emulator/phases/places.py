"""What values are called in a function made of phases, and where threads keep them."""

from mkls.emulator.phases.cuts import called
from mkls.emulator.phases.function import Instruction
from mkls.emulator.phases.plan import Plan

STRIDE = 1072
"""Elements of an array by thread: above the 1024 threads of a threadgroup, and no power of two."""


def unit_of_bytes(size: int) -> tuple[str, int]:
    """A type of which some make up `size` bytes, aligned as any value of that size may need."""
    width = next(width for width in (16, 8, 4, 2, 1) if size % width == 0)
    return f"i{8 * width}", size // width


class Places:
    """Names and addresses within the function `symbol`."""

    def __init__(self, plan: Plan, symbol: str, first_metadata: int) -> None:
        """Metadata is numbered from `first_metadata` on, as `metadata_text` writes it."""
        self.constant = f"!invariant.load !{first_metadata}"
        self._plan = plan
        self._symbol = symbol
        self._first_access = first_metadata + 3
        self._moved = {i.result for i in (*plan.recomputed.once, *plan.recomputed.by_thread)}
        self._once = {i.result for i in plan.recomputed.once}
        self._results = {w.result for w in plan.cuts.waits if w.result >= 0}

    def name(self, number: int, phase: int) -> str:
        """What a value is called that no kept array holds."""
        if number == 0:
            return "%group"
        if number < 5:
            return f"%{'xyzt'[number - 1]}.{phase}"
        variable = self._plan.variables.get(number)
        if variable is not None and not variable.lasting:
            return f"%a.{number}"
        if number in self._once or number in self._results:
            return f"%u.{number}"
        return f"%v.{number}.{phase}"

    def array(self, number: int, index: str) -> str:
        """The address of a thread's element of a kept value."""
        return (
            f"getelementptr inbounds %{self._symbol}.kept, ptr %kept, i64 0, "
            f"i32 {self._plan.kept[number].index}, i64 {index}"
        )

    def exchange(self, index: int, thread: str) -> str:
        """The address of a thread's element in an array of exchanged values."""
        return (
            f"getelementptr inbounds %{self._symbol}.exchange, ptr %exchange, i64 0, "
            f"i32 {index}, i64 {thread}"
        )

    def private(self, index: int, thread: str) -> str:
        """The address of a thread's own variable."""
        return (
            f"getelementptr inbounds %{self._symbol}.private, ptr %private, i64 0, "
            f"i32 {index}, i64 {thread}"
        )

    def access(self, number: int) -> str:
        """The mark of loads and stores of a kept value."""
        return f"!tbaa !{self._first_access + 2 * self._plan.kept[number].index}"

    def is_moved(self, number: int) -> bool:
        """Whether a value is computed at the start of a phase instead of in its place."""
        return number in self._moved

    def adapted(self, instruction: Instruction, text: str, phase: int) -> str:
        """`text` of an instruction, with what phases know better than the runtime."""
        if instruction.result in self._plan.recomputed.group_loads:
            return f"{text}, {self.constant}"
        name = called(instruction)
        if name == "mkls_active_lanes":
            return "add i32 %active, 0"
        if name != "mkls_lane":
            return text
        if self._plan.meets_in_simdgroups:
            return f"sub i32 %t.{phase}, %lane.first"
        return f"and i32 %t.{phase}, 31"
