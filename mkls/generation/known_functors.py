"""The mathematics of elementwise operators in Metal, by the functor's name.

Each is checked against torch's CPU operator in tests/generation/test_known_functors.py.
"""

from collections.abc import Mapping
from typing import Final

import msgspec

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
_GCD: Final = """\
T x = a < T(0) ? T(-a) : a;
T y = b < T(0) ? T(-b) : b;
while (y != T(0)) {
  const T rest = x % y;
  x = y;
  y = rest;
}
return x;"""
_LCM: Final = """\
T x = a < T(0) ? T(-a) : a;
T y = b < T(0) ? T(-b) : b;
const T product_of = x;
const T other = y;
while (y != T(0)) {
  const T rest = x % y;
  x = y;
  y = rest;
}
return x == T(0) ? T(0) : T(product_of / x * other);"""
_HYPOT: Final = """\
const float x = ::metal::fabs(a);
const float y = ::metal::fabs(b);
const float high = ::metal::fmax(x, y);
const float low = ::metal::fmin(x, y);
if (::metal::isinf(high)) {
  return high;
}
if (::metal::isnan(a + b) || high == 0) {
  return a + b;
}
return high * ::metal::precise::sqrt(1 + (low / high) * (low / high));"""
_REMAINDER: Final = """\
const float rest = ::metal::fmod(a, b);
return rest != 0 && ((rest < 0) != (b < 0)) ? rest + b : rest;"""
_INTEGRAL_REMAINDER: Final = """\
const T rest = a % b;
return rest != T(0) && ((rest < T(0)) != (b < T(0))) ? T(rest + b) : rest;"""
_FLOOR_DIVISION: Final = """\
if (b == 0) {
  return a / b;
}
const float rest = ::metal::fmod(a, b);
float quotient = (a - rest) / b;
if (rest != 0 && (b < 0) != (rest < 0)) {
  quotient -= 1;
}
if (quotient == 0) {
  return ::metal::copysign(0.0f, a / b);
}
const float whole = ::metal::floor(quotient);
return quotient - whole > 0.5f ? whole + 1 : whole;"""
_INTEGRAL_FLOOR_DIVISION: Final = """\
const T quotient = a / b;
return a % b != T(0) && ((a < T(0)) != (b < T(0))) ? T(quotient - 1) : quotient;"""
_XLOGY: Final = """\
if (::metal::isnan(b)) {
  return NAN;
}
return a == 0 ? 0.0f : a * ::metal::precise::log(b);"""
_LOGADDEXP: Final = """\
if (::metal::isinf(a) && a == b) {
  return a;
}
const float high = ::metal::isnan(a) || ::metal::isnan(b) ? NAN : ::metal::fmax(a, b);
return high + ::c10::metal::log1p(::metal::precise::exp(-::metal::fabs(a - b)));"""
_LOGADDEXP2: Final = """\
if (::metal::isinf(a) && a == b) {
  return a;
}
const float high = ::metal::isnan(a) || ::metal::isnan(b) ? NAN : ::metal::fmax(a, b);
return high + ::c10::metal::log1p(::metal::precise::exp2(-::metal::fabs(a - b))) * M_LOG2E_F;"""
_MISH: Final = """\
const float softplus = a > 20 ? a : ::c10::metal::log1p(::metal::precise::exp(a));
return a * ::metal::precise::tanh(softplus);"""
_MISH_BACKWARD: Final = """\
const float sigmoid = 1 / (1 + ::metal::precise::exp(-b));
const float softplus = b > 20 ? b : ::c10::metal::log1p(::metal::precise::exp(b));
const float inner = ::metal::precise::tanh(softplus);
return a * (inner + b * sigmoid * (1 - inner * inner));"""
_SILU_BACKWARD: Final = """\
const float sigmoid = 1 / (1 + ::metal::precise::exp(-b));
return a * sigmoid * (1 + b * (1 - sigmoid));"""
_SMOOTH_L1: Final = """\
const float distance = ::metal::fabs(a - b);
return distance < alpha ? 0.5f * distance * distance / alpha : distance - 0.5f * alpha;"""
_HUBER: Final = """\
const float distance = ::metal::fabs(a - b);
return distance <= alpha ? 0.5f * distance * distance : alpha * (distance - 0.5f * alpha);"""
_HEAVISIDE: Final = "a == 0 ? b : static_cast<float>(a > 0)"
_LOGIT: Final = """\
const float p = alpha < 0 ? a : ::metal::clamp(a, float(alpha), 1 - float(alpha));
return ::metal::precise::log(p / (1 - p));"""
_EXP_COMPLEX: Final = """\
const float size = ::metal::precise::exp(float(a.x));
return T(size * ::metal::precise::cos(float(a.y)), size * ::metal::precise::sin(float(a.y)));"""
_SIN_COMPLEX: Final = """\
const float2 z = float2(a);
return T(
    ::metal::precise::sin(z.x) * ::metal::precise::cosh(z.y),
    ::metal::precise::cos(z.x) * ::metal::precise::sinh(z.y));"""
_COS_COMPLEX: Final = """\
const float2 z = float2(a);
return T(
    ::metal::precise::cos(z.x) * ::metal::precise::cosh(z.y),
    -::metal::precise::sin(z.x) * ::metal::precise::sinh(z.y));"""
_LOG_COMPLEX: Final = """\
const float2 z = float2(a);
return T(::metal::precise::log(::metal::length(z)), ::metal::precise::atan2(z.y, z.x));"""
_SGN_COMPLEX: Final = """\
const float size = ::metal::length(float2(a));
return size == 0 ? T(0) : T(float2(a) / size);"""
# Kahan's, exact where naive ones cancel.
_EXPM1: Final = """\
const float grown = ::metal::precise::exp(a);
if (grown == 1 || ::metal::isinf(grown)) {
  return grown == 1 ? a : grown;
}
return grown - 1 == -1 ? -1.0f : (grown - 1) * (a / ::metal::precise::log(grown));"""
_LOG1P: Final = """\
const float grown = 1 + a;
if (grown == 1 || ::metal::isinf(grown)) {
  return a;
}
return ::metal::precise::log(grown) * (a / (grown - 1));"""
_LGAMMA: Final = """\
if (::metal::isinf(a) || a > 4e36f || a < -8388608.0f) {
  return INFINITY;
}
// For what is this small, gamma is 1 / x, which overflows.
const float size = ::metal::fabs(a);
return size < 1e-20f ? -::metal::precise::log(size) : ::c10::metal::log_gamma(a);"""
_ABS_COMPLEX: Final = """\
const float x = ::metal::fabs(float(a.x));
const float y = ::metal::fabs(float(a.y));
const float high = ::metal::fmax(x, y);
const float ratio = ::metal::fmin(x, y) / high;
const bool is_plain = high == 0 || ::metal::isinf(high) || ::metal::isnan(x + y);
return T(is_plain ? x + y : high * ::metal::precise::sqrt(1 + ratio * ratio), 0);"""
_NAN_SAFE: Final = "::metal::isnan(a) || ::metal::isnan(b) ? NAN : ::metal::{}(a, b)"

KNOWN: Final[Mapping[str, KnownFunctor]] = {
    **{name: _float_operator(f"::metal::precise::{name}(a)") for name in _PRECISE},
    "cos": _float_operator("::metal::precise::cos(a)", _COS_COMPLEX),
    "exp": _float_operator("::metal::precise::exp(a)", _EXP_COMPLEX),
    "log": _float_operator("::metal::precise::log(a)", _LOG_COMPLEX),
    "rsqrt": _float_operator("::metal::precise::rsqrt(a)"),
    "sin": _float_operator("::metal::precise::sin(a)", _SIN_COMPLEX),
    "sqrt": _float_operator("::metal::precise::sqrt(a)"),
    "tanh": _float_operator("::metal::precise::tanh(a)"),
    "expm1": _float_operator(_EXPM1),
    "log1p": _float_operator(_LOG1P),
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
    "lgamma": _special_statements(_LGAMMA),
    "polygamma": KnownFunctor(
        1,
        "::c10::metal::polygamma(alpha, a)",
        to_float=True,
        boolean=True,
        alpha="long",
        header=SPECIAL,
    ),
    "logit": KnownFunctor(1, _LOGIT, to_float=True, boolean=True, alpha="float"),
    "ceil": _rounding("::metal::ceil(a)"),
    "floor": _rounding("::metal::floor(a)"),
    "frac": _rounding("a - ::metal::trunc(a)"),
    "round": _rounding("::metal::rint(a)"),
    "trunc": _rounding("::metal::trunc(a)"),
    "abs": KnownFunctor(
        1,
        "::metal::fabs(a)",
        "a < T(0) ? T(-a) : a",
        complex=_ABS_COMPLEX,
    ),
    "neg": KnownFunctor(1, "-a", "T(-a)", complex="-a"),
    "sign": KnownFunctor(
        1,
        "static_cast<float>(a > 0) - static_cast<float>(a < 0)",
        "T(int(a > T(0)) - int(a < T(0)))",
        boolean=True,
    ),
    "sgn": KnownFunctor(1, complex=_SGN_COMPLEX),
    "signbit": KnownFunctor(1, "::metal::signbit(a)", "a < T(0)", result="bool"),
    "logical_not": KnownFunctor(
        1, "a == 0", "a == T(0)", boolean=True, complex="a.x == 0 && a.y == 0", result="bool"
    ),
    "bitwise_not": KnownFunctor(
        1, integral="::metal::is_same_v<T, bool> ? T(!a) : T(~a)", boolean=True
    ),
    "silu": _rounding("a / (1 + ::metal::precise::exp(-a))"),
    "mish": _rounding(_MISH),
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
    "div_floor": KnownFunctor(2, _FLOOR_DIVISION, _INTEGRAL_FLOOR_DIVISION),
    "atan2": KnownFunctor(2, "::metal::precise::atan2(a, b)", to_float=True, boolean=True),
    "copysign": KnownFunctor(2, "::metal::copysign(a, b)", to_float=True, boolean=True),
    "fmod": KnownFunctor(2, "::metal::fmod(a, b)", "T(a % b)"),
    "remainder": KnownFunctor(2, _REMAINDER, _INTEGRAL_REMAINDER),
    "hypot": KnownFunctor(2, _HYPOT),
    "nextafter": KnownFunctor(2, "::metal::nextafter(a, b)", in_float=False),
    "logaddexp": KnownFunctor(2, _LOGADDEXP),
    "logaddexp2": KnownFunctor(2, _LOGADDEXP2),
    "xlogy": KnownFunctor(2, _XLOGY, to_float=True, boolean=True),
    "xlog1py": KnownFunctor(
        2, "::c10::metal::xlog1py(a, b)", to_float=True, boolean=True, header=SPECIAL
    ),
    "zeta": KnownFunctor(
        2, "::c10::metal::zeta(a, b)", to_float=True, boolean=True, header=SPECIAL
    ),
    "igamma": KnownFunctor(2, "::c10::metal::igamma(a, b)", header=IGAMMA),
    "igammac": KnownFunctor(2, "::c10::metal::igammac(a, b)", header=IGAMMA),
    "maximum": KnownFunctor(2, _NAN_SAFE.format("fmax"), "a > b ? a : b", boolean=True),
    "minimum": KnownFunctor(2, _NAN_SAFE.format("fmin"), "a < b ? a : b", boolean=True),
    "fmax": KnownFunctor(2, "::metal::fmax(a, b)", "a > b ? a : b", boolean=True),
    "fmin": KnownFunctor(2, "::metal::fmin(a, b)", "a < b ? a : b", boolean=True),
    "gcd": KnownFunctor(2, integral=_GCD),
    "lcm": KnownFunctor(2, integral=_LCM),
    "heaviside": KnownFunctor(2, _HEAVISIDE, "a == T(0) ? b : T(a > T(0))", boolean=True),
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
    "silu_backward": _backward(_SILU_BACKWARD),
    "mish_backward": _backward(_MISH_BACKWARD),
    "hardsigmoid_backward": _backward("b > -3 && b < 3 ? a / 6 : 0.0f"),
    "hardswish_backward": _backward("b < -3 ? 0.0f : (b <= 3 ? a * (b / 3 + 0.5f) : a)"),
    "prelu": _backward("a > 0 ? a : b * a"),
    "glu": _backward("a / (1 + ::metal::precise::exp(-b))"),
    "mse": _backward("(a - b) * (a - b)"),
    "smooth_l1": KnownFunctor(2, _SMOOTH_L1, alpha="float"),
    "huber": KnownFunctor(2, _HUBER, alpha="float"),
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
