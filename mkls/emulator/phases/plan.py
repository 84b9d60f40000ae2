"""What is to be done with every value of a function that is cut into phases."""

from collections.abc import Iterable, Iterator, Mapping, Sequence

import msgspec

from mkls.emulator.phases.cuts import Cuts, Piece, Wait, called, cut
from mkls.emulator.phases.function import Function, Unsplittable
from mkls.emulator.phases.liveness import live_at_starts, numbers
from mkls.emulator.phases.private_memory import Variable, variables
from mkls.emulator.phases.recomputation import Recomputed, recomputed
from mkls.emulator.phases.types import result_type

PARAMETERS = 5
"""Of a function for one thread: the threadgroup's description, x, y, z and the linear index."""
ENDED = -1
_MOST_WAITS = 4000
_MOST_GROWTH = 6


class Kept(msgspec.Struct, frozen=True):
    """A value with one element for each thread, in the array number `index`."""

    index: int
    type: str

    @property
    def stored_type(self) -> str:
        """Bits take a byte each: a loop over packed bits is not vectorised."""
        return "i8" if self.type == "i1" else self.type


class Exchange(msgspec.Struct, frozen=True):
    """Lanes write to the array number `incoming` and read from the array number `outgoing`.

    That is one array, but for an exchange to which a phase comes back that has just taken from it:
    other lanes may still have to read what the first ones overwrite.
    """

    wait: Wait
    outgoing: int
    incoming: int


class Plan(msgspec.Struct, frozen=True):
    """What is known of each phase n, and what becomes of the values.

    `phases[n]` are its pieces, `live[n]` the kept values, as bits, that it starts with, and
    `outcomes[n]` the phases for which a thread may wait after it; ENDED when it may end.
    `exchanges[n]` is the exchange that leads to it.
    """

    function: Function
    cuts: Cuts
    phases: tuple[Mapping[str, Piece], ...]
    outcomes: tuple[frozenset[int], ...]
    exchanges: Mapping[int, Exchange]
    kept: Mapping[int, Kept]
    live: tuple[int, ...]
    variables: Mapping[int, Variable]
    recomputed: Recomputed

    @property
    def meets_in_simdgroups(self) -> bool:
        """Whether threads wait for their simdgroup alone."""
        return any(wait.kind == "meeting" for wait in self.cuts.waits)


def plan(function: Function) -> Plan:
    """Plan the phases of `function`, which runs one thread. Raises Unsplittable."""
    if function.parameter_count != PARAMETERS:
        raise Unsplittable("a function with other parameters")
    cuts = cut(function)
    _refuse_indirect_calls(cuts)
    phases = tuple(_phases(cuts))
    outcomes = tuple(_outcomes(phase.values()) for phase in phases)
    memory = variables(cuts)
    results = {wait.result for wait in cuts.waits if wait.result >= 0}
    live = live_at_starts(cuts)
    crossing = 0
    for bits in live[1:]:
        crossing |= bits
    private = {number: variable.lasting for number, variable in memory.items()}
    easy = recomputed(cuts, PARAMETERS, crossing, private, results)
    free = {*range(PARAMETERS), *memory, *results}
    free.update(i.result for i in (*easy.once, *easy.by_thread))
    types = {i.result: i for piece in cuts.pieces.values() for i in piece.instructions}
    kept = [number for number in numbers(crossing) if number not in free]
    return Plan(
        function,
        cuts,
        phases,
        outcomes,
        _exchanges(cuts, outcomes),
        {number: Kept(index, result_type(types[number])) for index, number in enumerate(kept)},
        live,
        memory,
        easy,
    )


def _refuse_indirect_calls(cuts: Cuts) -> None:
    for piece in cuts.pieces.values():
        for instruction in piece.instructions:
            if instruction.opcode == "call" and not called(instruction):
                raise Unsplittable("a call through a pointer")


def _phases(cuts: Cuts) -> Iterator[Mapping[str, Piece]]:
    """Every phase's pieces; code that several share is repeated in each, within reason."""
    size = sum(len(piece.instructions) for piece in cuts.pieces.values())
    if len(cuts.starts) > _MOST_WAITS:
        raise Unsplittable("very many places to wait")
    total = 0
    for number in range(len(cuts.starts)):
        phase = cuts.phase(number)
        total += sum(len(piece.instructions) for piece in phase.values())
        if total > _MOST_GROWTH * size + 2000:
            raise Unsplittable("phases that share much code")
        yield phase


def _outcomes(pieces: Iterable[Piece]) -> frozenset[int]:
    found: set[int] = set()
    for piece in pieces:
        if piece.wait >= 0:
            found.add(piece.wait)
        elif piece.instructions[-1].opcode == "ret":
            found.add(ENDED)
    return frozenset(found)


def _exchanges(cuts: Cuts, outcomes: Sequence[frozenset[int]]) -> dict[int, Exchange]:
    found: dict[int, Exchange] = {}
    arrays = 0
    for phase, wait in enumerate(cuts.waits):
        if wait.size:
            repeats = phase in outcomes[phase]
            found[phase] = Exchange(wait, arrays, arrays + repeats)
            arrays += 1 + repeats
    return found
