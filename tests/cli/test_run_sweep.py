"""`mkls run --sweep`: many sizes, the smallest failing one, and the command that repeats it."""

import shlex
from pathlib import Path

import pytest

from mkls.runner.request import Launch
from mkls.runner.sizes import Size, resized, size_of, smaller, variants
from tests.cli.test_run import call

HEAD = "#include <metal_stdlib>\nusing namespace metal;\n"
TAIL = """
// mkls-run: threads=256 group_size=64
// mkls-arg: input = randn(256)
// mkls-arg: output = zeros(256)
// mkls-expect: output == input * 2
kernel void twice(device const float* input, device float* output,
                  uint tid [[thread_position_in_grid]], uint n [[threads_per_grid]]) {
  uint first = tid / 4 * 4;
  if (tid == first)
    for (uint k = first; k < first + 4; k++) output[k] = input[k] * 2;
}
"""
GROUPS = """
// mkls-run: threads=256 group_size=64
// mkls-arg: input = ones(256)
// mkls-arg: output = zeros(256)
kernel void total(device const float* input, device float* output,
                  uint i [[thread_position_in_grid]],
                  uint t [[thread_position_in_threadgroup]], uint n [[threads_per_threadgroup]]) {
  threadgroup float x[1024];
  x[t] = input[i];
  threadgroup_barrier(mem_flags::mem_threadgroup);
  for (uint s = n / 2; s > 0; s /= 2) {
    if (t < s) x[t] += x[t + s];
    threadgroup_barrier(mem_flags::mem_threadgroup);
  }
  output[i] = x[t / 64];
}
"""


@pytest.fixture
def kernel_file(tmp_path: Path) -> Path:
    return tmp_path / "kernel.metal"


def test_a_size_that_is_no_multiple_shows_and_the_command_repeats_it(
    kernel_file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    kernel_file.write_text(HEAD + TAIL)
    assert call(kernel_file, "--backend", "emulator") == 0
    capsys.readouterr()

    assert call(kernel_file, "--sweep", "--backend", "emulator") == 1
    shown = capsys.readouterr()
    assert "out-of-bounds-write" in shown.out
    assert "`output`, buffer 1, element 1 of 1" in shown.out
    (command,) = (line for line in shown.err.split("\n") if line.startswith("  mkls run"))
    words = shlex.split(command)
    assert words[words.index("--threads") + 1] == "1"

    assert call(*words[2:], "--backend", "emulator") == 1
    assert "out-of-bounds-write" in capsys.readouterr().out


def test_a_kernel_that_takes_every_size_is_clean(
    kernel_file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    kernel_file.write_text(HEAD + GROUPS)
    assert call(kernel_file, "--sweep", "--backend", "emulator") == 0
    assert "finding" not in capsys.readouterr().out


def test_a_kernel_that_nobody_launches_cannot_be_swept(
    kernel_file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    kernel_file.write_text(HEAD + "kernel void k(device float* x) { *x = 1; }")
    assert call(kernel_file, "--sweep", "--backend", "emulator") == 2
    assert "--sweep varies a launch" in capsys.readouterr().err


def test_numbers_that_equal_the_threads_follow_the_size() -> None:
    size = Size((64,), (32,), (("x", "randn(64, 8)"), ("y", "x[:64] * 1.64"), ("n", "64")))
    assert resized(size, 65).arguments == (
        ("x", "randn(65, 8)"),
        ("y", "x[:65] * 1.64"),
        ("n", "65"),
    )


def test_the_variants_hold_odd_groups_and_the_neighbours_of_powers_of_two() -> None:
    launch = Launch(threads="256", group_size="64", arguments=(("x", "randn(256)"),))
    size = size_of(launch)
    assert size is not None
    tried = list(variants(size))
    assert {1, 31, 33, 100, 1024} <= {it.group_size[0] for it in tried if it.group_size}
    assert {1, 31, 33, 127, 129, 255, 257} <= {it.threads[0] for it in tried}
    assert len(tried) == len(set(tried))


def test_smaller_launches_come_smallest_first() -> None:
    counts = [it.threads[0] for it in smaller(Size((64,), None, ()))]
    assert counts == sorted(counts)
    assert counts[0] == 1
    assert counts[-1] == 63


def test_the_first_tensor_gives_the_threads_that_nobody_did() -> None:
    launch = Launch(arguments=(("x", "randn(48)"), ("y", "zeros(9)")))
    assert size_of(launch) == Size((48,), None, (("x", "randn(48)"), ("y", "zeros(9)")))
    assert size_of(Launch()) is None
