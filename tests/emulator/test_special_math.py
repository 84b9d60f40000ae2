"""torch 2.13's special functions for Metal, through the registration macros, against torch's CPU."""

# ruff: noqa: E501  (Metal text and tables of cases read best unbroken)

from collections.abc import Callable

import pytest
import torch

from mkls.emulator.library import Library
from tests.emulator.kernels import Compile

FLOATS = {"float": torch.float32, "half": torch.float16, "bfloat": torch.bfloat16}
COUNT = 45
special = torch.special
Reference = Callable[[torch.Tensor], torch.Tensor]

UNARY: dict[str, tuple[Reference, float, float]] = {
    "bessel_j0_forward": (special.bessel_j0, -12, 12),
    "bessel_j1_forward": (special.bessel_j1, -12, 12),
    "bessel_y0_forward": (special.bessel_y0, 0.25, 12),
    "bessel_y1_forward": (special.bessel_y1, 0.25, 12),
    "modified_bessel_i0_forward": (special.modified_bessel_i0, -6, 6),
    "modified_bessel_i1_forward": (special.modified_bessel_i1, -6, 6),
    "modified_bessel_k0_forward": (special.modified_bessel_k0, 0.25, 6),
    "modified_bessel_k1_forward": (special.modified_bessel_k1, 0.25, 6),
    "spherical_bessel_j0": (special.spherical_bessel_j0, -9, 9),
    "i0e": (special.i0e, -9, 9),
    "i1e": (special.i1e, -9, 9),
    "digamma": (special.digamma, 0.25, 9),
    "erf": (special.erf, -3, 3),
    "erfcx": (special.erfcx, -1, 9),
    "erfinv": (special.erfinv, -0.9, 0.9),
    "log_gamma": (special.gammaln, 0.25, 9),
    "entr": (special.entr, -1, 3),
    "sinc": (special.sinc, -3, 3),
}
CHEBYSHEV = {
    f"{shift}chebyshev_polynomial_{kind}_forward": getattr(
        special, f"{shift}chebyshev_polynomial_{kind}"
    )
    for shift in ("", "shifted_")
    for kind in "tuvw"
}
GAMMA = {"igamma": special.gammainc, "igammac": special.gammaincc}


def functor(name: str, parameters: str, arguments: str) -> str:
    return (
        f"struct {name}_functor {{ template <typename T> T operator()({parameters}) "
        f"{{ return static_cast<T>(c10::metal::{name}({arguments})); }} }};"
    )


def source() -> str:
    lines = [
        "#include <c10/metal/indexing.h>",
        "#include <c10/metal/special_math.h>",
        "#include <c10/metal/igamma.h>",
    ]
    lines += [functor(name, "const T x", "x") for name in UNARY]
    lines += [
        functor(name, "const T x, const T n", "x, static_cast<int64_t>(n)") for name in CHEBYSHEV
    ]
    lines += [
        functor(name, "const T a, const T x", "float(a), float(x)") for name in (*GAMMA, "zeta")
    ]
    for t in FLOATS:
        lines += [f"REGISTER_UNARY_OP({name}, {t}, {t});" for name in UNARY]
        lines += [f"REGISTER_BINARY_OP({name}, {t}, {t});" for name in (*CHEBYSHEV, *GAMMA, "zeta")]
    return "\n".join(lines)


@pytest.fixture(scope="module")
def functions(compile_: Compile) -> Library:
    return compile_(source(), prelude=False)


# `x * x` and `x - T(pi / 4)` are rounded to T by c10/metal/special_math.h itself. Next to a zero of the
# function that costs half a unit of the factor, which the result, itself near zero, cannot show.
STEPS_IN_T = {
    ("bessel_j0_forward", "half"), ("bessel_j0_forward", "bfloat"), ("bessel_y0_forward", "bfloat"),
    ("bessel_j1_forward", "half"), ("bessel_j1_forward", "bfloat"),
}  # fmt: skip


def assert_close(actual: torch.Tensor, expected: torch.Tensor, steps_in_t: bool = False) -> None:
    """Within 2e-5 and the rounding of the result, and, with `steps_in_t`, one of a step before."""
    eps = torch.finfo(actual.dtype).eps
    atol = 2e-5 + (eps if steps_in_t else 0.0)
    torch.testing.assert_close(
        actual.double(), expected.double(), rtol=2e-5 + 2 * eps, atol=atol, equal_nan=True
    )


def binary(library: Library, name: str, t: str, a: torch.Tensor, b: torch.Tensor) -> torch.Tensor:
    out, dims = torch.zeros_like(a), torch.tensor([COUNT])
    step = torch.tensor([a.element_size()])
    kernel = library.kernel(f"{name}_strided_{t}_{t}")
    rank = torch.tensor([1, 0, 0, 0], dtype=torch.int32)
    kernel(out, a, b, dims, step, step, step, rank, threads=COUNT)
    return out


@pytest.mark.parametrize("t", FLOATS)
@pytest.mark.parametrize("name", UNARY)
def test_one_argument(functions: Library, name: str, t: str) -> None:
    reference, low, high = UNARY[name]
    x = torch.linspace(low, high, COUNT).to(FLOATS[t])
    out = torch.zeros_like(x)
    functions.kernel(f"{name}_dense_scalar_{t}_{t}")(out, x, threads=COUNT)
    assert_close(out, reference(x.double()), (name, t) in STEPS_IN_T)


@pytest.mark.parametrize(("name", "t"), sorted(STEPS_IN_T))
def test_the_excess_is_that_of_the_steps_in_t(functions: Library, name: str, t: str) -> None:
    """In float, where those steps lose nothing that counts, the same points are exact."""
    reference, low, high = UNARY[name]
    x = torch.linspace(low, high, COUNT).to(FLOATS[t]).float()
    out = torch.zeros_like(x)
    functions.kernel(f"{name}_dense_scalar_float_float")(out, x, threads=COUNT)
    assert_close(out, reference(x.double()))


@pytest.mark.parametrize("t", FLOATS)
@pytest.mark.parametrize("name", CHEBYSHEV)
def test_chebyshev_polynomials(functions: Library, name: str, t: str) -> None:
    x = torch.linspace(0.1, 0.9, COUNT).to(FLOATS[t])
    degree = (torch.arange(COUNT) % 5).to(FLOATS[t])
    assert_close(
        binary(functions, name, t, x, degree), CHEBYSHEV[name](x.double(), degree.double())
    )


@pytest.mark.parametrize("t", FLOATS)
@pytest.mark.parametrize("name", GAMMA)
def test_incomplete_gamma(functions: Library, name: str, t: str) -> None:
    a = torch.linspace(0.25, 9, COUNT).to(FLOATS[t])
    x = torch.linspace(12, 0.5, COUNT).to(FLOATS[t])
    assert_close(binary(functions, name, t, a, x), GAMMA[name](a.double(), x.double()))


@pytest.mark.parametrize("t", FLOATS)
def test_zeta(functions: Library, t: str) -> None:
    x = torch.linspace(1.5, 9, COUNT).to(FLOATS[t])
    q = torch.linspace(6, 0.5, COUNT).to(FLOATS[t])
    assert_close(binary(functions, "zeta", t, x, q), special.zeta(x.double(), q.double()))
