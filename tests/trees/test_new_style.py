"""The sample tree is a PyTorch tree: torchgen reads it, its kernels compile and compute."""

from pathlib import Path

import pytest
import torch
from torchgen.gen import get_grouped_native_functions, parse_native_yaml

from mkls.emulator.library import compile_source
from mkls.features.diagnostics import all_findings
from mkls.session.config import Config
from mkls.session.loading import load_workspace
from tests.support.trees import ATEN, WRITTEN, metal_sources

NATIVE = ATEN / "native"
MOST_KERNELS = 24
"""How many kernels of one source are compiled here: enough for each macro to be expanded once."""


def library(root: Path, stem: str, kernels: tuple[str, ...]):
    path = root / NATIVE / "mps/kernels" / f"{stem}.metal"
    folders = (str(root), str(root / "aten/src"))
    return compile_source(
        path.read_text(encoding="utf-8"), filename=path.name, include_dirs=folders, kernels=kernels
    )


def test_mkls_finds_nothing(new_style_tree):
    snapshot = load_workspace(new_style_tree, Config()).snapshot()

    found = all_findings(snapshot, snapshot.sources)

    assert [(it.uri.rpartition("/")[2], it.rule.code, it.diagnostic.message) for it in found] == []


def test_torchgen_reads_the_rows(new_style_tree):
    folder = new_style_tree / NATIVE
    text = (folder / "native_functions.yaml").read_text(encoding="utf-8")

    parsed = parse_native_yaml(str(folder / "native_functions.yaml"), str(folder / "tags.yaml"))

    written = [it for it in parsed.native_functions if "generated" not in it.tags]
    assert len(written) == text.count("\n- func: ")
    assert get_grouped_native_functions(parsed.native_functions)


@pytest.mark.parametrize("stem", [it.stem for it in metal_sources(WRITTEN)])
def test_its_kernels_compile(new_style_tree, stem):
    names = library(new_style_tree, stem, ()).host_names()
    step = max(1, len(names) // MOST_KERNELS)

    made = library(new_style_tree, stem, names[::step])

    assert names
    assert made.kernel(names[0]).arguments


def test_unary_kernels_agree_with_torch(new_style_tree):
    exp, logit = "exp_dense_scalar_float_float", "logit_dense_float_float_float"
    made = library(new_style_tree, "UnaryKernel", (exp, logit, "abs_dense_scalar_int_int"))
    values, out = torch.rand(1027), torch.zeros(1027)
    numbers = torch.arange(-50, 50, dtype=torch.int32)
    absolute = torch.zeros_like(numbers)

    made.kernel(exp)(out, values)
    torch.testing.assert_close(out, values.exp())
    made.kernel(logit)(out, values, 0.1)
    torch.testing.assert_close(out, values.logit(0.1), rtol=1e-5, atol=1e-5)
    made.kernel("abs_dense_scalar_int_int")(absolute, numbers)
    assert torch.equal(absolute, numbers.abs())


def test_binary_kernels_agree_with_torch(new_style_tree):
    maximum, fmax = "maximum_dense_float_float", "fmax_dense_float_float"
    sub = "sub_alpha_dense_float_float_float"
    made = library(new_style_tree, "BinaryKernel", (maximum, fmax, sub))
    left, right, out = torch.randn(1027), torch.randn(1027), torch.zeros(1027)
    right[3] = float("nan")

    made.kernel(maximum)(out, left, right)
    torch.testing.assert_close(out, torch.maximum(left, right), equal_nan=True)
    made.kernel(fmax)(out, left, right)
    torch.testing.assert_close(out, torch.fmax(left, right))
    made.kernel(sub)(out, left, right, 2.5)
    torch.testing.assert_close(out, torch.sub(left, right, alpha=2.5), equal_nan=True)


def test_ternary_kernels_agree_with_torch(new_style_tree):
    made = library(
        new_style_tree, "TernaryKernel", ("lerp_dense_float_float", "where_strided_float")
    )
    start, end, weight, out = (torch.randn(999) for _ in range(4))
    condition = torch.rand(4, 5) > 0.5
    chosen, other, picked = (torch.randn(4, 5) for _ in range(3))
    strides = [1, 5]

    made.kernel("lerp_dense_float_float")(out, start, end, weight)
    torch.testing.assert_close(out, torch.lerp(start, end, weight))
    where = made.kernel("where_strided_float")
    where(picked, condition, chosen, other, [5, 4], strides, strides, strides, strides, 2)
    assert torch.equal(picked, torch.where(condition, chosen, other))


def test_a_matrix_product_agrees_with_torch(new_style_tree):
    made = library(new_style_tree, "LinearAlgebra", ("matmul_float",))
    left, right, out = torch.randn(33, 20), torch.randn(20, 45), torch.zeros(33, 45)

    made.kernel("matmul_float")(
        left, right, out, [20, 1, 45, 1, 45, 1], [33, 45, 20, 0],
        threads=[48, 48], group_size=[16, 16], arg_casts={4: "int32"},
    )  # fmt: skip

    torch.testing.assert_close(out, left @ right)


def test_reductions_agree_with_torch(new_style_tree):
    made = library(new_style_tree, "ReduceOps", ("sum_float_float", "argmax_float"))
    rows = torch.randn(7, 300)
    sums, indices = torch.zeros(7), torch.zeros(7, dtype=torch.long)

    made.kernel("sum_float_float")(rows, sums, 300, threads=[256 * 7], group_size=[256])
    torch.testing.assert_close(sums, rows.sum(1), rtol=1e-4, atol=1e-4)
    rows[2, 5] = float("nan")
    made.kernel("argmax_float")(rows, indices, [7, 300], threads=[7], arg_casts={2: "int32"})
    assert torch.equal(indices, rows.argmax(1))
