"""What is shown over each kind of thing."""

import pytest

from tests.features.ripple import with_cursor
from tests.support.features import hovered


def test_a_row_tells_how_every_overload_runs_on_mps():
    assert hovered(with_cursor("func: rip", "ple(")) == (
        "**`ripple`** on MPS: `ripple.out` → `ripple_out`, shared with CPU, CUDA\n"
        "\n"
        "`ripple_out` is defined in Ripple.cpp:2.\n"
        "\n"
        "It calls `ripple_stub`, registered for MPS in Ripple.mm:4.\n"
        "\n"
        "2 kernels for float, half: `ripple_float`, `ripple_half`\n"
        "\n"
        "| overloads of `ripple` | on MPS                              | runs               |\n"
        "| --------------------- | ----------------------------------- | ------------------ |\n"
        "| **`ripple`**          | `ripple.out` → `ripple_out`, shared | Metal: float, half |\n"
        "| `ripple.out`          | `ripple_out`, shared                | Metal: float, half |\n"
        "| `ripple.Scalar`       | CompositeImplicitAutograd           |                    |\n"
        "| `ripple_.Scalar`      | nothing                             |                    |"
    )


def test_a_row_alone_needs_no_table():
    assert hovered(with_cursor("- func: wa", "ve(")) == (
        "**`wave`** on MPS: `wave_mps`\n\n`wave_mps` is defined in Ripple.mm:5."
    )


def test_a_delegate_tells_of_the_row_that_it_names():
    text = hovered(with_cursor("structured_delegate: rip", "ple.out"))

    assert text.startswith("**`ripple.out`** on MPS: `ripple_out`, shared with CPU, CUDA")


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        ("CPU, CUDA, M", "PS: ripple_out", "**`MPS`** (dispatch key)"),
        ("structured_in", "herits", "**`structured_inherits`**"),
        ("CPU, CUDA, MPS: ripple", "_out", "**`ripple_out`** for CPU, CUDA, MPS"),
        ("MPS: wave", "_mps", "**`wave_mps`** for MPS"),
    ],
)
def test_the_words_of_a_row(before, after, expected):
    assert hovered(with_cursor(before, after)).splitlines()[0] == expected


def test_a_stub_tells_where_it_is_declared_defined_and_registered():
    assert hovered(with_cursor("DEFINE_DISPATCH(ripple", "_stub)")) == (
        "**`ripple_stub`** (dispatch stub, a `structured_unary_fn`)\n"
        "\n"
        "- declared in Ripple.h:1\n"
        "- defined in Ripple.cpp:1\n"
        "- registered for MPS in Ripple.mm:4 as `ripple_mps_kernel`"
    )


def test_a_host_function_tells_what_it_serves():
    assert "registered for `ripple_stub` on MPS" in hovered(
        with_cursor("static void ripple_mps", "_kernel")
    )
    assert "serves `wave`" in hovered(with_cursor("Tensor wave", "_mps("))


def test_a_lookup_tells_which_kernels_it_may_mean():
    assert hovered(with_cursor('getPipelineStateForFunc("rip', 'ple_"')) == (
        "`getPipelineStateForFunc` asks for **`ripple_{dtype}`**\n"
        "\n"
        "2 kernels: `ripple_float`, `ripple_half`\n"
        "\n"
        "serves `ripple.out`"
    )


def test_a_lookup_without_a_kernel_says_so():
    text = hovered("""
//- kernels/Wave.metal
kernel void wave(device float* out [[buffer(0)]]) {}

//- operations/Wave.mm
void wave() { lib.getPipelineStateForFunc("wa$0ves"); }
""")

    assert text.endswith("No Metal source has such a kernel.")


def test_a_registration_tells_its_names_who_asks_and_the_arguments():
    assert hovered(with_cursor("REGISTER(rip", "ple, float)")) == (
        "**2 kernels**: `ripple_float`, `ripple_again_float`\n"
        "\n"
        "asked for by `ripple_mps_kernel` (Ripple.mm:2)\n"
        "\n"
        "serves `ripple.out`\n"
        "\n"
        "| #   | type               | name    | kind                    | access |\n"
        "| --- | ------------------ | ------- | ----------------------- | ------ |\n"
        "| 0   | `device float *`   | `out`   | buffer                  | write  |\n"
        "| 1   | `constant float *` | `in`    | buffer                  | read   |\n"
        "|     | `uint`             | `index` | thread_position_in_grid |        |"
    )


def test_a_registration_macro_tells_the_names_that_it_makes():
    text = hovered(with_cursor("REGI", "STER(ripple, float)"))

    assert "- `{NAME}_{T}`\n- `{NAME}_again_{T}`" in text
    assert "here: `ripple_float`, `ripple_again_float`" in text


def test_a_template_and_a_functor_tell_what_is_registered_from_them():
    names = "`ripple_float`, `ripple_again_float`, `ripple_half`, `ripple_again_half`"

    assert f"registered as {names}" in hovered(with_cursor("kernel void un", "ary(device"))
    assert f"registered as {names}" in hovered(with_cursor("struct rip", "ple_functor"))


def test_a_code_in_a_comment_shows_its_page():
    text = hovered(with_cursor("ignore[duplicate-", "host-name]"))

    assert text.startswith("**`duplicate-host-name`** (error)\n\nTwo kernels")
    assert "## Why is this bad?" in text


def test_a_group_in_a_comment_lists_its_rules():
    text = hovered("//- kernels/Wave.metal\n// mkls: ignore[kernel$0-name]\n")

    assert "- `duplicate-host-name`: " in text


def test_where_there_is_nothing_to_tell_nothing_is_shown():
    assert hovered("//- kernels/Wave.metal\n// $0nothing\n") == ""
    assert hovered("//- aten/src/ATen/native/native_functions.yaml\n$0\n") == ""


LIBRARY = """
//- kernels/Drift.metal
kernel void drift(device float* out [[buffer(0)]], constant uint3& sizes,
                  uint tid [[thread_position_in_grid]]) {
  // fma
  out[tid] = metal::max(out[tid], c10::metal::max(1.0f, float(sizes.x)));
  threadgroup_barrier(mem_flags::mem_device);
  other.max(1);
}

//- operations/Drift.mm
void drift(const Tensor& self) {
  auto pso = lib.getPipelineStateForFunc("drift");
  [encoder setComputePipelineState:pso];
  mtl_setArgs(encoder, self, sizes);
  mtl_dispatch1DJob(encoder, pso, self.numel());
}
"""


def over(before, after):
    assert LIBRARY.count(before + after) == 1
    return hovered(LIBRARY.replace(before + after, f"{before}$0{after}"))


def test_a_function_of_the_library_shows_its_signatures_and_the_section():
    text = over("threadgroup_", "barrier(mem")

    assert text.startswith("```cpp\nvoid threadgroup_barrier(mem_flags flags)\n")
    assert "*MSL, section 6.9.1 (" in text


def test_a_qualifier_tells_metal_s_function_from_pytorch_s():
    assert "*MSL, section 6.3" in over("= metal::", "max(out")
    assert "*c10/metal/utils.h*" in over("c10::metal::", "max(1.0f")


def test_a_member_and_a_comment_are_no_functions_of_the_library():
    assert over("other.m", "ax(1)") == ""
    assert over("// f", "ma") == ""


def test_attributes_and_address_spaces_are_explained():
    assert over("[[thread_position_", "in_grid]]").startswith("**`[[thread_position_in_grid]]`**")
    assert over("cons", "tant uint3&").startswith("**`constant`** (qualifier)")


def test_a_parameter_tells_its_number_its_size_and_who_binds_it():
    assert over("uint3& si", "zes,") == (
        "```cpp\nconstant uint3 & sizes\n```\n"
        "\n"
        "buffer **1** of kernel `drift`, the lowest free number, only read\n"
        "\n"
        "16 bytes: a vector of three takes the space of four\n"
        "\n"
        "bound by\n"
        "\n"
        "- `sizes` in Drift.mm:4"
    )
    assert "buffer **0** of kernel `drift`" in over("out[tid] = metal::max(o", "ut[tid]")
    assert over("uint t", "id [[").startswith(
        "```cpp\nuint tid\n```\n\n`[[thread_position_in_grid]]`"
    )


def test_the_host_s_functions_are_explained():
    assert "under the numbers idx, idx + 1" in over("mtl_set", "Args(")
    assert "The size of threadgroups depends" in over("mtl_dispatch", "1DJob(")


def test_signatures_are_those_of_the_checkout_s_headers():
    text = hovered("""
//- aten/src/ATen/native/mps/OperationUtils.h
static inline void mtl_setArgs(encoder_t encoder, const Args&... values);
//- operations/Drift.mm
void drift(const Tensor& self) { mtl_set$0Args(encoder, self); }
""")

    assert text.startswith(
        "```cpp\nvoid mtl_setArgs(encoder_t encoder, const Args&... values)\n```"
    )


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("- func: rise(Te$0nsor self) -> Tensor", "**`Tensor`** (type of a schema)"),
        ("- func: rise(Tensor self, Sym$0Int n) -> Tensor", "**`SymInt`** (type of a schema)"),
        (
            "- func: rise(Tensor self) -> Tensor\n  tags: [core, point$0wise]",
            "**`pointwise`** (tag)",
        ),
    ],
)
def test_types_and_tags_are_explained(line, expected):
    source = f"//- aten/src/ATen/native/native_functions.yaml\n{line}\n"

    assert hovered(source).splitlines()[0] == expected


def test_kernels_of_one_macro_that_take_other_things_are_told_apart():
    text = hovered("""
//- kernels/Ebb.metal
#define BOTH(T) \\
  kernel void ebb_##T(device T* out) {} \\
  kernel void flow_##T(device T* out, constant T* in) {}
BO$0TH(float);
BOTH(half);
""")

    assert text.endswith("- `ebb_{dtype}`: 0 out\n- `flow_{dtype}`: 0 out, 1 in")


def test_kernels_that_differ_in_types_alone_show_those_of_the_first():
    text = hovered("""
//- kernels/Ebb.metal
#define ALL(NAME) \\
  kernel void NAME##_float(device float* out) {} \\
  kernel void NAME##_half(device half* out) {}
AL$0L(ebb);
""")

    assert "`ebb_float` takes\n\n| #   | type             | name  |" in text
