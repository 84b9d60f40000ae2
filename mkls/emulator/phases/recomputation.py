"""Values that follow from a thread's place and the launch: computed again instead of kept."""

from collections.abc import Collection, Iterable, Iterator, Mapping

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
    """Instructions to repeat in every phase: once for all threads, or for each, operands first.

    `group_loads` are the results of all loads from the description of the threadgroup.
    """

    once: tuple[Instruction, ...]
    by_thread: tuple[Instruction, ...]
    group_loads: Collection[int]


def recomputed(
    cuts: Cuts, parameters: int, wanted: int, private: Mapping[int, bool], exchanges: set[int]
) -> Recomputed:
    """What is easy to compute: all that threads share, and of the rest the values `wanted` (bits).

    `private` has the addresses of local variables, and whether they differ by thread; `exchanges`
    the values that point to what an exchange made.
    """
    code = {i.result: i for p in cuts.pieces.values() for i in p.instructions if i.result >= 0}
    group_loads = _group_loads(code)
    leaves = {*range(parameters), *private, *exchanges}
    easy = _easy(code, leaves, group_loads)
    order = [code[n] for n in _operands_first(code, easy) if n not in leaves]
    differing = {*range(1, parameters), *(n for n, differs in private.items() if differs)}
    for instruction in order:
        if called(instruction) == "mkls_lane" or not differing.isdisjoint(instruction.uses):
            differing.add(instruction.result)
    needed = set(_with_operands(code, (n for n in easy if wanted >> n & 1)))
    return Recomputed(
        tuple(i for i in order if i.result not in differing),
        tuple(i for i in order if i.result in differing and i.result in needed),
        group_loads,
    )


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


def _operands_first(code: Mapping[int, Instruction], numbers: Iterable[int]) -> list[int]:
    """`numbers`, which hold all their operands, in an order in which they can be computed."""
    order: dict[int, None] = {}
    todo = sorted(numbers, reverse=True)
    while todo:
        number = todo[-1]
        operands = code[number].uses if number in code else ()
        missing = [n for n in operands if n not in order]
        if number in order or not missing:
            order[todo.pop()] = None
        else:
            todo.extend(missing)
    return list(order)


def _with_operands(code: Mapping[int, Instruction], numbers: Iterable[int]) -> Iterator[int]:
    done, todo = set[int](), list(numbers)
    while todo:
        number = todo.pop()
        if number not in done:
            done.add(number)
            yield number
            todo.extend(code[number].uses if number in code else ())
