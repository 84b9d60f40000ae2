"""The text of a function that runs one phase for a range of threads."""

import re
from collections.abc import Callable, Iterator

from mkls.emulator.phases.cuts import Piece, called
from mkls.emulator.phases.function import LOCAL, Instruction
from mkls.emulator.phases.liveness import numbers
from mkls.emulator.phases.plan import ENDED, Plan
from mkls.emulator.phases.private_memory import is_lifetime_marker

STRIDE = 1072
"""Elements of an array by thread: above the 1024 threads of a threadgroup, and no power of two."""
_LABEL = re.compile(r"label %(\d+)")
_PHI = re.compile(r"phi (.*?) \[ ", re.DOTALL)
_PARAMETERS = (
    "ptr %group, ptr noalias %kept, ptr %private, ptr noalias %exchange, ptr noalias %states, "
    "i32 %phase, i32 %begin, i32 %end, i32 %active"
)


def function_text(plan: Plan, symbol: str, attributes: str, first_metadata: int) -> str:
    """The definition of `symbol`; it uses metadata from number `first_metadata` on."""
    writer = _Writer(plan, symbol, first_metadata)
    lines = [f"define void @{symbol}({_PARAMETERS}) {attributes}{{", *writer.entry()]
    for number in range(len(plan.cuts.starts)):
        lines += writer.phase(number)
    return "\n".join([*lines, "finished:", "  ret void", "}", ""])


def metadata_text(plan: Plan, first: int) -> str:
    """Metadata that keeps the arrays of kept values apart, and marks loads that never change."""
    root = first + 1
    lines = [f"!{first} = !{{}}", f'!{root} = distinct !{{!"mkls kept values"}}']
    loop = root + 1 + 2 * len(plan.kept)
    loops = range(loop + 1, loop + 1 + len(plan.cuts.starts))
    lines += [f"!{number} = distinct !{{!{number}, !{loop}}}" for number in loops]
    lines.append(f'!{loop} = !{{!"llvm.loop.interleave.count", i32 1}}')
    for index in range(len(plan.kept)):
        type_, access = root + 1 + 2 * index, root + 2 + 2 * index
        lines.append(f'!{type_} = !{{!"{index}", !{root}, i64 0}}')
        lines.append(f"!{access} = !{{!{type_}, !{type_}, i64 0}}")
    return "\n".join(lines) + "\n"


def unit_of_bytes(size: int) -> tuple[str, int]:
    """A type of which some make up `size` bytes, aligned as any value of that size may need."""
    width = next(width for width in (16, 8, 4, 2, 1) if size % width == 0)
    return f"i{8 * width}", size // width


class _Writer:
    """Writes the parts of one function."""

    def __init__(self, plan: Plan, symbol: str, first_metadata: int) -> None:
        self._plan = plan
        self._symbol = symbol
        self._never_changes = first_metadata
        self._moved = {i.result for i in (*plan.recomputed.once, *plan.recomputed.by_thread)}
        self._once = {i.result for i in plan.recomputed.once}
        self._results = {w.result for w in plan.cuts.waits if w.result >= 0}

    def entry(self) -> Iterator[str]:
        plan = self._plan
        yield "entry:"
        for variable in plan.variables.values():
            if not variable.lasting:
                yield f"  %a.{variable.number} = alloca {variable.type}, align {variable.alignment}"
        for number, kept in plan.kept.items():
            yield f"  %s.{number} = alloca {kept.type}"
        yield "  %lane.first = and i32 %begin, -32"
        yield "  %lane.first.wide = zext i32 %lane.first to i64"
        for exchange in plan.exchanges.values():
            taken = self.exchange(exchange.outgoing, "%lane.first.wide")
            yield f"  %u.{exchange.wait.result} = {taken}"
        yield "  %width.at = getelementptr inbounds i8, ptr %group, i64 276"
        yield "  %height.at = getelementptr inbounds i8, ptr %group, i64 280"
        constant = f"!invariant.load !{self._never_changes}"
        for size in ("width", "height"):
            yield f"  %{size} = load i32, ptr %{size}.at, align 4, {constant}"
        phase = _Phase(self._plan, 0, self)
        for instruction in plan.recomputed.once:
            yield f"  %u.{instruction.result} = {phase.rewritten(instruction)}"
        cases = " ".join(f"i32 {n}, label %rows.{n}" for n in range(len(plan.cuts.starts)))
        yield f"  switch i32 %phase, label %finished [ {cases} ]"

    def phase(self, number: int) -> Iterator[str]:
        """One loop over rows of threads, and in it one over the threads of a row."""
        yield from _rows(number)
        phase = _Phase(self._plan, number, self)
        yield from phase.thread()
        loop = self._never_changes + 3 + 2 * len(self._plan.kept) + number
        short = f", !llvm.loop !{loop}" if self._plan.meets_in_simdgroups else ""
        yield from _next_thread(number, short)

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
        return f"!tbaa !{self._never_changes + 3 + 2 * self._plan.kept[number].index}"

    def is_moved(self, number: int) -> bool:
        """Whether a value is computed at the start of a phase instead of in its place."""
        return number in self._moved

    def adapted(self, instruction: Instruction, text: str, phase: int) -> str:
        """`text` of an instruction, with what phases know better than the runtime."""
        if instruction.result in self._plan.recomputed.group_loads:
            return f"{text}, !invariant.load !{self._never_changes}"
        name = called(instruction)
        if name == "mkls_active_lanes":
            return "add i32 %active, 0"
        if name != "mkls_lane":
            return text
        if self._plan.meets_in_simdgroups:
            return f"sub i32 %t.{phase}, %lane.first"
        return f"and i32 %t.{phase}, 31"


def _rows(n: int) -> Iterator[str]:
    yield f"rows.{n}:"
    yield f"  %start.{n} = phi i32 [ %begin, %entry ], [ %stop.{n}, %row.end.{n} ]"
    yield f"  %left.{n} = icmp ult i32 %start.{n}, %end"
    yield f"  br i1 %left.{n}, label %row.{n}, label %finished"
    yield f"row.{n}:"
    yield f"  %flat.{n} = icmp uge i32 %width, %end"
    yield f"  br i1 %flat.{n}, label %placed.{n}, label %place.{n}"
    yield f"place.{n}:"
    yield f"  %far.line.{n} = udiv i32 %start.{n}, %width"
    yield f"  %far.y.{n} = urem i32 %far.line.{n}, %height"
    yield f"  %far.z.{n} = udiv i32 %far.line.{n}, %height"
    yield f"  %far.first.{n} = mul i32 %far.line.{n}, %width"
    yield f"  br label %placed.{n}"
    yield f"placed.{n}:"
    for name in ("y", "z", "first"):
        yield f"  %{name}.{n} = phi i32 [ 0, %row.{n} ], [ %far.{name}.{n}, %place.{n} ]"
    yield f"  %behind.{n} = add i32 %first.{n}, %width"
    yield f"  %shorter.{n} = icmp ult i32 %behind.{n}, %end"
    yield f"  %stop.{n} = select i1 %shorter.{n}, i32 %behind.{n}, i32 %end"
    yield f"  br label %thread.{n}"
    yield f"thread.{n}:"
    yield f"  %t.{n} = phi i32 [ %start.{n}, %placed.{n} ], [ %next.{n}, %turn.{n} ]"
    yield f"  %wide.{n} = zext nneg i32 %t.{n} to i64"
    yield f"  %x.{n} = sub nuw nsw i32 %t.{n}, %first.{n}"
    yield f"  %state.{n} = getelementptr inbounds i16, ptr %states, i64 %wide.{n}"


def _next_thread(n: int, loop: str) -> Iterator[str]:
    yield f"turn.{n}:"
    yield f"  %next.{n} = add nuw nsw i32 %t.{n}, 1"
    yield f"  %again.{n} = icmp ult i32 %next.{n}, %stop.{n}"
    yield f"  br i1 %again.{n}, label %thread.{n}, label %row.end.{n}{loop}"
    yield f"row.end.{n}:"
    yield f"  br label %rows.{n}"


class _Phase:
    """Writes what one thread does in one phase."""

    def __init__(self, plan: Plan, number: int, writer: _Writer) -> None:
        self._plan = plan
        self._number = number
        self._writer = writer
        self._pieces = plan.cuts.phase(number)
        self._count = 0
        self._varies = len(plan.outcomes(number)) > 1
        self._made = {i.result for piece in self._pieces.values() for i in piece.instructions}

    def rewritten(self, instruction: Instruction) -> str:
        """An instruction whose operands all have names of their own."""
        text = self._renamed(instruction.text, lambda n: self._writer.name(n, self._number))
        return self._writer.adapted(instruction, text, self._number)

    def thread(self) -> Iterator[str]:
        """From the start of the phase to all its ends."""
        n, plan = self._number, self._plan
        lasting = [v for v in plan.variables.values() if v.lasting]
        for index, variable in enumerate(lasting):
            yield f"  %v.{variable.number}.{n} = {self._writer.private(index, f'%wide.{n}')}"
        for instruction in plan.recomputed.by_thread:
            yield f"  %v.{instruction.result}.{n} = {self.rewritten(instruction)}"
        if n > 0:
            for number in numbers(plan.live[n]):
                if number in plan.kept:
                    yield from self._fetch(number)
        yield f"  br label %b.{plan.cuts.starts[n]}.{n}"
        for label, piece in self._pieces.items():
            yield f"b.{label}.{n}:"
            yield from self._piece(piece)

    def _renamed(self, text: str, name: Callable[[int], str]) -> str:
        return LOCAL.sub(lambda match: name(int(match[1])), text)

    def _fresh(self) -> str:
        self._count += 1
        return f"%k.{self._number}.{self._count}"

    def _fetch(self, number: int) -> Iterator[str]:
        """Kept array → the value's place in this phase."""
        kept, at, value = self._plan.kept[number], self._fresh(), self._fresh()
        yield f"  {at} = {self._writer.array(number, f'%wide.{self._number}')}"
        yield f"  {value} = load {kept.stored_type}, ptr {at}, {self._writer.access(number)}"
        if kept.type == "i1":
            bit = self._fresh()
            yield f"  {bit} = trunc i8 {value} to i1"
            value = bit
        yield f"  store {kept.type} {value}, ptr %s.{number}"

    def _keep(self, number: int) -> Iterator[str]:
        """The value's place in this phase → kept array."""
        kept, at, value = self._plan.kept[number], self._fresh(), self._fresh()
        yield f"  {value} = load {kept.type}, ptr %s.{number}"
        if kept.type == "i1":
            byte = self._fresh()
            yield f"  {byte} = zext i1 {value} to i8"
            value = byte
        yield f"  {at} = {self._writer.array(number, f'%wide.{self._number}')}"
        yield f"  store {kept.stored_type} {value}, ptr {at}, {self._writer.access(number)}"

    def _piece(self, piece: Piece) -> Iterator[str]:
        known: dict[int, str] = {}
        phis = [i for i in piece.instructions if i.opcode == "phi"]
        for phi in phis:
            yield f"  %v.{phi.result}.{self._number} = {self._phi(phi)}"
        for phi in phis:
            yield from self._define(phi.result, known)
        rest = piece.instructions[len(phis) :]
        for instruction in rest if piece.wait >= 0 else rest[:-1]:
            yield from self._instruction(instruction, known)
        yield from self._for_phis(piece)
        if piece.wait >= 0:
            yield from self._wait(piece.wait, known)
        else:
            yield from self._leave(rest[-1], known)

    def _phi(self, phi: Instruction) -> str:
        head = _PHI.match(phi.text)
        incoming: list[str] = []
        for value, label in phi.incoming:
            origin = self._plan.cuts.last_piece[label]
            if origin not in self._pieces:
                continue
            name = self._renamed(value, lambda n, o=origin: self._phi_operand(n, o))
            incoming.append(f"[ {name}, %b.{origin}.{self._number} ]")
        return f"phi {head[1] if head else ''} {', '.join(incoming)}"

    def _phi_operand(self, number: int, origin: str) -> str:
        if number in self._plan.kept:
            return f"%p.{number}.{origin}.{self._number}"
        return self._writer.name(number, self._number)

    def _for_phis(self, piece: Piece) -> Iterator[str]:
        """Kept values that a phi of a following piece takes."""
        if piece.wait >= 0:
            return
        wanted: dict[int, None] = {}
        for successor in piece.successors:
            for instruction in self._plan.cuts.pieces[successor].instructions:
                if instruction.opcode != "phi":
                    break
                for value, label in instruction.incoming:
                    if self._plan.cuts.last_piece[label] == piece.label:
                        wanted.update((int(n), None) for n in LOCAL.findall(value))
        for number in wanted:
            if number in self._plan.kept:
                type_ = self._plan.kept[number].type
                name = self._phi_operand(number, piece.label)
                yield f"  {name} = load {type_}, ptr %s.{number}"

    def _define(self, number: int, known: dict[int, str]) -> Iterator[str]:
        """Tell the value's place of a value that was just made."""
        if number in self._plan.kept:
            name = f"%v.{number}.{self._number}"
            yield f"  store {self._plan.kept[number].type} {name}, ptr %s.{number}"
            known[number] = name

    def _load_operands(self, instruction: Instruction, known: dict[int, str]) -> Iterator[str]:
        for number in instruction.uses:
            if number in self._plan.kept and number not in known:
                known[number] = self._fresh()
                type_ = self._plan.kept[number].type
                yield f"  {known[number]} = load {type_}, ptr %s.{number}"

    def _operand(self, known: dict[int, str]) -> Callable[[int], str]:
        return lambda number: known.get(number) or self._writer.name(number, self._number)

    def _instruction(self, instruction: Instruction, known: dict[int, str]) -> Iterator[str]:
        result = instruction.result
        if instruction.opcode == "alloca" or self._writer.is_moved(result):
            return
        if is_lifetime_marker(instruction) and self._marks_lasting(instruction):
            return
        yield from self._load_operands(instruction, known)
        text = self._renamed(instruction.text, self._operand(known))
        text = self._writer.adapted(instruction, text, self._number)
        yield f"  %v.{result}.{self._number} = {text}" if result >= 0 else f"  {text}"
        yield from self._define(result, known)

    def _marks_lasting(self, marker: Instruction) -> bool:
        variables = self._plan.variables
        return any(n not in variables or variables[n].lasting for n in marker.uses)

    def _wait(self, number: int, known: dict[int, str]) -> Iterator[str]:
        wait, n = self._plan.cuts.waits[number], self._number
        if wait.size:
            source = int(wait.source[1:])
            instruction = Instruction("", -1, "", (source,))
            yield from self._load_operands(instruction, known)
            incoming = self._plan.exchanges[number].incoming
            slot, value = self._fresh(), self._operand(known)(source)
            yield f"  {slot} = {self._writer.exchange(incoming, f'%wide.{n}')}"
            copied = f"ptr {slot}, ptr {value}, i64 {wait.size}, i1 false"
            yield f"  call void @llvm.memcpy.p0.p0.i64({copied})"
        for kept in numbers(self._plan.live[number]):
            if kept in self._plan.kept and kept in self._made:
                yield from self._keep(kept)
        yield from self._stop(number)

    def _leave(self, instruction: Instruction, known: dict[int, str]) -> Iterator[str]:
        if instruction.opcode == "ret":
            yield from self._stop(ENDED)
            return
        yield from self._load_operands(instruction, known)
        n = self._number
        text = _LABEL.sub(lambda match: f"label %b.{match[1]}.{n}", instruction.text)
        yield f"  {self._renamed(text, self._operand(known))}"

    def _stop(self, state: int) -> Iterator[str]:
        if self._varies:  # else the runtime knows
            yield f"  store i16 {state}, ptr %state.{self._number}"
        yield f"  br label %turn.{self._number}"
