"""The mathematics of elementwise operators in Metal, by the functor's name.

Each is checked against torch's CPU operator in tests/generation/test_known_functors.py.
"""

from collections.abc import Mapping
from typing import Final

import msgspec

from mkls.generation import functor_bodies as body

SPECIAL: Final = "c10/metal/special_math.h"
IGAMMA: Final = "c10/metal/igamma.h c10/metal/special_math.h"


class KnownFunctor(msgspec.Struct, frozen=True):
    """What an operator computes of its operands `a`, `b`, `c` and its parameter `alpha`.

    `floating` is for floating point, whose operands are `float`; `integral` for integers, `T`
    itself; with `to_float`, integers are computed as floating point is, and give float. `boolean`
    tells whether `integral` holds for bool. `complex` is for float2 and half2. A text with a
    semicolon is the statements of a function, anything else an expression. `result` is bool for
    predicates, else "". `alpha` is the parameter's type: `float`, `long`, or `T` for that of the
    operands. `header` are the headers that it needs, separated by blanks.
    """

    arity: int
    floating: str = ""
    integral: str = ""
    to_float: bool = False
    boolean: bool = False
    complex: str = ""
    result: str = ""
    alpha: str = ""
    header: str = ""
    in_float: bool = True
    """Whether floating point is computed in float, whatever it is stored in."""

    @property
    def needs_c10(self) -> bool:
        """Whether it calls functions of `c10/metal`."""
        return "c10::" in self.floating + self.integral


def _float_operator(text: str, complex_: str = "") -> KnownFunctor:
    header = SPECIAL if "c10::" in text else ""
    return KnownFunctor(1, text, to_float=True, boolean=True, complex=complex_, header=header)


def _special(name: str) -> KnownFunctor:
    return _float_operator(f"::c10::metal::{name}(a)")


def _special_statements(text: str) -> KnownFunctor:
    return KnownFunctor(1, text, to_float=True, boolean=True, header=SPECIAL)


def _polynomial(name: str) -> KnownFunctor:
    text = f"::c10::metal::{name}_forward(a, long(b))"
    return KnownFunctor(2, text, to_float=True, boolean=True, header=SPECIAL)


def _comparison(sign: str, complex_: str = "") -> KnownFunctor:
    text = f"a {sign} b"
    return KnownFunctor(2, text, text, boolean=True, complex=complex_, result="bool")


def _bitwise(text: str, boolean: bool = True) -> KnownFunctor:
    return KnownFunctor(2, integral=text, boolean=boolean)


def _rounding(text: str) -> KnownFunctor:
    return KnownFunctor(1, text)


def _backward(text: str) -> KnownFunctor:
    return KnownFunctor(2, text)


_PRECISE: Final = (
    *("acos", "acosh", "asin", "asinh", "atan", "atanh", "cosh", "sinh", "tan"),
    *("exp2", "log2", "log10"),
)
KNOWN: Final[Mapping[str, KnownFunctor]] = {
    **{name: _float_operator(f"::metal::precise::{name}(a)") for name in _PRECISE},
    "cos": _float_operator("::metal::precise::cos(a)", body.COS_COMPLEX),
    "exp": _float_operator("::metal::precise::exp(a)", body.EXP_COMPLEX),
    "log": _float_operator("::metal::precise::log(a)", body.LOG_COMPLEX),
    "rsqrt": _float_operator("::metal::precise::rsqrt(a)"),
    "sin": _float_operator("::metal::precise::sin(a)", body.SIN_COMPLEX),
    "sqrt": _float_operator("::metal::precise::sqrt(a)"),
    "tanh": _float_operator("::metal::precise::tanh(a)"),
    "expm1": _float_operator(body.EXPM1),
    "log1p": _float_operator(body.LOG1P),
    "sigmoid": _float_operator("1 / (1 + ::metal::precise::exp(-a))"),
    "reciprocal": _float_operator("1 / a"),
    **{name: _special(name) for name in ("digamma", "erf", "erfc", "erfinv", "sinc")},
    **{name: _special(name) for name in ("entr", "i0", "i0e", "i1", "i1e", "erfcx")},
    **{f"bessel_{it}": _special(f"bessel_{it}_forward") for it in ("j0", "j1", "y0", "y1")},
    **{
        name: _special(f"{name}_forward")
        for kind in ("modified_bessel_i", "modified_bessel_k", "scaled_modified_bessel_k")
        for name in (f"{kind}0", f"{kind}1")
    },
    "spherical_bessel_j0": _special("spherical_bessel_j0"),
    "lgamma": _special_statements(body.LGAMMA),
    "polygamma": KnownFunctor(
        1,
        "::c10::metal::polygamma(alpha, a)",
        to_float=True,
        boolean=True,
        alpha="long",
        header=SPECIAL,
    ),
    "logit": KnownFunctor(1, body.LOGIT, to_float=True, boolean=True, alpha="float"),
    "ceil": _rounding("::metal::ceil(a)"),
    "floor": _rounding("::metal::floor(a)"),
    "frac": _rounding("a - ::metal::trunc(a)"),
    "round": _rounding("::metal::rint(a)"),
    "trunc": _rounding("::metal::trunc(a)"),
    "abs": KnownFunctor(
        1,
        "::metal::fabs(a)",
        "a < T(0) ? T(-a) : a",
        complex=body.ABS_COMPLEX,
    ),
    "neg": KnownFunctor(1, "-a", "T(-a)", complex="-a"),
    "sign": KnownFunctor(
        1,
        "static_cast<float>(a > 0) - static_cast<float>(a < 0)",
        "T(int(a > T(0)) - int(a < T(0)))",
        boolean=True,
    ),
    "sgn": KnownFunctor(1, complex=body.SGN_COMPLEX),
    "signbit": KnownFunctor(1, "::metal::signbit(a)", "a < T(0)", result="bool"),
    "logical_not": KnownFunctor(
        1, "a == 0", "a == T(0)", boolean=True, complex="a.x == 0 && a.y == 0", result="bool"
    ),
    "bitwise_not": KnownFunctor(
        1, integral="::metal::is_same_v<T, bool> ? T(!a) : T(~a)", boolean=True
    ),
    "silu": _rounding("a / (1 + ::metal::precise::exp(-a))"),
    "mish": _rounding(body.MISH),
    "hardsigmoid": _rounding("::metal::isnan(a) ? a : ::metal::clamp(a + 3, 0.0f, 6.0f) / 6"),
    "hardswish": _rounding("::metal::isnan(a) ? a : a * ::metal::clamp(a + 3, 0.0f, 6.0f) / 6"),
    "leaky_relu": KnownFunctor(1, "a > 0 ? a : a * alpha", alpha="float"),
    "hardshrink": KnownFunctor(1, "a >= -alpha && a <= alpha ? 0.0f : a", alpha="float"),
    "softshrink": KnownFunctor(
        1, "a > alpha ? a - alpha : (a < -alpha ? a + alpha : a * 0)", alpha="float"
    ),
    "clamp_min_scalar": KnownFunctor(
        1,
        "::metal::isnan(a) ? a : ::metal::fmax(a, float(alpha))",
        "a < alpha ? alpha : a",
        alpha="T",
    ),
    "clamp_max_scalar": KnownFunctor(
        1,
        "::metal::isnan(a) ? a : ::metal::fmin(a, float(alpha))",
        "a > alpha ? alpha : a",
        alpha="T",
    ),
    "pow_tensor_scalar": KnownFunctor(
        1,
        "::metal::precise::pow(a, float(alpha))",
        "::c10::metal::pow(a, alpha)",
        alpha="T",
    ),
    "add": KnownFunctor(
        2,
        "a + b * alpha",
        "T(a + b * alpha)",
        boolean=True,
        alpha="T",
        complex="T(a + ::c10::metal::mul(b, alpha))",
    ),
    "sub": KnownFunctor(
        2,
        "a - b * alpha",
        "T(a - b * alpha)",
        alpha="T",
        complex="T(a - ::c10::metal::mul(b, alpha))",
    ),
    "mul": KnownFunctor(2, "a * b", "T(a * b)", boolean=True, complex="T(::c10::metal::mul(a, b))"),
    "div_true": KnownFunctor(
        2, "a / b", to_float=True, boolean=True, complex="T(::c10::metal::div(a, b))"
    ),
    "div_trunc": KnownFunctor(2, "::metal::trunc(a / b)", "T(a / b)"),
    "div_floor": KnownFunctor(2, body.FLOOR_DIVISION, body.INTEGRAL_FLOOR_DIVISION),
    "atan2": KnownFunctor(2, "::metal::precise::atan2(a, b)", to_float=True, boolean=True),
    "copysign": KnownFunctor(2, "::metal::copysign(a, b)", to_float=True, boolean=True),
    "fmod": KnownFunctor(2, "::metal::fmod(a, b)", "T(a % b)"),
    "remainder": KnownFunctor(2, body.REMAINDER, body.INTEGRAL_REMAINDER),
    "hypot": KnownFunctor(2, body.HYPOT),
    "nextafter": KnownFunctor(2, "::metal::nextafter(a, b)", in_float=False),
    "logaddexp": KnownFunctor(2, body.LOGADDEXP),
    "logaddexp2": KnownFunctor(2, body.LOGADDEXP2),
    "xlogy": KnownFunctor(2, body.XLOGY, to_float=True, boolean=True),
    "xlog1py": KnownFunctor(
        2, "::c10::metal::xlog1py(a, b)", to_float=True, boolean=True, header=SPECIAL
    ),
    "zeta": KnownFunctor(
        2, "::c10::metal::zeta(a, b)", to_float=True, boolean=True, header=SPECIAL
    ),
    "igamma": KnownFunctor(2, "::c10::metal::igamma(a, b)", header=IGAMMA),
    "igammac": KnownFunctor(2, "::c10::metal::igammac(a, b)", header=IGAMMA),
    "maximum": KnownFunctor(2, body.NAN_SAFE.format("fmax"), "a > b ? a : b", boolean=True),
    "minimum": KnownFunctor(2, body.NAN_SAFE.format("fmin"), "a < b ? a : b", boolean=True),
    "fmax": KnownFunctor(2, "::metal::fmax(a, b)", "a > b ? a : b", boolean=True),
    "fmin": KnownFunctor(2, "::metal::fmin(a, b)", "a < b ? a : b", boolean=True),
    "gcd": KnownFunctor(2, integral=body.GCD),
    "lcm": KnownFunctor(2, integral=body.LCM),
    "heaviside": KnownFunctor(2, body.HEAVISIDE, "a == T(0) ? b : T(a > T(0))", boolean=True),
    "eq": _comparison("==", "a.x == b.x && a.y == b.y"),
    "ne": _comparison("!=", "a.x != b.x || a.y != b.y"),
    **{
        name: _comparison(sign)
        for name, sign in {"lt": "<", "le": "<=", "gt": ">", "ge": ">="}.items()
    },
    "logical_and": KnownFunctor(
        2,
        "a != 0 && b != 0",
        "a != T(0) && b != T(0)",
        boolean=True,
        result="bool",
        complex="(a.x != 0 || a.y != 0) && (b.x != 0 || b.y != 0)",
    ),
    "logical_or": KnownFunctor(
        2,
        "a != 0 || b != 0",
        "a != T(0) || b != T(0)",
        boolean=True,
        result="bool",
        complex="a.x != 0 || a.y != 0 || b.x != 0 || b.y != 0",
    ),
    "logical_xor": KnownFunctor(
        2,
        "(a != 0) != (b != 0)",
        "(a != T(0)) != (b != T(0))",
        boolean=True,
        result="bool",
        complex="(a.x != 0 || a.y != 0) != (b.x != 0 || b.y != 0)",
    ),
    "bitwise_and": _bitwise("T(a & b)"),
    "bitwise_or": _bitwise("T(a | b)"),
    "bitwise_xor": _bitwise("T(a ^ b)"),
    "pow_tensor_tensor": KnownFunctor(2, "::metal::precise::pow(a, b)", "::c10::metal::pow(a, b)"),
    "sigmoid_backward": _backward("a * (1 - b) * b"),
    "tanh_backward": _backward("a * (1 - b * b)"),
    "silu_backward": _backward(body.SILU_BACKWARD),
    "mish_backward": _backward(body.MISH_BACKWARD),
    "hardsigmoid_backward": _backward("b > -3 && b < 3 ? a / 6 : 0.0f"),
    "hardswish_backward": _backward("b < -3 ? 0.0f : (b <= 3 ? a * (b / 3 + 0.5f) : a)"),
    "prelu": _backward("a > 0 ? a : b * a"),
    "glu": _backward("a / (1 + ::metal::precise::exp(-b))"),
    "mse": _backward("(a - b) * (a - b)"),
    "smooth_l1": KnownFunctor(2, body.SMOOTH_L1, alpha="float"),
    "huber": KnownFunctor(2, body.HUBER, alpha="float"),
    "leaky_relu_backward": KnownFunctor(2, "a > 0 ? b : b * alpha", alpha="float"),
    "shrink_backward": KnownFunctor(2, "b >= -alpha && b <= alpha ? 0.0f : a", alpha="float"),
    "lerp_alpha": KnownFunctor(
        2,
        "::metal::fabs(float(alpha)) < 0.5f ? a + alpha * (b - a) : b - (b - a) * (1 - alpha)",
        alpha="T",
    ),
    **{
        name: _polynomial(name)
        for kind in ("chebyshev_polynomial", "shifted_chebyshev_polynomial")
        for name in (f"{kind}_{it}" for it in "tuvw")
    },
    "hermite_polynomial_h": _polynomial("hermite_polynomial_h"),
    "hermite_polynomial_he": _polynomial("hermite_polynomial_he"),
    "lerp": KnownFunctor(3, "::metal::fabs(c) < 0.5f ? a + c * (b - a) : b - (b - a) * (1 - c)"),
    "clamp": KnownFunctor(
        3,
        "::metal::isnan(a) || ::metal::isnan(b) || ::metal::isnan(c) ? NAN "
        ": ::metal::fmin(::metal::fmax(a, b), c)",
        "(a < b ? b : a) > c ? c : (a < b ? b : a)",
    ),
    "addcmul": KnownFunctor(3, "a + alpha * b * c", "T(a + alpha * b * c)", alpha="T"),
    "addcdiv": KnownFunctor(3, "a + alpha * (b / c)", alpha="T"),
}
"""The functors, but for those that are written by hand in every tree."""

STEMS: Final[Mapping[str, str]] = {
    "lerp_kernel_scalar_weight": "lerp_alpha",
    "lerp_kernel_tensor_weight": "lerp",
}
"""Functors of stubs that are not called after them."""


def functor_of_stub(stub: str) -> str:
    """Return the name of the functor that serves `stub`: `atan2_stub` is served by `atan2`."""
    if stub in STEMS:
        return STEMS[stub]
    stem = stub.removesuffix("_stub").removesuffix("_kernel")
    plain = stem.removeprefix("special_")
    return plain if plain in KNOWN else stem
