"""atan2 of the shim: special values as C has them, and its error in units in the last place."""

import itertools

import numpy as np
import pytest
import torch

from tests.emulator.kernels import Compile

SOURCE = """
kernel void f(device float* out, device const float* y, device const float* x, uint i [[thread_position_in_grid]]) {
  out[i] = precise::atan2(y[i], x[i]);
}"""  # noqa: E501
SPECIAL = [0.0, -0.0, 1.0, -1.0, np.inf, -np.inf, np.nan, 1e-45, -1e-45, 3.4e38, -3.4e38]


def arc_tangent(compile_: Compile, y: np.ndarray, x: np.ndarray) -> np.ndarray:
    out = torch.zeros(len(y))
    arguments = [torch.from_numpy(v.astype(np.float32)) for v in (y, x)]
    compile_(SOURCE).kernel("f")(out, *arguments)
    return out.numpy()


@pytest.mark.parametrize("seed", [0, 1])
def test_the_error_is_below_two_units(compile_: Compile, seed: int) -> None:
    random = np.random.default_rng(seed)
    signs = random.choice([-1.0, 1.0], (2, 200_000))
    y, x = (np.exp(random.uniform(-9, 9, signs.shape)) * signs).astype(np.float32)
    exact = np.arctan2(y.astype(np.float64), x.astype(np.float64))
    unit = np.spacing(np.abs(exact).astype(np.float32)).astype(np.float64)
    assert (np.abs(arc_tangent(compile_, y, x) - exact) / unit).max() < 2


def test_special_values(compile_: Compile) -> None:
    y, x = np.array(list(itertools.product(SPECIAL, SPECIAL)), dtype=np.float32).T
    exact = np.arctan2(y.astype(np.float64), x.astype(np.float64)).astype(np.float32)
    actual = arc_tangent(compile_, y, x)
    np.testing.assert_array_max_ulp(actual, exact, 1)
    assert (np.signbit(actual) == np.signbit(exact))[~np.isnan(exact)].all()
