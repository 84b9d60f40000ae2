"""`mkls run`: what it prints, what it returns, how it is called wrongly."""

import argparse
import json
import sys
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest

from mkls.cli import run as command
from mkls.cli.main import UsageError
from mkls.cli.run_table import render
from mkls.cli.style import PLAIN, Style
from mkls.runner.client import Runner
from mkls.runner.report import Mismatch, Report, Run
from mkls.runner.settings import WorkerSettings

TWICE = """\
#include <metal_stdlib>
using namespace metal;

// mkls-run: threads=100 group_size=50
// mkls-arg: input = randn(100)
// mkls-arg: output = zeros(100)
// mkls-expect: output == input * 2   (rtol=1e-5)
kernel void twice(device const float* input, device float* output,
                  uint tid [[thread_position_in_grid]]) {
  output[tid] = input[tid] * 2;
}
"""
FACTOR = "input[tid] * 2;"


def call(*arguments: object) -> int:
    """Call the command as `mkls` does."""
    parser = argparse.ArgumentParser()
    command.configure(parser)
    try:
        return command.run(parser.parse_args([*map(str, arguments)]))
    except UsageError as error:
        print(f"mkls run: {error}", file=sys.stderr)
        return 2


class Warm:
    """Stands in for the command's own runner, to spare each test a worker's start."""

    def __init__(self, shared: Runner, settings: WorkerSettings) -> None:
        self._own = None if settings == WorkerSettings() else Runner(settings)
        self._shared = shared

    def __enter__(self) -> Runner:
        return self._own or self._shared

    def __exit__(self, *_exception: object) -> None:
        if self._own:
            self._own.close()


@pytest.fixture(scope="session")
def shared() -> Iterator[Runner]:
    with Runner() as runner:
        yield runner


@pytest.fixture
def warm(shared, monkeypatch) -> None:
    monkeypatch.setattr(command, "Runner", partial(Warm, shared))


@pytest.fixture
def source(tmp_path: Path, monkeypatch, shared) -> Path:
    monkeypatch.setattr(command, "Runner", partial(Warm, shared))
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "twice.metal"
    path.write_text(TWICE, encoding="utf-8")
    return path


def test_the_command_starts_and_ends_its_own_worker(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "twice.metal").write_text(TWICE, encoding="utf-8")

    assert call("twice.metal") == 0
    assert "✓ twice" in capsys.readouterr().out


@pytest.mark.usefixtures("source")
def test_a_right_kernel_is_a_line_of_the_table_and_status_zero(capsys):
    assert call("twice.metal") == 0

    streams = capsys.readouterr()
    assert "✓ twice" in streams.out
    assert "1 compared, all agree" in streams.err


def test_a_wrong_kernel_is_shown_with_its_first_element_and_status_one(source, capsys):
    source.write_text(TWICE.replace(FACTOR, "input[tid] * 2 + (tid == 7);"), encoding="utf-8")

    assert call("twice.metal") == 1

    streams = capsys.readouterr()
    assert "✗ twice" in streams.out
    assert "1 of 100 differ; first at [7]" in streams.out
    assert "--> twice.metal:8" in streams.out
    assert "1 of 1 case of 1 kernel" in streams.err


def test_a_finding_shows_the_line_and_points_at_the_access(source, capsys):
    source.write_text(TWICE.replace("output[tid]", "output[tid + 1]"), encoding="utf-8")

    assert call("twice.metal", "--check") == 1

    lines = capsys.readouterr().out.splitlines()
    row = next(n for n, line in enumerate(lines) if "out-of-bounds-write" in line)
    assert "`output`[100]" in lines[row]
    assert lines[row + 1].strip() == "in twice (as directed)"
    assert lines[row + 2].strip() == "by thread (99, 0, 0) of threadgroup (1, 0, 0), lane 17"
    assert lines[row + 3].strip() == "at `output`, buffer 1, element 100 of 100"
    assert "--> twice.metal:10:" in lines[row + 4]
    assert "output[tid + 1] = input[tid] * 2;" in lines[row + 5]
    assert lines[row + 6].rstrip().endswith("^")


def test_json_is_as_documented(source, capsys):
    source.write_text(TWICE.replace("output[tid]", "output[tid + 1]"), encoding="utf-8")

    assert call("twice.metal", "--check", "--output-format", "json") == 1

    streams = capsys.readouterr()
    result = json.loads(streams.out)
    assert streams.err == ""
    assert (result["backend"], result["file"]) == ("emulator", "twice.metal")
    (run,) = result["runs"]
    assert run["kernel"] == "twice"
    assert run["outcome"] in ("finding", "mismatched")
    assert {"case", "milliseconds", "max_abs_error", "max_ulp", "message"} <= run.keys()
    (found,) = [it for it in run["findings"] if it["kind"] == "out-of-bounds-write"]
    assert (found["path"], found["line"]) == ("twice.metal", 10)
    assert found["thread"] == [99, 0, 0]
    assert found["threadgroup"] == [1, 0, 0]
    assert (found["buffer"], found["argument"]) == (1, "output")
    assert (found["index"], found["length"], found["count"]) == (100, 100, 1)


def test_a_compile_error_has_status_one_and_its_place(source, capsys):
    source.write_text(TWICE.replace(FACTOR, "undefined_name;"), encoding="utf-8")

    assert call("twice.metal") == 1

    streams = capsys.readouterr()
    assert "error: use of undeclared identifier 'undefined_name'" in streams.out
    assert "--> twice.metal:10:17" in streams.out
    assert "does not compile" in streams.err


@pytest.mark.usefixtures("source")
def test_arguments_of_the_call_win_over_the_files():
    given = (
        "--arg",
        "input=ones(8)",
        "--arg",
        "output=zeros(8)",
        "--threads",
        "8",
        "--group-size",
        "4",
    )

    assert call("twice.metal", *given, "--expect", "output == 2") == 0
    assert call("twice.metal", *given, "--expect", "output == 3") == 1


@pytest.mark.usefixtures("source")
def test_the_file_may_stand_behind_the_kernels():
    assert call("--kernel", "twice", "twice.metal") == 0


@pytest.mark.usefixtures("source")
@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((), "name either a FILE or an operator"),
        (("missing.metal",), "missing.metal: no such file"),
        (("twice.metal", "--kernel", "twic"), "no kernel `twic`; did you mean `twice`?"),
        (("twice.metal", "--arg", "input"), "expected NAME=EXPR"),
        (("twice.metal", "--arg", "inputs=ones(3)"), "no kernel of the file has such an argument"),
        (("twice.metal", "--arg", "input=open('x')"), "the function `open` is not allowed here"),
        (("twice.metal", "--expect", "output.data == 1"), "the attribute `data` is not allowed"),
        (("twice.metal", "--threads", "a,b"), "expected one to three numbers"),
        (("twice.metal", "--backend", "mps"), "torch has no MPS device here"),
        (("twice.metal", "--python", "/no/such/python"), "cannot start `/no/such/python`"),
    ],
)  # fmt: skip
def test_a_wrong_call_has_status_two_and_one_message(capsys, arguments, message):
    assert call(*arguments) == 2

    streams = capsys.readouterr()
    assert streams.out == ""
    assert message in streams.err


def test_a_bad_directive_is_refused_where_it_stands(source, capsys):
    source.write_text(TWICE.replace("randn(100)", "open('x')"), encoding="utf-8")

    assert call("twice.metal") == 2
    assert "twice.metal:5:22: the function `open` is not allowed here" in capsys.readouterr().err


@pytest.mark.usefixtures("warm")
def test_an_operator_of_a_checkout_runs_against_torch(pytorch_tree, capsys):
    assert call("--op", "fmax", "--root", pytorch_tree, "--output-format", "json") == 0

    result = json.loads(capsys.readouterr().out)
    assert result["file"].endswith("BinaryKernel.metal")
    assert {it["kernel"] for it in result["runs"]} == {"fmax_float", "fmax_half", "fmax_bfloat"}
    assert all(it["outcome"] == "passed" and it["verified"] for it in result["runs"])


def test_an_operator_without_kernels_has_status_two(pytorch_tree, capsys):
    assert call("--op", "fmaxx", "--root", pytorch_tree) == 2
    assert "registers a kernel for `fmaxx`; did you mean fmax" in capsys.readouterr().err


def failing(count: int) -> Report:
    run = Run(
        "a_kernel_with_a_very_long_name_that_does_not_fit_into_the_column_dense_float_float",
        "dense float32 [1027]", "mismatched", 1.25, 0.5, 123456789,
        message="3 of 1027 differ; first at [5]: expected 1.5, got 2.5",
        mismatch=Mismatch("out", (5,), "1.5", "2.5", 3, 1027), verified=True,
    )  # fmt: skip
    return Report("emulator", "k.metal", (run,) * count)


def test_the_table_fits_into_eighty_columns():
    rows = [it for it in render(failing(1), PLAIN).splitlines() if it.startswith(("✗", "  kernel"))]

    assert len(rows) == 2
    assert max(map(len, rows)) <= 80


def test_many_failures_are_cut_short():
    text = render(failing(50), PLAIN)

    assert text.count("wrong: a_kernel") == 8
    assert "and 42 more" in text


def test_colours_are_used_only_when_wanted():
    assert "\033[" in render(failing(1), Style(coloured=True))
    assert "\033[" not in render(failing(1), PLAIN)
