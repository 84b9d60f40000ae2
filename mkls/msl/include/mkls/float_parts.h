// MSL 6.5: functions that take floating-point numbers apart or put them together.
#pragma once
#pragma clang system_header
#include <mkls/bits.h>
#include <mkls/numeric_limits.h>

namespace mkls {

// Exponent of a finite x other than 0, as for a mantissa in [1, 2).
MKLS_INLINE constexpr int exponent_of(float x) {
  const uint magnitude = magnitude_bits(x);
  if (magnitude >= 0x00800000u)
    return int(magnitude >> 23) - 127;
  return 31 - __builtin_clz(magnitude | 1u) - 149;
}
MKLS_INLINE constexpr double power_of_two(int exponent) {
  return __builtin_bit_cast(double, ulong(exponent + 1023) << 52);
}
MKLS_INLINE constexpr int within(int low, int x, int high) { return x < low ? low : x > high ? high : x; }
// x * 2^k of a float x, exactly, or past the range of float.
MKLS_INLINE constexpr double scaled(double x, int k) { return x * power_of_two(within(-600, k, 600)); }

} // namespace mkls

namespace metal {

// MSL 6.5 copysign
#define MKLS_COPYSIGN                                                                                                  \
  return mkls::float_from_bits<T>(mkls::magnitude_bits(x) | (mkls::pattern_of(y) & mkls::float_format<T>::sign));
MKLS_INLINE constexpr float copysign(float x, float y) { return __builtin_copysignf(x, y); }
MKLS_INLINE constexpr half copysign(half x, half y) {
  using T = half;
  MKLS_COPYSIGN
}
template <class T> MKLS_INLINE constexpr mkls::if_bfloat<T> copysign(T x, T y) { MKLS_COPYSIGN }
MKLS_VECTOR2(copysign, floats)
#undef MKLS_COPYSIGN

// MSL 6.5 ldexp: x * 2^k, rounded once
MKLS_INLINE constexpr float ldexp(float x, int k) { return float(mkls::scaled(x, k)); }
MKLS_INLINE constexpr half ldexp(half x, int k) { return half(mkls::scaled(float(x), k)); }
template <class T> MKLS_INLINE constexpr mkls::if_bfloat<T> ldexp(T x, int k) {
  return bfloat(mkls::scaled(float(x), k));
}
template <class A, class V = mkls::vector_result<mkls::numbers::floats, A>>
MKLS_INLINE constexpr V ldexp(A first, mkls::undeduced<mkls::int_vector<V>> b) {
  const V a(first);
  MKLS_EACH2(V, ldexp)
}

// MSL 6.5 frexp: mantissa in [0.5, 1) and exponent; 0, infinities and NaNs come back with exponent 0
MKLS_INLINE constexpr float frexp(float x, int &exponent) {
  const uint magnitude = mkls::magnitude_bits(x);
  exponent = 0;
  if (magnitude == 0 || magnitude >= 0x7f800000u)
    return x;
  exponent = mkls::exponent_of(x) + 1;
  return float(mkls::scaled(x, -exponent));
}
MKLS_INLINE constexpr half frexp(half x, int &exponent) { return half(frexp(float(x), exponent)); }
template <class T> MKLS_INLINE constexpr mkls::if_bfloat<T> frexp(T x, int &exponent) {
  return bfloat(frexp(float(x), exponent));
}
template <class T, int N> MKLS_INLINE constexpr vec<mkls::if_float<T>, N> frexp(vec<T, N> x, vec<int, N> &exponent) {
  for (int lane = 0; lane < N; ++lane)
    x[lane] = frexp(x[lane], exponent[lane]);
  return x;
}

// MSL 6.5 ilogb
MKLS_INLINE constexpr int ilogb(float x) {
  const uint magnitude = mkls::magnitude_bits(x);
  return magnitude == 0            ? FP_ILOGB0
         : magnitude > 0x7f800000u ? FP_ILOGBNAN
         : magnitude == 0x7f800000u ? INT_MAX
                                    : mkls::exponent_of(x);
}
MKLS_INLINE constexpr int ilogb(half x) { return ilogb(float(x)); }
template <class T, class = mkls::if_bfloat<T>> MKLS_INLINE constexpr int ilogb(T x) { return ilogb(float(x)); }
template <class A, class V = mkls::vector_result<mkls::numbers::floats, A>, class R = mkls::int_vector<V>>
MKLS_INLINE constexpr R ilogb(A first) {
  const V a(first);
  MKLS_EACH1(R, ilogb)
}

// MSL 6.5 nextafter (Metal 3.1): the next number after x towards y
#define MKLS_NEXTAFTER                                                                                                 \
  using F = mkls::float_format<T>;                                                                                     \
  if (mkls::is_nan(x) || mkls::is_nan(y))                                                                              \
    return numeric_limits<T>::quiet_NaN();                                                                             \
  if (x == y)                                                                                                          \
    return y;                                                                                                          \
  if (mkls::magnitude_bits(x) == 0)                                                                                    \
    return mkls::float_from_bits<T>((mkls::pattern_of(y) & F::sign) | 1u);                                                      \
  return mkls::float_from_bits<T>((x < y) == (x > T(0.0f)) ? mkls::pattern_of(x) + 1u : mkls::pattern_of(x) - 1u);
MKLS_INLINE constexpr float nextafter(float x, float y) {
  using T = float;
  MKLS_NEXTAFTER
}
MKLS_INLINE constexpr half nextafter(half x, half y) {
  using T = half;
  MKLS_NEXTAFTER
}
template <class T> MKLS_INLINE constexpr mkls::if_bfloat<T> nextafter(T x, T y) { MKLS_NEXTAFTER }
MKLS_VECTOR2(nextafter, floats)
#undef MKLS_NEXTAFTER

} // namespace metal
