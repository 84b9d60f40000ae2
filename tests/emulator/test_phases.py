"""Kernels in which threads wait run in phases, without fibers, and to the same effect."""

# ruff: noqa: E501  (Metal text and tables of cases read best unbroken)

import pytest
import torch

from mkls.emulator.rewrite import TranslationUnit
from tests.emulator.kernels import Compile

BARRIER = "threadgroup_barrier(mem_flags::mem_threadgroup);"
HEAD = "kernel void f(device float* out, constant float& s, uint t [[thread_position_in_threadgroup]]) {"
BODIES = [
    f"threadgroup float b[4]; b[t] = s; {BARRIER} out[t] = b[3 - t];",
    "metal::threadgroup_barrier(metal::mem_flags::mem_none);",
    f"float x = s; {BARRIER} x += 1; {BARRIER} out[t] = x; return;",
    f"if (t > 2) return; {BARRIER}",
    f"if (t > 2) {{ {BARRIER} }}",
    f"for (int i = 0; i < 3; i++) {{ {BARRIER} }}",
    f"float x = simd_sum(s); {BARRIER} out[t] = x;",
    f"float x = s; float* p = &x; {BARRIER} out[t] = *p;",
    f"float a[2]; thread float* p = a; {BARRIER} out[t] = *p;",
    f"float x = s; float& y = x; {BARRIER} out[t] = y;",
    f"float x = s; auto f = [&]() {{ x++; }}; {BARRIER} f();",
    f"device float* p = &out[t]; {BARRIER} *p = s;",
    f"bool both = t > 1 && s > 2; int m = t & 3; {BARRIER} out[t] = both + m;",
    f"do {{ {BARRIER} if (out[t] > 1) break; {BARRIER} }} while (out[t] < s);",
    "switch (t) { case 0: out[t] = simd_max(s); break; case 1: simdgroup_barrier(mem_flags::mem_none); break; default: return; }",
    f"half3 h = half3(s); float4 q = float4(s, 1, 2, t); {BARRIER} out[t] = h.y + q.w;",
    f"float a[16]; for (int i = 0; i < 16; i++) a[i] = s * i; {BARRIER} out[t] = a[int(out[t]) & 15];",
]


@pytest.mark.parametrize("body", BODIES)
def test_no_fibers_for_any_control_flow(compile_: Compile, body: str) -> None:
    assert compile_(f"{HEAD} {body} }}").f.mode == "phased"


def test_a_kernel_that_never_waits_is_one_loop(compile_: Compile) -> None:
    assert compile_(f"{HEAD} out[t] = s; }}").f.mode == "independent"


def test_a_checked_build_has_fibers(compile_: Compile) -> None:
    assert compile_(f"{HEAD} {BODIES[0]} }}", checked=True).f.mode == "cooperative"


HELPERS = f"""
static void plain() {{ {BARRIER} }}
template <typename T> T twice(T x, threadgroup T* memory, uint t) {{ memory[t] = x; plain(); plain(); return memory[t]; }}
struct Reducer {{
  threadgroup float* memory;
  float operator()(float x, uint t) const {{ memory[t] = x; {BARRIER} return memory[3 - t]; }}
}};
{HEAD}
  threadgroup float memory[4];
  Reducer reducer{{memory}};
  out[t] = twice(float(t), memory, t) + reducer(s * t, t);
}}
kernel void g(device float* out, constant float& s) {{ f(out, s, 0); }}
"""


def test_waits_in_helpers_and_in_other_kernels(compile_: Compile) -> None:
    library = compile_(HELPERS)
    out = torch.zeros(4)
    library.f(out, 10.0)
    assert (library.f.mode, library.g.mode) == ("phased", "phased")
    assert out.tolist() == [30, 21, 12, 3]


UNKNOWN = {
    "recursion": f"int down(int n) {{ if (n < 2) return n; int a = down(n - 1); {BARRIER} return a + down(n - 2); }}\n{HEAD} out[t] = t + down(int(s)) - 2; }}",
    "variable size": f"{HEAD} int n = int(s); float a[n]; a[t % n] = t; out[t] = a[0]; {BARRIER} out[t] = a[t % n]; }}",
    "a pointer": f"void wait() {{ {BARRIER} }}\n{HEAD} void (*volatile go)() = wait; go(); out[t] += t; }}",
}


@pytest.mark.parametrize("source", UNKNOWN.values(), ids=UNKNOWN)
def test_what_cannot_be_cut_runs_on_fibers(compile_: Compile, source: str) -> None:
    library = compile_(source)
    out = torch.zeros(40)
    library.f(out, 3.0)
    assert library.f.mode == "cooperative"
    assert out.tolist() == list(range(40))


def test_which_kernels_may_wait() -> None:
    unit = TranslationUnit(
        f"{HEAD} out[t] = s; }} void h() {{ {BARRIER} }} kernel void g() {{ h(); }}"
    )
    assert (unit.mode("f"), unit.mode("g")) == ("independent", "phased")


PHASED = f"""
template <typename T>
kernel void turn(device const T* in, device T* out, constant long& times, uint2 at [[thread_position_in_grid]],
                 uint2 t [[thread_position_in_threadgroup]], uint2 size [[threads_per_threadgroup]], uint width [[threads_per_grid]]) {{
  threadgroup T a[16][16], b[256];
  T local[2] = {{T(in[at.y * width + at.x] * T(times)), T(1)}};
  a[t.y][t.x] = local[0];
  {BARRIER}
  local[1] += a[size.y - 1 - t.y][t.x];
  b[t.y * size.x + t.x] = local[1];
  {BARRIER}
  if (t.x == 200) return;
  out[at.y * width + at.x] = b[t.y * size.x + size.x - 1 - t.x] + local[0];
}}
template [[host_name("turn_float")]] kernel void turn<float>(device const float*, device float*, constant long&, uint2, uint2, uint2, uint);
template [[host_name("turn_int")]] [[kernel]] decltype(turn<int>) turn<int>;
"""


@pytest.mark.parametrize(("t", "dtype"), [("float", torch.float32), ("int", torch.int32)])
@pytest.mark.parametrize("checked", [False, True])
def test_values_live_on_behind_a_barrier(
    compile_: Compile, t: str, dtype: torch.dtype, checked: bool
) -> None:
    x = torch.randint(0, 100, (20, 24)).to(dtype)
    out = torch.zeros_like(x)
    library = compile_(PHASED, checked=checked)
    library.kernel("turn_" + t)(x, out, 3, threads=[24, 20], group_size=[8, 10])
    tiles = (3 * x).reshape(2, 10, 3, 8)
    assert torch.equal(out.reshape(2, 10, 3, 8), tiles.flip(1).flip(3) + 1 + tiles)
    assert library.findings == []


def test_a_split_kernel_reports_errors_at_their_place(compile_: Compile) -> None:
    source = f"{HEAD}\n  {BARRIER}\n  out[t] = nope;\n}}"
    with pytest.raises(SyntaxError) as raised:
        compile_(source)
    assert (raised.value.lineno, raised.value.offset) == (5, 12)


def test_an_instantiation_that_does_not_fit_is_refused(compile_: Compile) -> None:
    with pytest.raises(SyntaxError, match=r"no kernel `turn` has the parameters|does not match"):
        compile_(PHASED.replace("turn<float>(device const float*", "turn<float>(device const int*"))
