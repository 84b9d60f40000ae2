"""Which values are needed behind a cut: sets of value numbers, as the bits of an integer."""

from collections.abc import Iterator, Mapping

from mkls.emulator.phases.cuts import Cuts, Piece


def live_at_starts(cuts: Cuts) -> tuple[int, ...]:
    """For each phase, the values that were made before it and may be used in it or later."""
    live = _live_in(cuts)
    return tuple(live[start] for start in cuts.starts)


def numbers(bits: int) -> Iterator[int]:
    """The members of a set."""
    while bits:
        lowest = bits & -bits
        yield lowest.bit_length() - 1
        bits ^= lowest


def _live_in(cuts: Cuts) -> Mapping[str, int]:
    pieces = cuts.pieces
    used = {label: _used(piece, cuts) for label, piece in pieces.items()}
    made = {label: _made(piece, cuts) for label, piece in pieces.items()}
    to_phis = _values_for_phis(cuts)
    before = _predecessors(pieces)
    live = dict.fromkeys(pieces, 0)
    todo = list(pieces)
    while todo:
        label = todo.pop()
        out = to_phis.get(label, 0)
        for successor in pieces[label].successors:
            out |= live[successor]
        new = used[label] | (out & ~made[label])
        if new != live[label]:
            live[label] = new
            todo.extend(before.get(label, ()))
    return live


def _used(piece: Piece, cuts: Cuts) -> int:
    """What a piece takes from before itself; a phi takes its values at the end of other pieces."""
    used = made = 0
    for instruction in piece.instructions:
        if instruction.opcode != "phi":
            for number in instruction.uses:
                used |= 1 << number & ~made
        if instruction.result >= 0:
            made |= 1 << instruction.result
    if piece.wait >= 0 and cuts.waits[piece.wait].source:
        used |= 1 << int(cuts.waits[piece.wait].source[1:]) & ~made
    return used


def _made(piece: Piece, cuts: Cuts) -> int:
    made = 0
    for instruction in piece.instructions:
        if instruction.result >= 0:
            made |= 1 << instruction.result
    if piece.wait >= 0 and cuts.waits[piece.wait].result >= 0:
        made |= 1 << cuts.waits[piece.wait].result
    return made


def _values_for_phis(cuts: Cuts) -> dict[str, int]:
    values: dict[str, int] = {}
    for piece in cuts.pieces.values():
        for instruction in piece.instructions:
            if instruction.opcode != "phi":
                break
            for value, label in instruction.incoming:
                if value.startswith("%"):
                    origin = cuts.last_piece[label]
                    values[origin] = values.get(origin, 0) | 1 << int(value[1:])
    return values


def _predecessors(pieces: Mapping[str, Piece]) -> dict[str, list[str]]:
    before: dict[str, list[str]] = {}
    for label, piece in pieces.items():
        for successor in piece.successors:
            before.setdefault(successor, []).append(label)
    return before
