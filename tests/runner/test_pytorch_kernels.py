"""The kernel files of PyTorch 2.6 as they are: run what can be run, accuse nobody wrongly."""

from collections import Counter
from pathlib import Path

import pytest

from mkls.runner.requests import file_request

KERNELS = "aten/src/ATen/native/mps/kernels"
FILES = (
    "BinaryKernel", "Bucketization", "CrossKernel", "FusedOptimizerOps", "HistogramKernel",
    "Im2Col", "Indexing", "LinearAlgebra", "Quantized", "RenormKernel", "Repeat", "SpecialOps",
    "TriangularOps", "UnfoldBackward", "UpSample",
)  # fmt: skip


@pytest.fixture
def run(runner, pytorch_tree):
    def submit(name):
        path = Path(pytorch_tree) / KERNELS / f"{name}.metal"
        return runner.submit(file_request(path, Path(pytorch_tree))).result(timeout=180)

    return submit


@pytest.mark.parametrize("name", [it for it in FILES if it != "SpecialOps"])
def test_a_file_that_is_right_is_not_accused(run, name):
    report = run(name)

    assert {it.outcome for it in report.runs} <= {"passed", "skipped"}
    assert report.is_clean


def test_element_by_element_kernels_are_compared_without_any_directive(run):
    report = run("BinaryKernel")

    assert {it.outcome for it in report.runs} == {"passed"}
    assert all(it.verified for it in report.runs)
    assert Counter(it.functor for it in report.runs).keys() >= {
        "fmax", "fmin", "copysign", "nextafter_kernel", "complex_mul", "polar",
    }  # fmt: skip


def test_bessel_functions_in_half_are_wrong_where_their_exponential_overflows(run):
    """`i0` and `i1` of 2.6 compute in the input's own type: exp(11.1) is no `half` any more."""
    report = run("SpecialOps")

    wrong = {it.kernel for it in report.runs if it.outcome != "passed"}
    assert wrong == {"i0_half_half", "i1_half_half"}
    assert all(it.verified for it in report.runs)
