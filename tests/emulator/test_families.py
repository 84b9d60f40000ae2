"""The kernels that torch 2.13's registration macros make, against torch's CPU operators."""

# ruff: noqa: E501  (Metal text and tables of cases read best unbroken)

from collections.abc import Callable

import pytest
import torch

from mkls.emulator.library import Library
from tests.emulator.kernels import Compile

DTYPES = {
    "float": torch.float32, "half": torch.float16, "bfloat": torch.bfloat16, "long": torch.int64,
    "int": torch.int32, "short": torch.int16, "char": torch.int8, "uchar": torch.uint8, "bool": torch.bool,
    "float2": torch.complex64, "half2": torch.complex32,
}  # fmt: skip
REAL = [name for name in DTYPES if not name.endswith("2")]
FLOATS = ["float", "half", "bfloat"]
COUNT = 37
pytestmark = pytest.mark.filterwarnings("ignore:ComplexHalf support is experimental")

FUNCTORS = """
#include <c10/metal/indexing.h>
#include <c10/metal/utils.h>
#include <metal_stdlib>
using namespace metal;
using namespace c10::metal;
struct keep_functor { template <typename T> T operator()(const T x) { return x; } };
struct sinh_functor {
  template <typename T> enable_if_t<is_scalar_floating_point_v<T>, T> operator()(const T x) { return T(precise::sinh(float(x))); }
  template <typename T> enable_if_t<is_scalar_integral_v<T>, float> operator()(const T x) { return precise::sinh(float(x)); }
};
struct leaky_functor { template <typename T> T operator()(const T a, const T s) { return a > T(0) ? a : T(a * s); } };
struct add_functor { template <typename T> T operator()(const T a, const T b) { return T(a + b); } };
struct mul_functor {
  template <typename T> enable_if_t<!is_complex_v<T>, T> operator()(const T a, const T b) { return T(a * b); }
  template <typename T> enable_if_t<is_complex_v<T>, T> operator()(const T a, const T b) { return c10::metal::mul(a, b); }
};
struct less_functor { template <typename T> bool operator()(const T a, const T b) { return a < b; } };
struct add_scaled_functor { template <typename T> T operator()(const T a, const T b, const T s) { return T(a + b * s); } };
struct addcmul_functor { template <typename T> T operator()(const T a, const T b, const T c) { return T(a + b * c); } };
"""


def registrations() -> str:
    lines = [FUNCTORS]
    for t in REAL:
        float_ = t if t in FLOATS else "float"
        lines += [
            f"REGISTER_UNARY_OP(keep, {t}, {t});",
            f"REGISTER_UNARY_OP(sinh, {t}, {float_});",
            f"REGISTER_BINARY_OP(add, {t}, {t});",
            f"REGISTER_OPMATH_BINARY_OP(mul, {t}, {t});",
            f"REGISTER_BINARY_OP(less, {t}, bool);",
            f"REGISTER_BINARY_CASTOUT_OP(less, {t}, bool);",
            f"REGISTER_BINARY_ALPHA_OP(add_scaled, {t}, {t}, {t});",
            f"REGISTER_TERNARY_OP(addcmul, {t}, {t});",
        ]
    lines += [f"REGISTER_UNARY_ALPHA_OP(leaky, {t}, {t}, {t});" for t in FLOATS]
    for t in ("float2", "half2"):
        lines += [f"REGISTER_UNARY_OP(keep, {t}, {t});", f"REGISTER_BINARY_OP(add, {t}, {t});"]
        lines.append(f"REGISTER_BINARY_OP(mul, {t}, {t});")
    return "\n".join(lines)


@pytest.fixture(scope="module")
def families(compile_: Compile) -> Library:
    return compile_(registrations(), prelude=False, kernels=())


def values(name: str, seed: int) -> torch.Tensor:
    torch.manual_seed(seed)
    dtype = DTYPES[name]
    if dtype.is_complex:
        return torch.view_as_complex(torch.randn(COUNT, 2).to(dtype.to_real()))
    if dtype.is_floating_point:
        return torch.randn(COUNT).to(dtype)
    return torch.randint(0, 2 if name == "bool" else 9, (COUNT,)).to(dtype)


def raw(tensor: torch.Tensor) -> torch.Tensor:
    return torch.view_as_real(tensor) if tensor.is_complex() else tensor


def assert_close(actual: torch.Tensor, expected: torch.Tensor) -> None:
    """Half results may differ by the rounding of the steps in between."""
    if actual.dtype == torch.complex32:
        actual, expected = raw(actual), raw(expected.to(torch.complex32))
    steps = {"rtol": 5e-3, "atol": 5e-3} if actual.dtype == torch.float16 else {}
    torch.testing.assert_close(actual, expected.to(actual.dtype), equal_nan=True, **steps)


@pytest.mark.parametrize("t", list(DTYPES))
def test_unary_dense(families: Library, t: str) -> None:
    x = values(t, 0)
    for flavour, threads in (("dense_scalar", COUNT), ("dense", -(-COUNT // 4))):
        out = torch.zeros_like(x)
        families.kernel(f"keep_{flavour}_{t}_{t}")(raw(out), raw(x), COUNT, threads=threads)
        assert torch.equal(raw(out), raw(x))


@pytest.mark.parametrize("t", REAL)
def test_unary_float_result(families: Library, t: str) -> None:
    x = values(t, 1)
    result = t if t in FLOATS else "float"
    out = torch.zeros(COUNT, dtype=DTYPES[result])
    families.kernel(f"sinh_dense_scalar_{result}_{t}")(out, x)
    assert_close(out, torch.sinh(x.float()))


@pytest.mark.parametrize("t", FLOATS)
def test_unary_alpha(families: Library, t: str) -> None:
    x, out = values(t, 2), torch.zeros(COUNT, dtype=DTYPES[t])
    alpha = torch.tensor([0.1], dtype=DTYPES[t])
    families.kernel(f"leaky_dense_{t}_{t}_{t}")(out, x, alpha, threads=COUNT)
    assert_close(out, torch.nn.functional.leaky_relu(x, alpha.item()))


BINARY: dict[str, Callable[[torch.Tensor, torch.Tensor], torch.Tensor]] = {
    "add": torch.add, "mul": torch.mul, "less": torch.lt,
}  # fmt: skip


def reference(op: str, a: torch.Tensor, b: torch.Tensor) -> torch.Tensor:
    if a.dtype == torch.complex32:
        return BINARY[op](a.to(torch.complex64), b.to(torch.complex64)).to(torch.complex32)
    return BINARY[op](a, b)


BINARY_CASES = [(op, t) for op in ("add", "mul") for t in DTYPES] + [("less", t) for t in REAL]


@pytest.mark.parametrize(("op", "t"), BINARY_CASES)
def test_binary_dense(families: Library, op: str, t: str) -> None:
    a, b = values(t, 3), values(t, 4)
    expected = reference(op, a, b)
    result = "bool" if op == "less" else t
    out = torch.zeros_like(expected)
    families.kernel(f"{op}_dense_{result}_{t}")(raw(out), raw(a), raw(b), threads=COUNT)
    assert_close(out, expected)


@pytest.mark.parametrize(("op", "t"), BINARY_CASES)
def test_binary_strided(families: Library, op: str, t: str) -> None:
    dtype = DTYPES[t]
    a, b = values(t, 5)[:36].reshape(9, 4).t(), values(t, 6)[:36].reshape(4, 9)
    expected = reference(op, a, b)
    out = torch.zeros(4, 9, dtype=expected.dtype)
    kernel = families.kernel(f"{op}_strided_{'bool' if op == 'less' else t}_{t}")
    sizes, ndim = torch.tensor([9, 4]), torch.tensor([2, 0, 0, 0], dtype=torch.int32)
    strides = [torch.tensor([s * x.element_size() for s in x.stride()[::-1]]) for x in (out, a, b)]
    kernel(raw(out), raw(a), raw(b), sizes, *strides, ndim, threads=36)
    assert dtype == DTYPES[t]
    assert_close(out, expected)


@pytest.mark.parametrize("t", REAL)
def test_binary_alpha(families: Library, t: str) -> None:
    a, b, out = values(t, 7), values(t, 8), torch.zeros(COUNT, dtype=DTYPES[t])
    alpha = torch.tensor([2 if t != "bool" else 1], dtype=DTYPES[t])
    families.kernel(f"add_scaled_dense_{t}_{t}_{t}")(out, a, b, alpha, threads=COUNT)
    exact = a.double() + b.double() * alpha.double()
    assert_close(out, exact.bool() if t == "bool" else exact)


@pytest.mark.parametrize("t", REAL)
def test_ternary(families: Library, t: str) -> None:
    a, b, c, out = values(t, 9), values(t, 10), values(t, 11), torch.zeros(COUNT, dtype=DTYPES[t])
    families.kernel(f"addcmul_dense_{t}_{t}")(out, a, b, c, threads=COUNT)
    exact = a.double() + b.double() * c.double()
    assert_close(out, exact.bool() if t == "bool" else exact)


CODES = {"float": 6, "half": 5, "bfloat": 15, "int": 3, "long": 4, "uchar": 0, "bool": 11}


@pytest.mark.parametrize("t", CODES)
def test_mixed_types_are_cast(families: Library, t: str) -> None:
    a, b, out = values(t, 12), values("float", 13), torch.zeros(COUNT)
    types = torch.tensor([a.element_size(), 4, CODES[t], CODES["float"]], dtype=torch.int32)
    families.kernel("add_dense_cast_float_float")(out, a, b, types, threads=COUNT)
    assert_close(out, a.float() + b)


@pytest.mark.parametrize("t", FLOATS)
def test_a_broadcast_scalar(families: Library, t: str) -> None:
    a, b, out = values(t, 14), values(t, 15)[:1], torch.zeros(COUNT, dtype=DTYPES[t])
    families.kernel(f"mul_dense_scalar_{t}_{t}")(out, a, b, threads=COUNT)
    assert_close(out, a * b)
