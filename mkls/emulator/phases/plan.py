"""What is to be done with every value of a function that is cut into phases."""

from collections.abc import Mapping

import msgspec

from mkls.emulator.phases.cuts import Cuts, Wait, called, cut
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
    """`live[n]` has the kept values, as bits, that phase n starts with."""

    function: Function
    cuts: Cuts
    kept: Mapping[int, Kept]
    live: tuple[int, ...]
    variables: Mapping[int, Variable]
    recomputed: Recomputed

    def outcomes(self, phase: int) -> set[int]:
        """The phases for which a thread may wait after `phase`; ENDED when it may end."""
        pieces = self.cuts.phase(phase).values()
        ends = any(piece.wait < 0 and piece.instructions[-1].opcode == "ret" for piece in pieces)
        return {piece.wait for piece in pieces if piece.wait >= 0} | ({ENDED} if ends else set())

    @property
    def exchanges(self) -> dict[int, Exchange]:
        """The exchanges, by the number of the phase that follows."""
        found: dict[int, Exchange] = {}
        arrays = 0
        for phase, wait in enumerate(self.cuts.waits):
            if wait.size:
                repeats = phase in self.outcomes(phase)
                found[phase] = Exchange(wait, arrays, arrays + repeats)
                arrays += 1 + repeats
        return found

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
    _refuse_growth(cuts)
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


def _refuse_growth(cuts: Cuts) -> None:
    """Code that several phases share is repeated in each: within reason."""
    size = sum(len(piece.instructions) for piece in cuts.pieces.values())
    if len(cuts.starts) > _MOST_WAITS:
        raise Unsplittable("very many places to wait")
    total = 0
    for number in range(len(cuts.starts)):
        total += sum(len(piece.instructions) for piece in cuts.phase(number).values())
        if total > _MOST_GROWTH * size + 2000:
            raise Unsplittable("phases that share much code")
