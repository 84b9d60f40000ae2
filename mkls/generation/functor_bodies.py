"""Bodies of functors that take more than a line, in Metal: operands are `a`, `b` and `c`."""

from typing import Final

GCD: Final = """\
T x = a < T(0) ? T(-a) : a;
T y = b < T(0) ? T(-b) : b;
while (y != T(0)) {
  const T rest = x % y;
  x = y;
  y = rest;
}
return x;"""
LCM: Final = """\
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
HYPOT: Final = """\
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
REMAINDER: Final = """\
const float rest = ::metal::fmod(a, b);
return rest != 0 && ((rest < 0) != (b < 0)) ? rest + b : rest;"""
INTEGRAL_REMAINDER: Final = """\
const T rest = a % b;
return rest != T(0) && ((rest < T(0)) != (b < T(0))) ? T(rest + b) : rest;"""
FLOOR_DIVISION: Final = """\
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
INTEGRAL_FLOOR_DIVISION: Final = """\
const T quotient = a / b;
return a % b != T(0) && ((a < T(0)) != (b < T(0))) ? T(quotient - 1) : quotient;"""
XLOGY: Final = """\
if (::metal::isnan(b)) {
  return NAN;
}
return a == 0 ? 0.0f : a * ::metal::precise::log(b);"""
LOGADDEXP: Final = """\
if (::metal::isinf(a) && a == b) {
  return a;
}
const float high = ::metal::isnan(a) || ::metal::isnan(b) ? NAN : ::metal::fmax(a, b);
return high + ::c10::metal::log1p(::metal::precise::exp(-::metal::fabs(a - b)));"""
LOGADDEXP2: Final = """\
if (::metal::isinf(a) && a == b) {
  return a;
}
const float high = ::metal::isnan(a) || ::metal::isnan(b) ? NAN : ::metal::fmax(a, b);
return high + ::c10::metal::log1p(::metal::precise::exp2(-::metal::fabs(a - b))) * M_LOG2E_F;"""
MISH: Final = """\
const float softplus = a > 20 ? a : ::c10::metal::log1p(::metal::precise::exp(a));
return a * ::metal::precise::tanh(softplus);"""
MISH_BACKWARD: Final = """\
const float sigmoid = 1 / (1 + ::metal::precise::exp(-b));
const float softplus = b > 20 ? b : ::c10::metal::log1p(::metal::precise::exp(b));
const float inner = ::metal::precise::tanh(softplus);
return a * (inner + b * sigmoid * (1 - inner * inner));"""
SILU_BACKWARD: Final = """\
const float sigmoid = 1 / (1 + ::metal::precise::exp(-b));
return a * sigmoid * (1 + b * (1 - sigmoid));"""
SMOOTH_L1: Final = """\
const float distance = ::metal::fabs(a - b);
return distance < alpha ? 0.5f * distance * distance / alpha : distance - 0.5f * alpha;"""
HUBER: Final = """\
const float distance = ::metal::fabs(a - b);
return distance <= alpha ? 0.5f * distance * distance : alpha * (distance - 0.5f * alpha);"""
HEAVISIDE: Final = "a == 0 ? b : static_cast<float>(a > 0)"
LOGIT: Final = """\
const float p = alpha < 0 ? a : ::metal::clamp(a, float(alpha), 1 - float(alpha));
return ::metal::precise::log(p / (1 - p));"""
EXP_COMPLEX: Final = """\
const float size = ::metal::precise::exp(float(a.x));
return T(size * ::metal::precise::cos(float(a.y)), size * ::metal::precise::sin(float(a.y)));"""
SIN_COMPLEX: Final = """\
const float2 z = float2(a);
return T(
    ::metal::precise::sin(z.x) * ::metal::precise::cosh(z.y),
    ::metal::precise::cos(z.x) * ::metal::precise::sinh(z.y));"""
COS_COMPLEX: Final = """\
const float2 z = float2(a);
return T(
    ::metal::precise::cos(z.x) * ::metal::precise::cosh(z.y),
    -::metal::precise::sin(z.x) * ::metal::precise::sinh(z.y));"""
LOG_COMPLEX: Final = """\
const float2 z = float2(a);
return T(::metal::precise::log(::metal::length(z)), ::metal::precise::atan2(z.y, z.x));"""
SGN_COMPLEX: Final = """\
const float size = ::metal::length(float2(a));
return size == 0 ? T(0) : T(float2(a) / size);"""
# Kahan's, exact where naive ones cancel.
EXPM1: Final = """\
const float grown = ::metal::precise::exp(a);
if (grown == 1 || ::metal::isinf(grown)) {
  return grown == 1 ? a : grown;
}
return grown - 1 == -1 ? -1.0f : (grown - 1) * (a / ::metal::precise::log(grown));"""
LOG1P: Final = """\
const float grown = 1 + a;
if (grown == 1 || ::metal::isinf(grown)) {
  return a;
}
return ::metal::precise::log(grown) * (a / (grown - 1));"""
LGAMMA: Final = """\
if (::metal::isinf(a) || a > 4e36f || a < -8388608.0f) {
  return INFINITY;
}
// For what is this small, gamma is 1 / x, which overflows.
const float size = ::metal::fabs(a);
return size < 1e-20f ? -::metal::precise::log(size) : ::c10::metal::log_gamma(a);"""
ABS_COMPLEX: Final = """\
const float x = ::metal::fabs(float(a.x));
const float y = ::metal::fabs(float(a.y));
const float high = ::metal::fmax(x, y);
const float ratio = ::metal::fmin(x, y) / high;
const bool is_plain = high == 0 || ::metal::isinf(high) || ::metal::isnan(x + y);
return T(is_plain ? x + y : high * ::metal::precise::sqrt(1 + ratio * ratio), 0);"""
NAN_SAFE: Final = "::metal::isnan(a) || ::metal::isnan(b) ? NAN : ::metal::{}(a, b)"
