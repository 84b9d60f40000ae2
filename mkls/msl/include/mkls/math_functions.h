// MSL 6.5: exponential, logarithmic, trigonometric and arithmetic functions.
// The float forms are the ones of the headers below, which vectorise, or call the C library's functions, which the
// runtime links; half and bfloat round their results once.
#pragma once
#pragma clang system_header
#include <mkls/arc_tangent.h>
#include <mkls/bits.h>
#include <mkls/exponential.h>
#include <mkls/half_turns.h>
#include <mkls/numeric_limits.h>

namespace metal {

#define MKLS_LIBRARY1(name)                                                                                            \
  MKLS_INLINE float name(float x) { return __builtin_##name##f(x); }                                                   \
  MKLS_MATH1(name)
#define MKLS_MATH1(f)                                                                                                  \
  MKLS_INLINE half f(half x) { return half(f(float(x))); }                                                             \
  template <class T> MKLS_INLINE mkls::if_bfloat<T> f(T x) { return bfloat(f(float(x))); }                             \
  MKLS_VECTOR1(f, floats)
#define MKLS_MATH2(f)                                                                                                  \
  MKLS_INLINE half f(half x, half y) { return half(f(float(x), float(y))); }                                           \
  template <class T> MKLS_INLINE mkls::if_bfloat<T> f(T x, T y) { return bfloat(f(float(x), float(y))); }              \
  MKLS_VECTOR2(f, floats)

MKLS_LIBRARY1(acos)  // MSL 6.5 acos
MKLS_LIBRARY1(acosh) // MSL 6.5 acosh
MKLS_LIBRARY1(asin)  // MSL 6.5 asin
MKLS_LIBRARY1(asinh) // MSL 6.5 asinh
MKLS_LIBRARY1(atanh) // MSL 6.5 atanh
MKLS_LIBRARY1(cos)   // MSL 6.5 cos
MKLS_LIBRARY1(log)   // MSL 6.5 log
MKLS_LIBRARY1(log10) // MSL 6.5 log10
MKLS_LIBRARY1(log2)  // MSL 6.5 log2
MKLS_LIBRARY1(sin)   // MSL 6.5 sin
MKLS_LIBRARY1(sqrt)  // MSL 6.5 sqrt
MKLS_LIBRARY1(tan)   // MSL 6.5 tan

// MSL 6.5 atan
MKLS_INLINE float atan(float x) { return mkls::arc_tangent(x, 1.0f); }
MKLS_MATH1(atan)
// MSL 6.5 cosh
MKLS_INLINE float cosh(float x) { return mkls::hyperbolic_cosine(x); }
MKLS_MATH1(cosh)
// MSL 6.5 exp
MKLS_INLINE float exp(float x) { return mkls::exponential(x, 0); }
MKLS_MATH1(exp)
// MSL 6.5 exp2
MKLS_INLINE float exp2(float x) { return mkls::exponential2(x); }
MKLS_MATH1(exp2)
// MSL 6.5 sinh
MKLS_INLINE float sinh(float x) { return mkls::hyperbolic_sine(x); }
MKLS_MATH1(sinh)
// MSL 6.5 tanh
MKLS_INLINE float tanh(float x) { return mkls::hyperbolic_tangent(x); }
MKLS_MATH1(tanh)
// MSL 6.5 exp10
MKLS_INLINE float exp10(float x) { return float(__builtin_exp2(double(x) * double(3.32192809488736234787031942948939L))); }
MKLS_MATH1(exp10)
// MSL 6.5 rsqrt
MKLS_INLINE float rsqrt(float x) { return 1.0f / __builtin_sqrtf(x); }
MKLS_MATH1(rsqrt)
// MSL 6.5 sinpi
MKLS_INLINE float sinpi(float x) { return mkls::sin_half_turns(x); }
MKLS_MATH1(sinpi)
// MSL 6.5 cospi
MKLS_INLINE float cospi(float x) { return mkls::cos_half_turns(x); }
MKLS_MATH1(cospi)
// MSL 6.5 tanpi
MKLS_INLINE float tanpi(float x) { return mkls::tan_half_turns(x); }
MKLS_MATH1(tanpi)

// MSL 6.5 atan2
MKLS_INLINE float atan2(float y, float x) { return mkls::arc_tangent(y, x); }
MKLS_MATH2(atan2)
// MSL 6.5 pow
MKLS_INLINE float pow(float x, float y) { return __builtin_powf(x, y); }
MKLS_MATH2(pow)
// MSL 6.5 powr: pow for x >= 0; a NaN where x < 0 and for 0^0, 1^inf and inf^0
MKLS_INLINE float powr(float x, float y) {
  const bool undefined = !(x >= 0.0f) || y != y || (x == 0.0f && y == 0.0f) ||
                         (x == 1.0f && __builtin_isinf(y)) || (__builtin_isinf(x) && y == 0.0f);
  return undefined ? __builtin_nanf("") : __builtin_powf(x, y);
}
MKLS_MATH2(powr)

// MSL 6.5 divide
MKLS_INLINE constexpr float divide(float x, float y) { return x / y; }
MKLS_NARROW2(divide)
// MSL 6.5 fdim: x - y where x > y, else 0
MKLS_INLINE constexpr float fdim(float x, float y) { return x != x || y != y ? x + y : x > y ? x - y : 0.0f; }
MKLS_NARROW2(fdim)

// MSL 6.5 fma: one rounding
MKLS_INLINE float fma(float x, float y, float z) { return __builtin_fmaf(x, y, z); }
MKLS_INLINE half fma(half x, half y, half z) {
  return half(mkls::sum_to_odd(double(float(x)) * double(float(y)), double(float(z))));
}
template <class T> MKLS_INLINE mkls::if_bfloat<T> fma(T x, T y, T z) {
  return bfloat(mkls::sum_to_odd(double(float(x)) * double(float(y)), double(float(z))));
}
MKLS_VECTOR3(fma, floats)

// MSL 6.5 sincos: returns the sine, stores the cosine
template <class T> MKLS_INLINE mkls::if_float<T> sincos(T x, T &cosine) {
  cosine = cos(x);
  return sin(x);
}
template <class T, int N> MKLS_INLINE vec<mkls::if_float<T>, N> sincos(vec<T, N> x, vec<T, N> &cosine) {
  cosine = cos(x);
  return sin(x);
}

#undef MKLS_LIBRARY1
#undef MKLS_MATH1
#undef MKLS_MATH2

} // namespace metal
