"""Values that follow from a thread's place and the launch: computed again instead of kept."""

from collections.abc import Collection, Iterator, Mapping

import msgspec

from mkls.emulator.phases.cuts import Cuts, called
from mkls.emulator.phases.function import Instruction

GROUP = 0
"""The parameter that points to the threadgroup's description, which no kernel changes."""
_ARITHMETIC = frozenset({"add", "sub", "mul", "shl", "lshr", "ashr", "and", "or", "xor"})
_CONVERSIONS = frozenset(
    {"trunc", "zext", "sext", "bitcast", "ptrtoint", "inttoptr", "sitofp", "uitofp"}
)
_PURE = _ARITHMETIC | _CONVERSIONS | {"getelementptr", "icmp", "select"}


class Recomputed(msgspec.Struct, frozen=True):
    """Instructions to repeat in every phase: once for all threads, and once for each.

    `group_loads` are the results of all loads from the description of the threadgroup.
    """

    once: tuple[Instruction, ...]
    by_thread: tuple[Instruction, ...]
    group_loads: Collection[int]


def recomputed(
    cuts: Cuts, parameters: int, wanted: int, private: Mapping[int, bool], exchanges: set[int]
) -> Recomputed:
    """How to compute those of the values `wanted` (bits) that are easy to compute.

    `private` has the addresses of local variables, and whether they differ by thread; `exchanges`
    the values that point to what an exchange made.
    """
    code = {i.result: i for p in cuts.pieces.values() for i in p.instructions if i.result >= 0}
    group_loads = _group_loads(code)
    leaves = {*range(parameters), *private, *exchanges}
    easy = _easy(code, leaves, group_loads)
    order = [n for n in _with_operands(code, easy, wanted) if n not in leaves]
    differing = {*range(1, parameters), *(n for n, differs in private.items() if differs)}
    once: list[Instruction] = []
    by_thread: list[Instruction] = []
    for number in order:
        instruction = code[number]
        if called(instruction) == "mkls_lane" or not differing.isdisjoint(instruction.uses):
            differing.add(number)
            by_thread.append(instruction)
        else:
            once.append(instruction)
    return Recomputed(tuple(once), tuple(by_thread), group_loads)


def _group_loads(code: Mapping[int, Instruction]) -> set[int]:
    """Loads from the threadgroup's description and from the launch's, which it points to."""
    described, loads = {GROUP}, set[int]()
    changed = True
    while changed:
        before = len(described) + len(loads)
        for number, instruction in code.items():
            if len(instruction.uses) != 1 or instruction.uses[0] not in described:
                continue
            if instruction.opcode == "getelementptr":
                described.add(number)
            elif instruction.opcode == "load":
                loads.add(number)
                if instruction.text.startswith(f"load ptr, ptr %{GROUP},"):
                    described.add(number)  # the launch's
        changed = len(described) + len(loads) != before
    return loads


def _easy(code: Mapping[int, Instruction], leaves: set[int], group_loads: set[int]) -> set[int]:
    easy, changed = set(leaves), True
    while changed:
        changed = False
        for number, instruction in code.items():
            if number in easy or not easy.issuperset(instruction.uses):
                continue
            name = called(instruction)
            pure = instruction.opcode in _PURE or name in ("mkls_threadgroup_memory", "mkls_lane")
            if pure or number in group_loads:
                easy.add(number)
                changed = True
    return easy


def _with_operands(code: Mapping[int, Instruction], easy: set[int], wanted: int) -> Iterator[int]:
    """The easy ones of `wanted` and what they are made of, operands first."""
    done = set[int]()
    todo = [number for number in sorted(easy) if wanted >> number & 1]
    todo.reverse()
    while todo:
        number = todo[-1]
        operands = code[number].uses if number in code else ()
        missing = [n for n in operands if n not in done and n != number]
        if number in done or not missing:
            todo.pop()
            if number not in done:
                done.add(number)
                yield number
        else:
            todo.extend(missing)
