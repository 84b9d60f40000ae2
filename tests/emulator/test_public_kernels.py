"""Spellings that public kernel libraries use, each in a kernel of our own that shows its result."""

# ruff: noqa: E501  (Metal text reads best unbroken)

import pytest
import torch

from mkls.emulator.rewrite import TranslationUnit
from tests.emulator.kernels import Compile


def first(compile_: Compile, source: str, *arguments: object, **options: object) -> float:
    """What the kernel `f` stores first."""
    out = torch.zeros(4)
    compile_(source, **options).kernel("f")(out, *arguments, threads=1)
    return out[0].item()


def test_braces_fill_a_vector_from_the_front(compile_: Compile) -> None:
    source = """
    kernel void f(device float* out) {
      uint4 key = {1u, 2u, 4u};
      half2 pair{half(8)};
      float3 none = {};
      float4 halves = {float2(16, 32), float2(64, 128)};
      out[0] = float(key.x + key.y + key.z + key.w) + pair.y + none.z + halves.w;
    }"""
    assert first(compile_, source) == 7 + 8 + 128


def test_a_scope_of_ones_own_is_the_systems(compile_: Compile) -> None:
    source = """
    #ifndef __METAL_MEMORY_SCOPE_SYSTEM__
    namespace metal { constexpr constant thread_scope thread_scope_system = static_cast<thread_scope>(3); }
    #endif
    kernel void f(volatile coherent(system) device float* out) {
      out[0] = 5;
      atomic_thread_fence(mem_flags::mem_device, memory_order_seq_cst, thread_scope_system);
    }"""
    assert first(compile_, source) == 5


def test_hints_for_loops_may_use_macros(compile_: Compile) -> None:
    source = """
    #define SMALLER(a, b) ((a) < (b) ? (a) : (b))
    template <int n> float sum(device const float* x) {
      float total = 0;
      #pragma unroll (SMALLER(n, 2))
      for (int i = 0; i < n; ++i) total += x[i];
      #pragma unroll(n)
      for (int i = 0; i < n; ++i) total += x[i];
      return total;
    }
    kernel void f(device float* out, device const float* x) { out[0] = sum<3>(x); }"""
    assert first(compile_, source, torch.tensor([1.0, 2.0, 3.0])) == 12


def test_a_hint_stays_when_all_its_names_are_known() -> None:
    text = "template <int n> void g() {\n#pragma unroll(n)\nfor (int i = 0; i < n; ++i) {}\n}"
    lost = "void g() {\n#pragma unroll(MACRO)\nfor (;;) {}\n}"

    assert "#pragma unroll(n)" in TranslationUnit(text).rewritten((), {}).text
    assert "#pragma" not in TranslationUnit(lost).rewritten((), {}).text


def test_defaulted_constructors_may_repeat_for_every_address_space(compile_: Compile) -> None:
    source = """
    struct cell {
      float value;
      cell() thread = default;
      cell() threadgroup = default;
      cell() device = default;
      cell() constant = default;
      cell(float x) thread : value(x) {}
      float get() const thread { return value; }
    };
    kernel void f(device float* out) {
      threadgroup cell shared[2];
      shared[0] = cell(3.0f);
      out[0] = cell(shared[0]).get();
    }"""
    assert first(compile_, source) == 3


def test_arrays_are_buffers(compile_: Compile) -> None:
    source = """
    template <int n>
    kernel void f_(device float* out, constant const int shape[n], constant const long strides[2]) { out[0] = shape[n - 1] + strides[1]; }
    template [[host_name("f")]] kernel void f_<3>(device float* out, constant const int shape[3], constant const long strides[2]);
    """
    kernel = compile_(source).kernel("f")

    assert [(it.kind, it.index, it.access) for it in kernel.arguments[1:]] == [("buffer", 1, "read"), ("buffer", 2, "read")]  # fmt: skip
    shape = torch.tensor([1, 2, 3], dtype=torch.int32)
    assert first(compile_, source, shape, torch.tensor([10, 20])) == 23


@pytest.mark.parametrize(
    ("type_", "kind"),
    [
        ("texture2d<float>", "texture"),
        ("metal::texture2d<half, metal::access::write>", "texture"),
        ("depth2d<float>", "texture"),
        ("sampler", "sampler"),
        ("Unheard", "unknown"),
    ],
)
def test_textures_need_no_index(type_: str, kind: str) -> None:
    table = TranslationUnit(f"kernel void f({type_} what) {{}}").kernels
    assert table["f"].arguments[0].kind == kind


def test_a_branch_that_never_runs_may_turn_a_bfloat_into_an_index(compile_: Compile) -> None:
    source = """
    template <typename T, typename U, bool ARGUMENT, bool OTHER = true>
    void store(device U* out, T value, uint index) {
      if (ARGUMENT) { out[0] = index; } else { out[0] = value; }
      if (!OTHER) out[0] = value;
    }
    kernel void f(device float* out, device uint* indices) {
      store<bfloat, uint, true>(indices, bfloat(2.5f), 7);
      store<bfloat, float, false>(out, bfloat(2.5f), 7);
    }"""
    indices = torch.zeros(1, dtype=torch.int32)
    assert first(compile_, source, indices) == 2.5
    assert indices.item() == 7


def test_what_converts_to_bool_converts_to_bfloat(compile_: Compile) -> None:
    source = """
    struct no_mask { char unused; operator bool() const device { return true; } operator bool() const thread { return true; } };
    template <typename T> struct complex_of { T real; template <typename U, typename = enable_if_t<is_convertible_v<float, U> || is_convertible_v<bfloat, U>>> operator U() const { return U(real); } };
    template <typename T, typename M> T masked(T value, device const M* mask) { T scale = mask[0]; return value * scale * T(mask[0]); }
    kernel void f(device float* out, device const no_mask* mask) {
      complex_of<float> z = {4};
      bfloat real = z;
      out[0] = masked(bfloat(3.0f), mask) + masked(2.0f, mask) + real;
    }"""
    assert first(compile_, source, torch.zeros(1, dtype=torch.int8)) == 9


def test_limits_of_a_type_of_ones_own(compile_: Compile) -> None:
    source = """
    struct tiny { float value; };
    template <> struct metal::_numeric_limits_impl<tiny> : metal::_fp_numeric_limits_impl_base {
      static constexpr int digits = 3;
      static constexpr tiny max() { return {448}; }
    };
    kernel void f(device float* out) {
      out[0] = numeric_limits<tiny>::max().value + numeric_limits<tiny>::digits + numeric_limits<tiny>::has_infinity;
    }"""
    assert first(compile_, source) == 452


def test_a_file_may_hold_shaders_that_draw(compile_: Compile) -> None:
    source = """
    constexpr sampler nearest(mag_filter::nearest, s_address::repeat, compare_func::less, max_anisotropy(4), lod_clamp(0, 4));
    struct corner { float4 position [[position]]; float2 uv; };
    vertex corner draw(constant float4* places [[buffer(0)]], uint id [[vertex_id]]) { return {places[id], float2(0)}; }
    fragment half4 colour(corner in [[stage_in]], texture2d<half> image [[texture(0)]], depth2d<float> depth [[texture(1)]]) {
      if (in.uv.x < dfdx(in.uv.y)) discard_fragment();
      return image.sample(nearest, in.uv, level(0)) * half(depth.sample_compare(nearest, in.uv, 0.5f)) + image.gather(nearest, in.uv, int2(0), component::x);
    }
    kernel void f(device float* out, texture2d_array<float, access::read_write> pages [[texture(2)]]) {
      pages.write(float4(1), uint2(0), 0);
      pages.fence();
      out[0] = 6;
    }"""
    assert first(compile_, source) == 6


def test_what_is_blanked_as_a_duplicate_gets_no_attribute() -> None:
    members = "".join(
        f"float get() const {space} {{ return simd_sum(1.0f); }};\n"
        for space in ("thread", "threadgroup", "device")
    )
    kernel = "kernel void f(device float* out) { total x; out[0] = x.get(); }"
    unit = TranslationUnit(f"struct total {{\n{members}}};\n{kernel}")

    lines = unit.rewritten(["f"], {}).text.splitlines()

    assert "always_inline" in lines[1]
    assert [line.strip() for line in lines[2:4]] == [";", ";"]
