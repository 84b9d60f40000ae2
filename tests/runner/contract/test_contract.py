"""What every backend does alike: run on the emulator everywhere, on a Mac's GPU with `-m mps`."""

from dataclasses import replace
from pathlib import Path

import pytest

from mkls.runner.client import Runner
from mkls.runner.conversation import RunRefusedError
from mkls.runner.report import Report
from mkls.runner.requests import file_request
from tests.runner.conftest import only

HEAD = "#include <metal_stdlib>\nusing namespace metal;\n"


@pytest.fixture(params=["emulator", pytest.param("mps", marks=pytest.mark.mps)])
def run(request, runner: Runner, tmp_path: Path):
    """Run the kernels of a text on one backend."""

    def submit(text: str, headers: dict[str, str] | None = None, **options: object) -> Report:
        for name, content in (headers or {}).items():
            (tmp_path / name).write_text(content, encoding="utf-8")
        path = tmp_path / "kernels.metal"
        path.write_text(HEAD + text, encoding="utf-8")
        made = replace(file_request(path, tmp_path), backend=request.param, **options)
        return runner.submit(made).result(timeout=120)

    return submit


def test_the_backend_is_named(run):
    report = run("""
// mkls-arg: out = zeros(4)
kernel void k(device float* out, uint i [[thread_position_in_grid]]) { out[i] = 1; }
""")

    assert report.backend in ("emulator", "mps")


@pytest.mark.parametrize(
    ("metal", "dtype"),
    [
        ("float", "float32"),
        ("half", "float16"),
        ("bfloat", "bfloat16"),
        ("int", "int32"),
        ("long", "int64"),
        ("short", "int16"),
        ("char", "int8"),
        ("uchar", "uint8"),
        ("bool", "bool"),
    ],
)
def test_tensors_of_every_dtype_go_in_and_come_out(run, metal, dtype):
    report = run(f"""
// mkls-arg: input = arange(100).to({dtype})
// mkls-arg: out = zeros(100, dtype={dtype})
// mkls-expect: out == input
kernel void copy(device const {metal}* input, device {metal}* out,
                 uint i [[thread_position_in_grid]]) {{ out[i] = input[i]; }}
""")

    assert only(report).outcome == "passed"


def test_numbers_are_passed_in_the_type_of_the_parameter(run):
    report = run("""
// mkls-run: threads=1
// mkls-arg: out = zeros(9)
// mkls-arg: small = -3
// mkls-arg: big = 5000000000
// mkls-arg: factor = 0.5
// mkls-arg: flag = 1
// mkls-arg: pair = (7, 8)
// mkls-arg: triple = (1.5, 2.5, 3.5)
// mkls-expect: out == tensor([-3., 5000000000., 0.5, 1., 7., 8., 1.5, 2.5, 3.5])
kernel void k(device float* out, constant short& small, constant long& big,
              constant half& factor, constant bool& flag, constant uint2& pair,
              constant float3& triple) {
  out[0] = small; out[1] = big; out[2] = factor; out[3] = flag;
  out[4] = pair.x; out[5] = pair.y; out[6] = triple.x; out[7] = triple.y; out[8] = triple.z;
}
""")

    assert only(report).outcome == "passed"


def test_a_nil_buffer_is_nil(run):
    report = run(
        """
// mkls-run: threads=1
// mkls-arg: out = zeros(1)
// mkls-arg: maybe = None
// mkls-expect: out == 7
kernel void k(device float* out, device const float* maybe) { out[0] = maybe ? 1 : 7; }
""",
        check=False,
    )

    assert only(report).outcome == "passed"


def test_views_are_bound_where_they_begin(run):
    report = run("""
// mkls-run: threads=8
// mkls-arg: input = arange(20, dtype=float32)[5:]
// mkls-arg: out = zeros(16)[8:]
// mkls-expect: out == input[:8]
kernel void copy(device const float* input, device float* out,
                 uint i [[thread_position_in_grid]]) { out[i] = input[i]; }
""")

    assert only(report).outcome == "passed"


def test_grids_have_three_dimensions(run):
    report = run("""
// mkls-run: threads=4,3,2 group_size=2,3,1
// mkls-arg: out = zeros(24, dtype=int32)
// mkls-expect: out == arange(24)
kernel void k(device int* out, uint3 p [[thread_position_in_grid]],
              uint3 n [[threads_per_grid]]) {
  out[p.x + n.x * (p.y + n.y * p.z)] = p.x + 4 * (p.y + 3 * p.z);
}
""")

    assert only(report).outcome == "passed"


def test_threadgroups_share_memory(run):
    report = run("""
// mkls-run: threads=128 group_size=64
// mkls-arg: input = arange(128, dtype=float32)
// mkls-arg: out = zeros(128)
// mkls-expect: out == input.view(2, 64).flip(1).reshape(-1)
kernel void turn(device const float* input, device float* out,
                 uint i [[thread_position_in_grid]],
                 uint l [[thread_position_in_threadgroup]]) {
  threadgroup float shared[64];
  shared[l] = input[i];
  threadgroup_barrier(mem_flags::mem_threadgroup);
  out[i] = shared[63 - l];
}
""")

    assert only(report).outcome == "passed"


def test_simdgroups_and_atomics_work(run):
    report = run("""
// mkls-run: threads=256 group_size=64
// mkls-arg: out = zeros(2, dtype=int32)
// mkls-expect: out == tensor([256, 8], dtype=int32)
kernel void count(device atomic_int* out, uint lane [[thread_index_in_simdgroup]]) {
  int sum = simd_sum(1);
  if (lane == 0) {
    atomic_fetch_add_explicit(&out[0], sum, memory_order_relaxed);
    atomic_fetch_add_explicit(&out[1], 1, memory_order_relaxed);
  }
}
""")

    assert only(report).outcome == "passed"


def test_a_mismatch_names_element_and_values(run):
    run_ = only(
        run("""
// mkls-arg: input = arange(10, dtype=float32)
// mkls-arg: out = zeros(10)
// mkls-expect: out == input * 2
kernel void k(device const float* input, device float* out,
              uint i [[thread_position_in_grid]]) { out[i] = input[i] * (i == 7 ? 3 : 2); }
""")
    )

    assert run_.outcome == "mismatched"
    assert run_.mismatch is not None
    assert (run_.mismatch.index, run_.mismatch.expected, run_.mismatch.got) == ((7,), "14", "21")
    assert (run_.mismatch.count, run_.mismatch.total) == (1, 10)


def test_a_compile_error_is_at_its_token(run):
    run_ = only(run("// é🎉\nkernel void k(device float* out) { out[0] = undefined_name; }"))

    assert run_.outcome == "compile-error"
    problem = run_.problems[0]
    assert (problem.line, problem.column) == (4, 45)
    assert "undefined_name" in problem.message


def test_a_compile_error_in_a_header_names_the_header(run, tmp_path):
    run_ = only(run(
        '#include "helper.h"\nkernel void k(device float* out) { out[0] = helper(1.0f); }',
        {"helper.h": "#pragma once\ninline float helper(float x) {\n  return x + missing;\n}\n"},
    ))  # fmt: skip

    assert run_.outcome == "compile-error"
    problem = run_.problems[0]
    assert (problem.path, problem.line) == (str(tmp_path / "helper.h"), 3)
    assert "missing" in problem.message


def test_an_unsaved_header_wins_over_the_disks(run, tmp_path):
    header = tmp_path / "helper.h"
    report = run(
        '#include "helper.h"\n// mkls-arg: out = zeros(1)\n// mkls-expect: out == 2\n'
        "kernel void k(device float* out) { out[0] = VALUE; }",
        {"helper.h": "#define VALUE 1\n"},
        overlay={str(header): "#define VALUE 2\n"},
    )

    assert only(report).outcome == "passed"


def test_a_kernel_reports_its_own_errors(run):
    run_ = only(
        run("""
#include <c10/metal/error.h>
// mkls-arg: input = tensor([1, -2, 3], dtype=int32)
kernel void k(device const int* input, device c10::metal::ErrorMessages* errors,
              uint i [[thread_position_in_grid]]) {
  if (input[i] < 0) { TORCH_REPORT_ERROR(errors, "negative at ", i); }
}
""")
    )

    assert run_.outcome == "finding"
    (found,) = [it for it in run_.findings if it.kind == "device-error"]
    assert found.message == "negative at 1"


def test_a_threadgroup_that_is_too_large_is_refused(run):
    run_ = only(
        run("""
// mkls-run: threads=4096 group_size=4096
// mkls-arg: out = zeros(4096)
kernel void k(device float* out, uint i [[thread_position_in_grid]]) { out[i] = 1; }
""")
    )

    assert run_.outcome == "skipped"
    assert "1024" in run_.message


def test_kernels_are_chosen_by_host_name(run):
    text = """
template <typename T>
kernel void fill(device T* out, uint i [[thread_position_in_grid]]) { out[i] = T(3); }
template [[host_name("fill_half")]] kernel void fill<half>(device half*, uint);
template [[host_name("fill_float")]] kernel void fill<float>(device float*, uint);
"""
    report = run(text, kernels=("fill_float",))

    assert [it.kernel for it in report.runs] == ["fill_float"]
    with pytest.raises(RunRefusedError, match="fill_int"):
        run(text, kernels=("fill_int",))
