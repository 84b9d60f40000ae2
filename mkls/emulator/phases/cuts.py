"""A function's blocks cut where a thread may wait, and what lies between the cuts."""

import re
from collections.abc import Iterator, Mapping
from typing import Literal

import msgspec

from mkls.emulator.phases.function import Block, Function, Instruction, Unsplittable
from mkls.emulator.phases.types import split_commas

_CALLED = re.compile(r"@([\w.$]+)\(")
_MEETINGS = {
    "mkls_threadgroup_barrier": "barrier",
    "mkls_simdgroup_barrier": "meeting",
    "mkls_lockstep": "meeting",
    "mkls_simd_exchange": "meeting",
}


class Wait(msgspec.Struct, frozen=True):
    """A place where a thread waits: for its threadgroup, or for its simdgroup.

    In an exchange it brings `size` bytes from the pointer `source`, and `result` is the number of
    the value that points to what `combine` (a global or `null`) made of all lanes' bytes.
    """

    kind: Literal["barrier", "meeting"]
    result: int = -1
    source: str = ""
    size: int = 0
    combine: str = "null"


class Piece(msgspec.Struct, frozen=True):
    """A part of a block. At its end, `wait` is the number of a wait, or -1 and a jump is last."""

    label: str
    instructions: tuple[Instruction, ...]
    wait: int
    successors: tuple[str, ...]


class Cuts(msgspec.Struct, frozen=True):
    """A function in pieces: phase n starts with `starts[n]`, and behind `waits[n]`.

    Phase 0 starts the thread, behind nothing. `last_piece` has the piece in which a block ends.
    """

    pieces: Mapping[str, Piece]
    starts: tuple[str, ...]
    waits: tuple[Wait, ...]
    last_piece: Mapping[int, str]

    def phase(self, number: int) -> dict[str, Piece]:
        """The pieces that a thread may run from the start of a phase until it waits or ends."""
        reached, todo = set[str](), [self.starts[number]]
        while todo:
            label = todo.pop()
            if label not in reached:
                reached.add(label)
                piece = self.pieces[label]
                todo.extend(piece.successors if piece.wait < 0 else ())
        return {label: piece for label, piece in self.pieces.items() if label in reached}


def called(instruction: Instruction) -> str:
    """The function that a direct call calls; empty for anything else."""
    if instruction.opcode != "call":
        return ""
    found = _CALLED.search(instruction.text)
    return found[1] if found else ""


def cut(function: Function) -> Cuts:
    """Cut `function` at its waits. Raises Unsplittable."""
    pieces: dict[str, Piece] = {}
    starts, waits = [str(function.blocks[0].label)], [Wait("barrier")]
    last_piece: dict[int, str] = {}
    for block in function.blocks:
        for piece, wait in _pieces(block, len(starts)):
            pieces[piece.label] = piece
            last_piece[block.label] = piece.label
            if wait is not None:
                waits.append(wait)
                starts.append(piece.successors[0])
    return Cuts(pieces, tuple(starts), tuple(waits), last_piece)


def _pieces(block: Block, next_wait: int) -> Iterator[tuple[Piece, Wait | None]]:
    label, begin = str(block.label), 0
    for index, instruction in enumerate(block.instructions):
        wait = _wait(instruction)
        if wait is not None:
            behind = f"{block.label}.{next_wait}"
            yield Piece(label, block.instructions[begin:index], next_wait, (behind,)), wait
            label, begin, next_wait = behind, index + 1, next_wait + 1
    successors = tuple(str(target) for target in block.targets)
    yield Piece(label, block.instructions[begin:], -1, successors), None


def _wait(instruction: Instruction) -> Wait | None:
    name = called(instruction)
    if name not in _MEETINGS:
        return None
    if name != "mkls_simd_exchange":
        return Wait("barrier" if _MEETINGS[name] == "barrier" else "meeting")
    arguments = _arguments(instruction.text)
    source, size, combine = (argument.split()[-1] for argument in arguments)
    if not source.startswith("%") or not size.isdigit():
        raise Unsplittable("an exchange of unknown size")
    return Wait("meeting", instruction.result, source, int(size), combine)


def _arguments(call: str) -> list[str]:
    start = call.index("(", call.index("@mkls_simd_exchange"))
    depth = 0
    for end in range(start, len(call)):
        depth += {"(": 1, ")": -1}.get(call[end], 0)
        if depth == 0:
            return split_commas(call[start + 1 : end])
    raise Unsplittable("an unfinished call")
