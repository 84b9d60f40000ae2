"""exp, exp2, atan and the hyperbolic functions of the shim: errors and special values."""

import numpy as np
import pytest
import torch

from mkls.emulator.library import Library
from tests.emulator.kernels import Compile

REFERENCES = {
    "exp": np.exp, "exp2": np.exp2, "tanh": np.tanh, "sinh": np.sinh, "cosh": np.cosh,
    "atan": np.arctan,
}  # fmt: skip
SPELLINGS = [f"{space}{name}" for name in REFERENCES for space in ("precise::", "fast::")]
SPECIAL = [0.0, -0.0, 1.0, -1.0, np.inf, -np.inf, np.nan, 1e-45, -1e-45, 1e-38, 3.4e38, -3.4e38]
# Where results overflow, become denormal and vanish, and where the functions change their formula.
EDGES = [
    88.72283, 88.72284, -87.33654, -87.33655, -103.27893, -103.97208, -103.97209, 89.41598,
    89.41599, 127.99999, 128, -126, -126.00001, -149, -149.5, -150, -150.00002, 0.56, 0.55999994,
    1, 0.99999994,
]  # fmt: skip


def kernel_of(spelling: str) -> str:
    name = spelling.replace("::", "_")
    return f"kernel void {name}(device float* out, device const float* x, uint i [[thread_position_in_grid]]) {{ out[i] = {spelling}(x[i]); }}\n"  # noqa: E501


@pytest.fixture(scope="module")
def functions(compile_: Compile) -> Library:
    return compile_("".join(map(kernel_of, SPELLINGS)))


def values_of(functions: Library, spelling: str, x: np.ndarray) -> np.ndarray:
    out = torch.zeros(len(x))
    functions.kernel(spelling.replace("::", "_"))(out, torch.from_numpy(x))
    return out.numpy()


def exact(spelling: str, x: np.ndarray) -> np.ndarray:
    with np.errstate(all="ignore"):
        return REFERENCES[spelling.split("::")[1]](x.astype(np.float64))


def units_off(actual: np.ndarray, expected: np.ndarray) -> np.ndarray:
    """The error in units in the last place of `expected` as a float, which may be denormal."""
    unit = np.spacing(np.abs(expected).astype(np.float32)).astype(np.float64)
    return np.abs(actual - expected) / unit


@pytest.mark.parametrize("seed", [0, 1])
@pytest.mark.parametrize("spelling", SPELLINGS)
def test_the_error_is_below_two_units(functions: Library, spelling: str, seed: int) -> None:
    random = np.random.default_rng(seed)
    spread = np.exp(random.uniform(-20, 5, 200_000)) * random.choice([-1.0, 1.0], 200_000)
    x = np.concatenate([spread, EDGES, np.negative(EDGES)]).astype(np.float32)
    expected = exact(spelling, x)
    with np.errstate(over="ignore"):
        finite = np.isfinite(expected.astype(np.float32))
    actual = values_of(functions, spelling, x)

    assert finite.sum() > 150_000
    assert units_off(actual, np.where(finite, expected, 0))[finite].max() < 2
    assert np.array_equal(actual[~finite], np.copysign(np.float32(np.inf), expected[~finite]))


@pytest.mark.parametrize("spelling", SPELLINGS)
def test_special_values(functions: Library, spelling: str) -> None:
    x = np.array(SPECIAL, dtype=np.float32)
    with np.errstate(over="ignore"):
        expected = exact(spelling, x).astype(np.float32)
    actual = values_of(functions, spelling, x)

    np.testing.assert_array_max_ulp(actual, expected, 1)
    assert (np.signbit(actual) == np.signbit(expected))[~np.isnan(expected)].all()


def test_whole_powers_of_two_are_exact(functions: Library) -> None:
    x = np.arange(-149, 128, dtype=np.float32)
    assert np.array_equal(
        values_of(functions, "precise::exp2", x), np.exp2(x.astype(np.float64)).astype(np.float32)
    )


@pytest.mark.parametrize("name", ["tanh", "sinh", "atan"])
def test_odd_functions_are_odd(functions: Library, name: str) -> None:
    x = np.linspace(0, 9, 10_000, dtype=np.float32)
    spelling = f"precise::{name}"
    assert np.array_equal(values_of(functions, spelling, -x), -values_of(functions, spelling, x))
