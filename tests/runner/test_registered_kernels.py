"""Every kernel that the registration macros of torch 2.13 make, against torch's CPU operators."""

from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest

from mkls.runner.report import Report
from mkls.runner.request import OperatorQuestion
from mkls.runner.requests import file_request
from tests.support.pytorch import package_folder

SOURCE = Path(__file__).with_name("families.metal").read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def report(runner, tmp_path_factory) -> Report:
    folder = tmp_path_factory.mktemp("families")
    path = folder / "families.metal"
    path.write_text(SOURCE, encoding="utf-8")
    request = file_request(path, folder, (), package_folder("torch") / "include")
    # Unchecked: the observers have tests of their own, and this compiles some 250 kernels.
    return runner.submit(replace(request, check=False)).result(timeout=300)


def test_every_case_agrees_with_torch(report):
    wrong = [f"{it.kernel} {it.case}: {it.message}" for it in report.runs if it.outcome != "passed"]

    assert wrong == []


def test_every_case_was_compared(report):
    assert [it.case for it in report.runs if not it.verified] == []
    assert len(report.runs) > 1000


def test_every_registered_kernel_ran(report):
    kernels = {it.kernel for it in report.runs}
    expected = 16 * 6 + 2 + 12 * 13 + 1 + 2 * 12 + 3 * 4

    assert len(kernels) == expected


def test_every_layout_and_dtype_was_among_the_inputs(report):
    layouts = Counter(it.layout for it in report.runs)
    dtypes = Counter(it.dtype for it in report.runs)

    assert layouts.keys() == {
        "dense", "offset", "transposed", "transposed output", "step 2", "expanded", "broadcast",
        "scalar", "extremes",
    }  # fmt: skip
    assert {"float32", "float16", "bfloat16", "int64", "int32", "int16", "int8", "uint8", "bool",
            "complex64", "complex32", "uint16", "uint32", "uint64"} <= dtypes.keys()  # fmt: skip


@pytest.mark.parametrize("operator", ["atan2", "mul", "addcmul"])
def test_an_operator_is_run_as_its_host_function_would(execute, operator):
    question = OperatorQuestion(operator, "", (operator,))

    report = execute(SOURCE, operator=question, check=False)

    wrong = [f"{it.kernel} {it.case}: {it.message}" for it in report.runs if it.outcome != "passed"]
    assert wrong == []
    assert any("torch's sample" in it.case for it in report.runs)
    assert any("mixed" in it.case for it in report.runs)


def test_a_kernel_that_the_host_asks_for_in_vain_is_named(execute):
    # Mixed integers promote to float: an operator that turns integers into floats needs the
    # (float, float) registration too, or its host function fails on such inputs.
    lacking = SOURCE[: SOURCE.index("REGISTER_UNARY_OP(neg, float")]
    lacking += "REGISTER_BINARY_OP(atan2, int, float);\n"

    report = execute(lacking, operator=OperatorQuestion("atan2", "", ("atan2",)), check=False)

    missing = {it.kernel: it.message for it in report.runs if it.outcome == "skipped"}
    assert missing.keys() == {"atan2_dense_cast_float_float", "atan2_strided_cast_float_float"}
    assert all("which these files do not register" in message for message in missing.values())
    assert {it.outcome for it in report.runs} == {"passed", "skipped"}
