// MSL 6.5: rounding to integers and the functions made of it.
#pragma once
#pragma clang system_header
#include <mkls/bits.h>
#include <mkls/min_max.h>

namespace metal {

// MSL 6.5 ceil
MKLS_INLINE constexpr float ceil(float x) { return __builtin_ceilf(x); }
MKLS_NARROW1(ceil)
// MSL 6.5 floor
MKLS_INLINE constexpr float floor(float x) { return __builtin_floorf(x); }
MKLS_NARROW1(floor)
// MSL 6.5 trunc
MKLS_INLINE constexpr float trunc(float x) { return __builtin_truncf(x); }
MKLS_NARROW1(trunc)
// MSL 6.5 rint: ties to even
MKLS_INLINE constexpr float rint(float x) { return __builtin_rintf(x); }
MKLS_NARROW1(rint)
// MSL 6.5 round: ties away from zero
MKLS_INLINE constexpr float round(float x) {
  const float whole = __builtin_truncf(x);
  return __builtin_copysignf(__builtin_fabsf(x - whole) >= 0.5f ? whole + __builtin_copysignf(1.0f, x) : whole, x);
}
MKLS_NARROW1(round)

// MSL 6.5 fract: x - floor(x), but less than 1
#define MKLS_FRACT(T, below_one)                                                                                       \
  const T part = T(x - floor(x));                                                                                      \
  return part < T(1.0f) ? part : mkls::is_nan(part) ? part : T(below_one);
MKLS_INLINE constexpr float fract(float x) { MKLS_FRACT(float, 0x1.fffffep-1f) }
MKLS_INLINE constexpr half fract(half x) { MKLS_FRACT(half, 0x1.ffcp-1f) }
template <class T> MKLS_INLINE constexpr mkls::if_bfloat<T> fract(T x) { MKLS_FRACT(bfloat, 0x1.fep-1f) }
MKLS_VECTOR1(fract, floats)
#undef MKLS_FRACT

// MSL 6.5 fmod: x - y * trunc(x / y), exactly
MKLS_INLINE float fmod(float x, float y) { return __builtin_fmodf(x, y); }
MKLS_INLINE half fmod(half x, half y) { return half(fmod(float(x), float(y))); }
template <class T> MKLS_INLINE mkls::if_bfloat<T> fmod(T x, T y) { return bfloat(fmod(float(x), float(y))); }
MKLS_VECTOR2(fmod, floats)

// MSL 6.5 modf: returns the fraction, stores the whole part; both have the sign of x
template <class T> MKLS_INLINE constexpr mkls::if_float<T> modf(T x, T &whole) {
  whole = trunc(x);
  const T part = mkls::magnitude_bits(x) == mkls::float_format<T>::infinity ? T(0.0f) : T(x - whole);
  return mkls::float_from_bits<T>(mkls::magnitude_bits(part) | (mkls::pattern_of(x) & mkls::float_format<T>::sign));
}
template <class T, int N> MKLS_INLINE constexpr vec<mkls::if_float<T>, N> modf(vec<T, N> x, vec<T, N> &whole) {
  whole = trunc(x);
  T unused = T(0.0f);
#define MKLS_MODF(x) modf(x, unused)
  const vec<T, N> a = x;
  using V = vec<T, N>;
  MKLS_EACH1(V, MKLS_MODF)
#undef MKLS_MODF
}

} // namespace metal
