"""The text of a function that runs one phase for a range of threads."""

from collections.abc import Iterator

from mkls.emulator.phases.places import Places
from mkls.emulator.phases.plan import Plan
from mkls.emulator.phases.thread_code import ThreadCode

_PARAMETERS = (
    "ptr %group, ptr noalias %kept, ptr %private, ptr noalias %exchange, ptr noalias %states, "
    "i32 %phase, i32 %begin, i32 %end, i32 %active"
)
_WIDTH, _HEIGHT = 276, 280
"""Offsets in `mkls_group` of the threadgroup's size along x and y."""


def function_text(plan: Plan, symbol: str, attributes: str, first_metadata: int) -> str:
    """The definition of `symbol`; it uses metadata from number `first_metadata` on."""
    places = Places(plan, symbol, first_metadata)
    first_loop = _loop_metadata(plan, first_metadata) + 1
    lines = [f"define void @{symbol}({_PARAMETERS}) {attributes}{{", *_entry(plan, places)]
    for number in range(len(plan.phases)):
        short = f", !llvm.loop !{first_loop + number}" if plan.meets_in_simdgroups else ""
        lines += _rows(number)
        lines += ThreadCode(plan, number, places).thread()
        lines += _next_thread(number, short)
    return "\n".join([*lines, "finished:", "  ret void", "}", ""])


def metadata_text(plan: Plan, first: int) -> str:
    """Metadata that marks loads that never change, keeps arrays apart, and bounds short loops."""
    root, loop = first + 1, _loop_metadata(plan, first)
    lines = [f"!{first} = !{{}}", f'!{root} = distinct !{{!"mkls kept values"}}']
    for index in range(len(plan.kept)):
        type_, access = root + 1 + 2 * index, root + 2 + 2 * index
        lines.append(f'!{type_} = !{{!"{index}", !{root}, i64 0}}')
        lines.append(f"!{access} = !{{!{type_}, !{type_}, i64 0}}")
    loops = range(loop + 1, loop + 1 + len(plan.phases))
    lines.append(f'!{loop} = !{{!"llvm.loop.interleave.count", i32 1}}')
    lines += [f"!{number} = distinct !{{!{number}, !{loop}}}" for number in loops]
    return "\n".join(lines) + "\n"


def _loop_metadata(plan: Plan, first: int) -> int:
    return first + 2 + 2 * len(plan.kept)


def _entry(plan: Plan, places: Places) -> Iterator[str]:
    """Variables, what all threads share, and the jump to the phase."""
    yield "entry:"
    for variable in plan.variables.values():
        if not variable.lasting:
            yield f"  %a.{variable.number} = alloca {variable.type}, align {variable.alignment}"
    for number, kept in plan.kept.items():
        yield f"  %s.{number} = alloca {kept.type}"
    yield "  %lane.first = and i32 %begin, -32"
    yield "  %lane.first.wide = zext i32 %lane.first to i64"
    for exchange in plan.exchanges.values():
        taken = places.exchange(exchange.outgoing, "%lane.first.wide")
        yield f"  %u.{exchange.wait.result} = {taken}"
    for size, offset in (("width", _WIDTH), ("height", _HEIGHT)):
        yield f"  %{size}.at = getelementptr inbounds i8, ptr %group, i64 {offset}"
        yield f"  %{size} = load i32, ptr %{size}.at, align 4, {places.constant}"
    code = ThreadCode(plan, 0, places)
    for instruction in plan.recomputed.once:
        yield f"  %u.{instruction.result} = {code.rewritten(instruction)}"
    cases = " ".join(f"i32 {n}, label %rows.{n}" for n in range(len(plan.phases)))
    yield f"  switch i32 %phase, label %finished [ {cases} ]"


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
    yield f"  %wide.{n} = zext i32 %t.{n} to i64"
    yield f"  %x.{n} = sub nuw nsw i32 %t.{n}, %first.{n}"
    yield f"  %state.{n} = getelementptr inbounds i16, ptr %states, i64 %wide.{n}"


def _next_thread(n: int, loop: str) -> Iterator[str]:
    yield f"turn.{n}:"
    yield f"  %next.{n} = add nuw nsw i32 %t.{n}, 1"
    yield f"  %again.{n} = icmp ult i32 %next.{n}, %stop.{n}"
    yield f"  br i1 %again.{n}, label %thread.{n}, label %row.end.{n}{loop}"
    yield f"row.end.{n}:"
    yield f"  br label %rows.{n}"
