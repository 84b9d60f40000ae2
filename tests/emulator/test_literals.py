"""Floating literals and conversions mean what Metal says."""

import pytest
import torch

from mkls.emulator.rewrite import TranslationUnit
from tests.emulator.kernels import Compile


@pytest.mark.parametrize(
    ("metal", "cpp"),
    [
        ("1.0", "1.0f"), ("1.", "1.f"), (".5", ".5f"), ("1e-3", "1e-3f"), ("1.5E+2", "1.5E+2f"),
        ("0x1.8p3", "0x1.8p3f"), ("0x1p-3", "0x1p-3f"), ("1'000.5", "1'000.5f"),
        ("1.0H", "1.0h"), ("1.0h", "1.0h"), ("1.0bf", "1.0_mkls_bf"), ("2e1BF", "2e1_mkls_bf"),
        ("1.0f", "1.0f"), ("1", "1"), ("0x1e5", "0x1e5"), ("0xbf", "0xbf"), ("1u", "1u"),
    ],
)  # fmt: skip
def test_suffixes(metal: str, cpp: str) -> None:
    assert TranslationUnit(f"x = {metal};").rewritten((), {}).text == f"x = {cpp};"


def test_literals_in_templates_are_floats(compile_: Compile) -> None:
    source = """
    template <typename T> kernel void f(device int* out, constant T& x) {
      out[0] = sizeof(x * 0.1); out[1] = sizeof(1.0H); out[2] = sizeof(1.0bf);
      out[3] = int(10.5H) + int(2.5bf);
    }
    template [[host_name("f")]] kernel void f<half>(device int*, constant half&);"""
    out = torch.zeros(4, dtype=torch.int32)
    one = torch.ones(1, dtype=torch.float16)
    compile_(source).kernel("f")(out, one, threads=1)
    assert out.tolist() == [4, 2, 2, 12]


@pytest.mark.parametrize("checked", [False, True])
def test_float_to_int_saturates(compile_: Compile, checked: bool) -> None:
    source = "kernel void f(device int* out, device const float* x, uint i [[thread_position_in_grid]]) { out[i] = int(x[i]); }"  # noqa: E501
    x = torch.tensor([float("nan"), float("inf"), -float("inf"), 3e9, -3e9, -2.75])
    out = torch.ones(6, dtype=torch.int32)
    compile_(source, checked=checked).kernel("f")(out, x, threads=6)
    assert out.tolist() == [0, 2147483647, -2147483648, 2147483647, -2147483648, -2]
