"""Local variables that have an address, and which of them must outlive a phase."""

import re
from collections.abc import Iterator, Mapping

import msgspec

from mkls.emulator.phases.cuts import Cuts, Piece, called
from mkls.emulator.phases.function import LOCAL, Instruction, Unsplittable
from mkls.emulator.phases.types import split_commas

_ALLOCA = re.compile(r"alloca (?P<type>.*), align (?P<alignment>\d+)(?:, !.*)?\Z")
_DERIVING = frozenset({"getelementptr", "phi", "select", "freeze"})
_COPIES = ("llvm.lifetime.", "llvm.memcpy.", "llvm.memmove.", "llvm.memset.")


class Variable(msgspec.Struct, frozen=True):
    """A local variable in memory; `lasting` when a phase may use what an earlier one left in it."""

    number: int
    type: str
    alignment: int
    lasting: bool


def variables(cuts: Cuts) -> dict[int, Variable]:
    """The local variables, by the number of their address. Raises Unsplittable."""
    users = _users(cuts)
    found: dict[int, Variable] = {}
    for label, piece in cuts.pieces.items():
        for instruction in piece.instructions:
            if instruction.opcode != "alloca":
                continue
            match = _ALLOCA.match(instruction.text)
            if match is None or len(split_commas(match["type"])) > 1 or label != cuts.starts[0]:
                raise Unsplittable("a local variable of variable size")
            number = instruction.result
            lasting = _is_lasting(cuts, number, users)
            found[number] = Variable(number, match["type"], int(match["alignment"]), lasting)
    return found


def is_lifetime_marker(instruction: Instruction) -> bool:
    """Whether it says no more than where a variable's scope begins or ends."""
    return called(instruction).startswith("llvm.lifetime.")


def _users(cuts: Cuts) -> dict[int, list[Instruction]]:
    users: dict[int, list[Instruction]] = {}
    for piece in cuts.pieces.values():
        for instruction in piece.instructions:
            for number in instruction.uses:
                users.setdefault(number, []).append(instruction)
    return users


def _is_lasting(cuts: Cuts, number: int, users: Mapping[int, list[Instruction]]) -> bool:
    pointers = _pointers_into(number, users)
    if pointers is None:
        return True
    live = _live_in(cuts, number, pointers)
    return any(start in live for start in cuts.starts[1:])


def _pointers_into(number: int, users: Mapping[int, list[Instruction]]) -> set[int] | None:
    """All values that may point into a variable; None when memory may hold such a pointer."""
    pointers, todo = {number}, [number]
    while todo:
        pointer = todo.pop()
        for user in users.get(pointer, ()):
            if user.opcode in _DERIVING:
                if user.result not in pointers:
                    pointers.add(user.result)
                    todo.append(user.result)
            elif not _only_accesses(user, pointer):
                return None
    return pointers


def _only_accesses(user: Instruction, pointer: int) -> bool:
    if user.opcode == "store":
        return str(pointer) not in LOCAL.findall(split_commas(user.text)[0])
    return user.opcode in ("load", "icmp") or called(user).startswith(_COPIES)


def _live_in(cuts: Cuts, number: int, pointers: set[int]) -> set[str]:
    """The pieces at whose start the variable's contents may still be wanted."""
    exposed, ending = set[str](), set[str]()
    for label, piece in cuts.pieces.items():
        for begins in _events(cuts, piece, number, pointers):
            (ending if begins else exposed).add(label)
            break
    live, changed = set(exposed), True
    while changed:
        changed = False
        for label, piece in cuts.pieces.items():
            if label in live or label in ending:
                continue
            if any(successor in live for successor in piece.successors):
                live.add(label)
                changed = True
    return live


def _events(cuts: Cuts, piece: Piece, number: int, pointers: set[int]) -> Iterator[bool]:
    """In order: True where the scope of the variable begins or ends, False where it is used."""
    for instruction in piece.instructions:
        if not pointers.isdisjoint(instruction.uses):
            if is_lifetime_marker(instruction) and number in instruction.uses:
                yield True
            elif instruction.opcode not in _DERIVING:
                yield False
    source = cuts.waits[piece.wait].source if piece.wait >= 0 else ""
    if source and int(source[1:]) in pointers:
        yield False
