"""Small programs in which threads wait, as Metal text and as a model that NumPy runs.

A program is a list of statements on four unsigned locals `v`, a local array `a`, a local structure,
a counter `u` that all threads agree on, and `mem`, one word of threadgroup memory for each thread.
"""

import contextlib
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from hypothesis import strategies as st

THREADS = 72
HELPERS = """
struct state { uint count; uint3 last; };
template <typename T> T rotate_by(T value, uint by, threadgroup T* mem, uint t, uint n) {
  threadgroup_barrier(mem_flags::mem_threadgroup);
  mem[t] = value;
  threadgroup_barrier(mem_flags::mem_threadgroup);
  return mem[(t + by) % n];
}
"""
Node = tuple[object, ...]

_BINARY = {
    "+": np.add,
    "-": np.subtract,
    "*": np.multiply,
    "^": np.bitwise_xor,
    "&": np.bitwise_and,
}


@dataclass
class Machine:
    """All threads at once: each local is an array with one element for each thread."""

    threads: int = THREADS
    v: list[np.ndarray] = field(default_factory=list)
    u: int = 1

    def __post_init__(self) -> None:
        self.t = np.arange(self.threads, dtype=np.uint32)
        self.v = [self.t * np.uint32(i + 3) for i in range(4)]
        self.a = np.stack([self.t + np.uint32(i) for i in range(4)])
        self.mem = np.zeros(self.threads, np.uint32)

    def result(self) -> np.ndarray:
        """What the kernel writes."""
        total = self.v[0] ^ self.v[1] ^ self.v[2] ^ self.v[3] ^ np.uint32(self.u)
        return total ^ self.a[0] ^ self.a[1] ^ self.a[2] ^ self.a[3]


class Left(Exception):  # noqa: N818  (no error)
    """`return` and `break`."""


def expressions(names: Sequence[str]) -> st.SearchStrategy[Node]:
    """Expressions over the locals; a leaf is drawn from `names` too."""
    leaves = st.one_of(
        st.tuples(st.just("v"), st.integers(0, 3)),
        st.tuples(st.just("number"), st.integers(0, 40)),
        st.tuples(st.sampled_from(names)),
    )
    return st.recursive(
        leaves,
        lambda inner: st.one_of(
            st.tuples(st.just("binary"), st.sampled_from(sorted(_BINARY)), inner, inner),
            st.tuples(st.just("element"), inner),
        ),
        max_leaves=4,
    )


_AGREED = st.tuples(st.just("agreed"), st.integers(1, 3), st.integers(0, 3))


def statements(*, uniform: bool) -> st.SearchStrategy[list[Node]]:
    """Statements; `uniform` ones let all threads take the same way, others do not move values."""
    value = expressions(["t", "u"])
    condition = _AGREED if uniform else st.one_of(_AGREED, value)
    index = st.integers(0, 3)
    simple = [
        st.tuples(st.just("set"), index, value),
        st.tuples(st.just("put"), value, value),
        st.tuples(st.just("pointer"), value, value),
        st.tuples(st.just("structure"), index, value),
        st.tuples(st.just("barrier")),
        st.tuples(st.just("leave"), condition),
    ]
    moving = [
        st.tuples(st.just("rotate"), index, value, st.integers(1, THREADS)),
        st.tuples(st.just("sum"), index, value),
        st.tuples(st.just("swap"), index, value, st.sampled_from([1, 2, 8, 16])),
    ]
    leaf = st.one_of(*simple, *(moving if uniform else []))

    def nested(inner: st.SearchStrategy[Node]) -> st.SearchStrategy[Node]:
        body = st.lists(inner, min_size=1, max_size=4)
        return st.one_of(
            st.tuples(st.just("if"), condition, body, body),
            st.tuples(st.just("loop"), st.integers(1, 3), body),
            st.tuples(st.just("while"), condition, body),
        )

    return st.lists(st.recursive(leaf, nested, max_leaves=8), min_size=2, max_size=6)


def kernel(name: str, program: Sequence[Node]) -> str:
    """The program as a kernel."""
    arrays = "uint v[4] = {t * 3, t * 4, t * 5, t * 6}; uint a[4] = {t, t + 1, t + 2, t + 3};"
    return (
        f"kernel void {name}(device uint* out, uint t [[thread_position_in_threadgroup]], "
        "uint g [[thread_position_in_grid]], uint n [[threads_per_threadgroup]]) {\n"
        f"threadgroup uint mem[{THREADS}]; {arrays} state s = {{0, uint3(0)}}; uint u = 1;\n"
        f"do {{\n{_block(program)}\n}} while (false);\n"
        "out[g] = v[0] ^ v[1] ^ v[2] ^ v[3] ^ u ^ a[0] ^ a[1] ^ a[2] ^ a[3] ^ s.count;\n}\n"
    )


def _block(program: Sequence[Node]) -> str:
    return "\n".join(_statement(*statement) for statement in program)


def _statement(kind: str, *parts: object) -> str:
    """What moves no value between threads."""
    match kind, *parts:
        case "set", index, value:
            return f"v[{index}] = {_text(value)};"
        case "put", index, value:
            return f"a[({_text(index)}) & 3] = {_text(value)};"
        case "pointer", which, value:
            barrier = "threadgroup_barrier(mem_flags::mem_device);"
            return (
                f"{{ thread uint* p = ({_text(which)}) & 1 ? &v[0] : &a[1]; {barrier} "
                f"*p += {_text(value)}; thread uint& r = *p; {barrier} r ^= 5; }}"
            )
        case "structure", index, value:
            return (
                f"s.last = uint3({_text(value)}, u, t); simdgroup_barrier(mem_flags::mem_none); "
                f"v[{index}] += s.last.x * s.last.y + s.last.z;"
            )
        case ("barrier",):
            return "threadgroup_barrier(mem_flags::mem_none); v[0] += 1;"
        case "leave", condition:
            return f"if (({_text(condition)}) % 3 == 1) break;"
    return _moving_statement(kind, *parts)


def _moving_statement(kind: str, *parts: object) -> str:
    match kind, *parts:
        case "rotate", index, value, by:
            return f"v[{index}] = rotate_by<uint>({_text(value)}, {by}, mem, t, n);"
        case "sum", index, value:
            return f"v[{index}] = simd_sum({_text(value)});"
        case "swap", index, value, mask:
            return f"v[{index}] = simd_shuffle_xor({_text(value)}, {mask});"
    return _nested_statement(kind, *parts)


def _nested_statement(kind: str, *parts: object) -> str:
    match kind, *parts:
        case "if", condition, body, other:
            return (
                f"if (({_text(condition)}) & 1) {{\n{_block(body)}\n}} else {{\n{_block(other)}\n}}"
            )
        case "loop", count, body:
            return f"for (uint i = 0; i < {count}; i++) {{ u += 1;\n{_block(body)}\n}}"
        case "while", condition, body:
            return (
                f"for (uint i = 0; i < 3 && (({_text(condition)}) & 3) != i; i++) {{ u += 3;\n"
                f"{_block(body)}\n}}"
            )
    raise AssertionError(kind)


def _text(node: Node) -> str:
    match node:
        case "v", index:
            return f"v[{index}]"
        case "number", value:
            return f"{value}u"
        case "agreed", factor, plus:
            return f"(u * {factor} + {plus})"
        case "binary", operator, a, b:
            return f"({_text(a)} {operator} {_text(b)})"
        case "element", index:
            return f"a[({_text(index)}) & 3]"
    return str(node[0])


def run(program: Sequence[Node]) -> np.ndarray:
    """What every thread of a uniform program writes."""
    machine = Machine()
    with contextlib.suppress(Left):
        _run_block(machine, program)
    return machine.result()


def _run_block(machine: Machine, program: Sequence[Node]) -> None:
    for statement in program:
        _run(machine, *statement)


def _run(machine: Machine, kind: str, *parts: object) -> None:
    match kind, *parts:
        case "set", index, value:
            machine.v[index] = _value(machine, value)
        case "put", index, value:
            machine.a[_value(machine, index) & 3, machine.t] = _value(machine, value)
        case "pointer", which, value:
            first = (_value(machine, which) & 1) == 1
            amount = _value(machine, value)
            machine.v[0] = np.where(first, (machine.v[0] + amount) ^ 5, machine.v[0])
            machine.a[1] = np.where(first, machine.a[1], (machine.a[1] + amount) ^ 5)
        case "structure", index, value:
            product = _value(machine, value) * np.uint32(machine.u) + machine.t
            machine.v[index] = machine.v[index] + product
        case ("barrier",):
            machine.v[0] = machine.v[0] + np.uint32(1)
        case "leave", condition:
            if _value(machine, condition)[0] % 3 == 1:
                raise Left
        case _:
            _run_moving(machine, kind, *parts)


def _run_moving(machine: Machine, kind: str, *parts: object) -> None:
    match kind, *parts:
        case "rotate", index, value, by:
            machine.v[index] = np.roll(_value(machine, value), -by)
        case "sum", index, value:
            machine.v[index] = _by_simdgroup(_value(machine, value), np.sum)
        case "swap", index, value, mask:
            machine.v[index] = _swapped(_value(machine, value), mask)
        case "if", condition, body, other:
            _run_block(machine, body if _value(machine, condition)[0] & 1 else other)
        case _:
            _run_loop(machine, kind, *parts)


def _run_loop(machine: Machine, kind: str, times: object, body: Sequence[Node]) -> None:
    try:
        for i in range(times if kind == "loop" else 3):
            if kind == "while" and _value(machine, times)[0] & 3 == i:
                return
            machine.u += 1 if kind == "loop" else 3
            _run_block(machine, body)
    except Left:
        pass


def _by_simdgroup(values: np.ndarray, combine: object) -> np.ndarray:
    result = values.copy()
    for first in range(0, len(values), 32):
        result[first : first + 32] = combine(values[first : first + 32], dtype=np.uint32)
    return result


def _swapped(values: np.ndarray, mask: int) -> np.ndarray:
    """A lane whose partner does not exist gets zero."""
    partner = np.arange(len(values)) ^ mask
    return np.where(partner < len(values), values[np.minimum(partner, len(values) - 1)], 0).astype(
        np.uint32
    )


def _value(machine: Machine, node: Node) -> np.ndarray:
    match node:
        case "v", index:
            return machine.v[index].copy()
        case "number", value:
            return np.full(machine.threads, value, np.uint32)
        case "agreed", factor, plus:
            return np.full(machine.threads, machine.u * factor + plus, np.uint32)
        case "binary", operator, a, b:
            return _BINARY[operator](_value(machine, a), _value(machine, b))
        case "element", index:
            return machine.a[_value(machine, index) & 3, machine.t]
        case ("t",):
            return machine.t.copy()
    return np.full(machine.threads, machine.u, np.uint32)
