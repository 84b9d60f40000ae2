"""Kernels whose barriers are statements of their body run without fibers, and to the same effect."""

# ruff: noqa: E501  (Metal text and tables of cases read best unbroken)

import pytest
import torch

from mkls.emulator.rewrite import TranslationUnit
from tests.emulator.kernels import Compile

BARRIER = "threadgroup_barrier(mem_flags::mem_threadgroup);"
HEAD = "kernel void f(device float* out, constant float& s, uint t [[thread_position_in_threadgroup]]) {"


@pytest.mark.parametrize(
    ("body", "mode"),
    [
        ("out[t] = s;", "independent"),
        (f"threadgroup float b[4]; b[t] = s; {BARRIER} out[t] = b[3 - t];", "phased"),
        ("metal::threadgroup_barrier(metal::mem_flags::mem_none);", "phased"),
        (f"float x = s; {BARRIER} x += 1; {BARRIER} out[t] = x; return;", "phased"),
        (f"if (t > 2) return; {BARRIER}", "cooperative"),
        (f"if (t > 2) {{ {BARRIER} }}", "cooperative"),
        (f"for (int i = 0; i < 3; i++) {{ {BARRIER} }}", "cooperative"),
        (f"float x = simd_sum(s); {BARRIER} out[t] = x;", "cooperative"),
        (f"float x = s; float* p = &x; {BARRIER} out[t] = *p;", "cooperative"),
        (f"float a[2]; thread float* p = a; {BARRIER} out[t] = *p;", "cooperative"),
        (f"float x = s; float& y = x; {BARRIER} out[t] = y;", "cooperative"),
        (f"float x = s; auto&& y = x; {BARRIER} out[t] = y;", "cooperative"),
        (f"float x = s; auto f = [&]() {{ x++; }}; {BARRIER} f();", "cooperative"),
        (f"device float* p = &out[t]; {BARRIER} *p = s;", "phased"),
        (f"bool both = t > 1 && s > 2; int m = t & 3; {BARRIER} out[t] = both + m;", "phased"),
    ],
)
def test_which_kernels_are_split(body: str, mode: str) -> None:
    assert TranslationUnit(f"{HEAD} {body} }}").mode("f") == mode


def test_a_kernel_that_others_call_is_not_split() -> None:
    text = f"{HEAD} {BARRIER} }} kernel void g(device float* out, constant float& s) {{ f(out, s, 0); }}"
    assert TranslationUnit(text).mode("f") == "cooperative"


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
    with pytest.raises(
        SyntaxError, match=r"parameters of this instantiation|no matching|does not match"
    ):
        compile_(PHASED.replace("turn<float>(device const float*", "turn<float>(device const int*"))
