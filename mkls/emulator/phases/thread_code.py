"""What one thread does in one phase, from the phase's start to each of its ends."""

import re
from collections.abc import Callable, Iterator

from mkls.emulator.phases.cuts import Piece
from mkls.emulator.phases.function import LOCAL, Instruction
from mkls.emulator.phases.liveness import numbers
from mkls.emulator.phases.places import Places
from mkls.emulator.phases.plan import ENDED, Plan
from mkls.emulator.phases.private_memory import is_lifetime_marker

_LABEL = re.compile(r"label %(\d+)")
_PHI = re.compile(r"phi (.*?) \[ ", re.DOTALL)


class ThreadCode:
    """Writes what one thread does in one phase.

    A kept value has a variable of the function (`%s.N`) in which it stays while its thread runs:
    the compiler finds out itself which definition reaches which use.
    """

    def __init__(self, plan: Plan, number: int, places: Places) -> None:
        """Prepare phase `number`."""
        self._plan = plan
        self._number = number
        self._places = places
        self._pieces = plan.phases[number]
        self._count = 0
        self._varies = len(plan.outcomes[number]) > 1
        self._made = {i.result for piece in self._pieces.values() for i in piece.instructions}

    def rewritten(self, instruction: Instruction) -> str:
        """An instruction whose operands all have names of their own."""
        text = self._renamed(instruction.text, lambda n: self._places.name(n, self._number))
        return self._places.adapted(instruction, text, self._number)

    def thread(self) -> Iterator[str]:
        """From the start of the phase to all its ends."""
        n, plan = self._number, self._plan
        lasting = [v for v in plan.variables.values() if v.lasting]
        for index, variable in enumerate(lasting):
            yield f"  %v.{variable.number}.{n} = {self._places.private(index, f'%wide.{n}')}"
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
        yield f"  {at} = {self._places.array(number, f'%wide.{self._number}')}"
        yield f"  {value} = load {kept.stored_type}, ptr {at}, {self._places.access(number)}"
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
        yield f"  {at} = {self._places.array(number, f'%wide.{self._number}')}"
        yield f"  store {kept.stored_type} {value}, ptr {at}, {self._places.access(number)}"

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
        return self._places.name(number, self._number)

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
        return lambda number: known.get(number) or self._places.name(number, self._number)

    def _instruction(self, instruction: Instruction, known: dict[int, str]) -> Iterator[str]:
        result = instruction.result
        if instruction.opcode == "alloca" or self._places.is_moved(result):
            return
        if is_lifetime_marker(instruction) and self._marks_lasting(instruction):
            return
        yield from self._load_operands(instruction, known)
        text = self._renamed(instruction.text, self._operand(known))
        text = self._places.adapted(instruction, text, self._number)
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
            yield f"  {slot} = {self._places.exchange(incoming, f'%wide.{n}')}"
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
