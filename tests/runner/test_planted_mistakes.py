"""Mistakes planted in kernels that are otherwise right must be found, and nothing else."""

import pytest

HEAD = """
#include <c10/metal/indexing.h>
#include <metal_stdlib>
using namespace metal;
using namespace c10::metal;
"""
ATAN2 = (
    HEAD
    + """
struct atan2_functor {
  template <typename T>
  inline T operator()(const T a, const T b) {
    return static_cast<T>(BODY);
  }
};
REGISTER_BINARY_OP(atan2, float, float);
"""
)
RIGHT = "precise::atan2(float(a), float(b))"


@pytest.mark.parametrize(
    "mistake",
    [
        "precise::atan2(float(b), float(a))",
        "precise::atan(float(a) / float(b))",
        "precise::atan2(float(half(a)), float(b))",
        "precise::atan2(float(a), float(b)) * 1.00001f",
        "precise::atan2(float(a), fabs(float(b)))",
        "isnan(a) ? 0.0f : precise::atan2(float(a), float(b))",
        "a == 0 ? 0.0f : precise::atan2(float(a), float(b))",
        "isinf(b) ? 0.0f : precise::atan2(float(a), float(b))",
    ],
)
def test_a_numerical_mistake_is_found(execute, mistake):
    report = execute(
        ATAN2.replace("BODY", mistake), kernels=("atan2_dense_float_float",), check=False
    )

    assert "mismatched" in {it.outcome for it in report.runs}


def test_the_right_functor_passes(execute):
    report = execute(ATAN2.replace("BODY", RIGHT), kernels=("atan2_dense_float_float",))

    assert {it.outcome for it in report.runs} == {"passed"}
    assert all(it.verified for it in report.runs)


@pytest.mark.parametrize(
    ("functor", "dtype", "body", "mistake"),
    [
        ("maximum", "float", "(isnan(a) || isnan(b)) ? T(NAN) : ::metal::max(a, b)",
         "::metal::max(a, b)"),
        ("fmax", "float", "fmax(a, b)",
         "(isnan(a) || isnan(b)) ? T(NAN) : ::metal::max(a, b)"),
        ("remainder", "int", "T(a % b + ((a % b != 0 && (a % b < 0) != (b < 0)) ? b : 0))",
         "a % b"),
        ("sub", "half", "T(a - b)", "T(b - a)"),
        ("bitwise_xor", "long", "T(a ^ b)", "T(a | b)"),
        ("mul", "long", "T(a * b)", "T(int(a) * int(b))"),
        ("copysign", "float", "copysign(a, b)", "b < 0 ? -fabs(a) : fabs(a)"),
        ("hypot", "float", "T(precise::sqrt(a * a + b * b))", "T(a + b)"),
    ],
)  # fmt: skip
def test_special_values_and_signs_matter(execute, functor, dtype, body, mistake):
    text = (
        HEAD
        + f"""
struct {functor}_functor {{
  template <typename T>
  inline T operator()(const T a, const T b) {{
    return BODY;
  }}
}};
REGISTER_BINARY_OP({functor}, {dtype}, {dtype});
"""
    )
    kernel = f"{functor}_dense_{dtype}_{dtype}"

    good = execute(text.replace("BODY", body), kernels=(kernel,), case="dense", check=False)
    bad = execute(text.replace("BODY", mistake), kernels=(kernel,), check=False)

    assert {it.outcome for it in good.runs} == {"passed"}
    assert "mismatched" in {it.outcome for it in bad.runs}


def test_a_wrong_index_in_a_reduction_is_found(execute):
    report = execute("""
#include <metal_stdlib>
using namespace metal;
// mkls-run: threads=512 group_size=128
// mkls-arg: input = randn(4, 128)
// mkls-arg: out = zeros(4)
// mkls-expect: out == input.sum(1)   (rtol=1e-4, atol=1e-4)
kernel void row_sum(device const float* input, device float* out,
                    uint i [[thread_position_in_grid]],
                    uint l [[thread_position_in_threadgroup]],
                    uint g [[threadgroup_position_in_grid]]) {
  threadgroup float shared[128];
  shared[l] = input[i];
  for (uint step = 64; step > 1; step /= 2) {
    threadgroup_barrier(mem_flags::mem_threadgroup);
    if (l < step) shared[l] += shared[l + step];
  }
  if (l == 0) out[g] = shared[0];
}
""")

    assert report.runs[0].outcome == "mismatched"


def test_a_checked_run_finds_what_results_do_not_show(execute):
    report = execute(
        """
#include <metal_stdlib>
using namespace metal;
// mkls-run: threads=64
// mkls-arg: input = randn(64)
// mkls-arg: out = zeros(64)
// mkls-expect: out == input
kernel void peek(device const float* input, device float* out,
                 uint i [[thread_position_in_grid]]) {
  out[i] = input[i] + 0 * input[i + 1];
}
""",
        check=True,
    )

    (run,) = report.runs
    assert run.outcome == "finding"
    assert run.findings[0].kind == "out-of-bounds-read"
    assert (run.findings[0].argument, run.findings[0].index) == ("input", 64)


def test_a_guess_that_does_not_fit_is_no_accusation(execute):
    report = execute("""
#include <metal_stdlib>
using namespace metal;
kernel void gather(device const float* table, device const int* index, device float* out,
                   constant uint& width, constant uint& base,
                   uint i [[thread_position_in_grid]]) {
  out[i] = table[(index[i] + base) * 4096 + i];
}
""")

    (run,) = report.runs
    assert run.outcome == "skipped"
    assert "guessed arguments do not fit" in run.message
    assert report.is_clean


def test_outputs_are_described_when_nothing_says_what_to_expect(execute):
    report = execute("""
#include <metal_stdlib>
using namespace metal;
kernel void fill(device half* out, uint i [[thread_position_in_grid]]) { out[i] = half(i); }
""")

    (run,) = report.runs
    assert run.outcome == "passed"
    assert not run.verified
    (output,) = run.outputs
    assert output.summary == "float16 [1024] = [0, 1, 2, 3, 4, 5, …], from 0 to 1023"


def test_a_struct_parameter_needs_its_author(execute):
    text = """
#include <metal_stdlib>
using namespace metal;
struct Params { int count; float scale; };
// mkls-arg: out = zeros(8)
DIRECTIVE// mkls-expect: out == 2.5
kernel void k(device float* out, constant Params& params, uint i [[thread_position_in_grid]]) {
  if (int(i) < params.count) out[i] = params.scale;
}
"""
    missing = execute(text.replace("DIRECTIVE", ""))
    given = execute(text.replace("DIRECTIVE", "// mkls-arg: params = (8, 2.5)\n"))

    assert missing.runs[0].outcome == "skipped"
    assert "`// mkls-arg: params = …`" in missing.runs[0].message
    assert given.runs[0].outcome == "passed"


def test_a_reference_compares_a_hand_written_kernel(execute):
    text = """
#include <metal_stdlib>
using namespace metal;
// mkls-arg: x = randn(100)
// mkls-arg: out = zeros(100)
// mkls-reference: torch.sigmoid
kernel void k(device const float* x, device float* out, uint i [[thread_position_in_grid]]) {
  out[i] = 1 / (1 + precise::exp(SIGN x[i]));
}
"""
    assert execute(text.replace("SIGN", "-")).runs[0].outcome == "passed"
    assert execute(text.replace("SIGN", "")).runs[0].outcome == "mismatched"


CUSTOM = (
    HEAD
    + """
struct my_gate_functor {
  template <typename T>
  inline T operator()(const T x) {
    return T(1 / (1 + precise::exp(-float(x))));
  }
};
DIRECTIVE
REGISTER_UNARY_OP(my_gate, float, float);
"""
)


def test_a_functor_of_ones_own_is_compared_with_the_reference_that_is_named(execute):
    def run(directive):
        text = CUSTOM.replace("DIRECTIVE", directive)
        return execute(text, kernels=("my_gate_dense_scalar_float_float",), check=False).runs

    without, right, wrong = (
        run(""),
        run("// mkls-reference: torch.sigmoid"),
        run("// mkls-reference: torch.tanh"),
    )

    assert "`// mkls-reference: torch.…`" in without[0].message
    assert not any(it.verified for it in without)
    assert {(it.outcome, it.verified) for it in right} == {("passed", True)}
    assert {it.outcome for it in wrong} == {"mismatched"}


def test_a_claim_above_a_registration_names_the_templates_own_parameters(execute):
    directive = "// mkls-expect: output == sigmoid(input)  (rtol=1e-4)"

    report = execute(CUSTOM.replace("DIRECTIVE", directive), check=False)

    strided = [it for it in report.runs if it.kernel == "my_gate_strided_float_float"]
    assert {(it.outcome, it.verified) for it in strided} == {("passed", True)}


def test_a_parameter_struct_of_a_family_is_given_as_alpha(execute):
    text = (
        HEAD
        + """
struct Bounds { float low; float high; };
typedef Bounds Bounds_float;
struct limit_functor {
  template <typename T>
  inline T operator()(const T x, const Bounds_float bounds) {
    return T(clamp(float(x), bounds.low, bounds.high));
  }
};
DIRECTIVE// mkls-expect: output == clamp(input, -1.5, 2)
REGISTER_UNARY_ALPHA_OP(limit, float, Bounds_float, float);
"""
    )
    missing = execute(text.replace("DIRECTIVE", ""), case="dense", check=False)
    given = execute(
        text.replace("DIRECTIVE", "// mkls-arg: alpha = (-1.5, 2.0)\n"), case="dense", check=False
    )

    assert {it.outcome for it in missing.runs} == {"skipped"}
    assert "`// mkls-arg: alpha = (…)`" in missing.runs[0].message
    assert {(it.outcome, it.verified) for it in given.runs} == {("passed", True)}
