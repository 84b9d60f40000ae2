"""A module in LLVM's textual form, its kernels' functions for one thread replaced by phases."""

import hashlib
import re
from collections.abc import Collection, Mapping
from functools import lru_cache
from pathlib import Path

from mkls.emulator.phases.emission import function_text, metadata_text
from mkls.emulator.phases.function import Unsplittable, definition, parse_function
from mkls.emulator.phases.places import STRIDE, unit_of_bytes
from mkls.emulator.phases.plan import ENDED, Plan, plan

WAITING = frozenset(
    {
        "mkls_threadgroup_barrier",
        "mkls_simdgroup_barrier",
        "mkls_lockstep",
        "mkls_simd_exchange",
        "mkls_active_lanes",
        "mkls_lane",
    }
)
_DEFINITION = re.compile(r'^define [^\n]*?@([\w.$]+|"[^"\n]*")\(.*?^\}$', re.MULTILINE | re.DOTALL)
_DEBUG_RECORD = re.compile(r"^ +(?:#dbg_|(?:tail )?call void @llvm\.dbg\.).*\n", re.MULTILINE)
_GLOBAL = re.compile(r'@([\w.$]+|"[^"\n]*")')
_ATTRIBUTES = re.compile(r"#(\d+)")
_METADATA = re.compile(r"^!(\d+) = ", re.MULTILINE)
_MEMCPY = "declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)\n"
_VARIES = -2
_ROW = "{ i64, i64, ptr, i32, i16, i16 }"
_ALIGNED = {1: "i8", 2: "i16", 4: "i32", 8: "i64", 16: "<4 x i32>", 32: "<8 x i32>"}


@lru_cache(maxsize=1)
def sources_hash() -> str:
    """Changes whenever this package does."""
    digest = hashlib.sha256()
    for path in sorted(Path(__file__).parent.glob("*.py")):
        digest.update(path.read_bytes())
    return digest.hexdigest()


def thread_symbol(number: int) -> str:
    """The symbol that runs one thread of kernel `number`, on a stack of its own."""
    return f"mkls_thread_{number}"


def plan_symbol(number: int) -> str:
    """The symbol of the table that tells the runtime how to run kernel `number` in phases."""
    return f"mkls_plan_{number}"


def with_phases(module: str, entries: Mapping[int, str]) -> str:
    """`module` with phases for those kernels of `entries` that can be cut; the others stay.

    `entries` has the symbols that run whole threadgroups on fibers, by the kernels' numbers.
    """
    module = _DEBUG_RECORD.sub("", module)
    bodies = {match[1]: match[0] for match in _DEFINITION.finditer(module)}
    for number, entry in entries.items():
        thread = thread_symbol(number)
        try:
            _refuse_hidden_waits(thread, bodies)
            planned = plan(parse_function(bodies[thread]))
        except Unsplittable:
            continue
        module = _without(_without(module, entry), thread) + _phases(module, number, planned)
    if "@llvm.memcpy.p0.p0.i64(" in module and not _declares_memcpy(module):
        module += _MEMCPY
    return module


def _declares_memcpy(module: str) -> bool:
    declared = re.search(r"^declare [^\n]*@llvm\.memcpy\.p0\.p0\.i64\(", module, re.MULTILINE)
    return declared is not None


def _without(module: str, name: str) -> str:
    found = definition(module, name)
    return module if found is None else module[: found[0]] + module[found[1] :]


def _refuse_hidden_waits(thread: str, bodies: Mapping[str, str]) -> None:
    """A function that was not inlined must not wait."""
    if thread not in bodies:
        raise Unsplittable("there is no such function")
    todo, done = _mentioned(bodies[thread]), {thread}
    if thread in todo:
        raise Unsplittable("recursion")
    todo = [name for name in todo if name not in WAITING]
    while todo:
        name = todo.pop()
        if name in WAITING:
            raise Unsplittable("a function that waits and is not inlined")
        if name not in done:
            done.add(name)
            todo.extend(_mentioned(bodies.get(name, "")))


def _mentioned(body: str) -> list[str]:
    return _GLOBAL.findall(body.partition("{")[2])


def _phases(module: str, number: int, planned: Plan) -> str:
    symbol = f"mkls_phases_{number}"
    numbers = [int(n) for n in _METADATA.findall(module)]
    metadata = max(numbers, default=-1) + 1
    group = max((int(n) for n in _ATTRIBUTES.findall(module)), default=-1) + 1
    rest = _ATTRIBUTES.sub(f"#{group}", planned.function.rest)
    return "\n".join(
        [
            "",
            *_types(planned, symbol),
            function_text(planned, symbol, rest, metadata),
            f"attributes #{group} = {{ nounwind {_target(module, planned.function.rest)} }}",
            metadata_text(planned, metadata),
            _table(planned, symbol, number),
            "",
        ]
    )


def _target(module: str, rest: str) -> str:
    """What the function's attributes say of the machine; not what they say of its effects."""
    found = _ATTRIBUTES.search(rest)
    if found is None:
        return ""
    text = re.search(rf"^attributes #{found[1]} = \{{(.*)\}}$", module, re.MULTILINE)
    return " ".join(re.findall(r'"[^"]*"(?:="[^"]*")?', text[1])) if text else ""


def _types(planned: Plan, symbol: str) -> list[str]:
    kept = [f"[{STRIDE} x {kept.stored_type}]" for kept in planned.kept.values()]
    private = [
        f"[{STRIDE} x {{ {v.type}, [0 x {_ALIGNED.get(v.alignment, '<16 x i32>')}] }}]"
        for v in planned.variables.values()
        if v.lasting
    ]
    exchange: list[str] = []
    for both in planned.exchanges.values():
        unit, count = unit_of_bytes(both.wait.size)
        exchange += [f"[{STRIDE} x [{count} x {unit}]]"] * (1 + both.incoming - both.outgoing)
    areas = {"kept": kept, "private": private, "exchange": exchange}
    return [f"%{symbol}.{area} = type {{ {_listed(parts)} }}" for area, parts in areas.items()]


def _listed(parts: Collection[str]) -> str:
    return ", ".join(parts) or "i8"


def _offset(symbol: str, index: int) -> str:
    place = f"ptr getelementptr (%{symbol}.exchange, ptr null, i32 0, i32 {index})"
    return f"i64 ptrtoint ({place} to i64)"


def _next(planned: Plan, phase: int) -> int:
    outcomes = planned.outcomes[phase] or {ENDED}
    return next(iter(outcomes)) if len(outcomes) == 1 else _VARIES


def _table(planned: Plan, symbol: str, number: int) -> str:
    rows: list[str] = []
    for phase, wait in enumerate(planned.cuts.waits):
        both = planned.exchanges.get(phase)
        outgoing = _offset(symbol, both.outgoing if both else 0)
        incoming = _offset(symbol, both.incoming if both else 0)
        rows.append(
            f"{_ROW} {{ {outgoing}, {incoming}, ptr {wait.combine}, i32 {wait.size}, "
            f"i16 {int(wait.kind == 'meeting')}, i16 {_next(planned, phase)} }}"
        )
    sizes = ", ".join(
        f"i64 ptrtoint (ptr getelementptr (%{symbol}.{area}, ptr null, i32 1) to i64)"
        for area in ("kept", "private", "exchange")
    )
    row_type = f"[{len(rows)} x {_ROW}]"
    return (
        f"@{plan_symbol(number)} = constant "
        f"{{ ptr, i64, i64, i64, i32, i32, {row_type} }} "
        f"{{ ptr @{symbol}, {sizes}, i32 {len(rows)}, i32 {int(planned.meets_in_simdgroups)}, "
        f"{row_type} [{', '.join(rows)}] }}"
    )
