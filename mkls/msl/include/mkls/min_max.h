// MSL 6.3 and 6.5: min, max, clamp, abs and their relatives, which exist for integers and floating-point numbers alike.
// Of two floating-point arguments a NaN loses; of two NaNs the result is a NaN.
#pragma once
#pragma clang system_header
#include <mkls/bits.h>

namespace mkls {

// Types of a scalar call: all arguments alike, as in Metal, where other calls are ambiguous; bool counts as int.
template <class T> using promoted_number = metal::conditional_t<__is_same(T, bool), int, if_number<T>>;

template <class T> MKLS_INLINE constexpr T lesser(T a, T b) {
  if constexpr (is_float_scalar<T>)
    return b < a || a != a ? b : a;
  else
    return b < a ? b : a;
}
template <class T> MKLS_INLINE constexpr T greater(T a, T b) {
  if constexpr (is_float_scalar<T>)
    return a < b || a != a ? b : a;
  else
    return a < b ? b : a;
}

} // namespace mkls

namespace metal {

// MSL 6.3, 6.5 min
template <class T> MKLS_INLINE constexpr mkls::promoted_number<T> min(T a, T b) { return mkls::lesser(a, b); }
MKLS_VECTOR2(min, any)
// MSL 6.3, 6.5 max
template <class T> MKLS_INLINE constexpr mkls::promoted_number<T> max(T a, T b) { return mkls::greater(a, b); }
MKLS_VECTOR2(max, any)
// MSL 6.3, 6.5 min3
template <class T> MKLS_INLINE constexpr mkls::promoted_number<T> min3(T a, T b, T c) {
  return mkls::lesser(a, mkls::lesser(b, c));
}
MKLS_VECTOR3(min3, any)
// MSL 6.3, 6.5 max3
template <class T> MKLS_INLINE constexpr mkls::promoted_number<T> max3(T a, T b, T c) {
  return mkls::greater(a, mkls::greater(b, c));
}
MKLS_VECTOR3(max3, any)
// MSL 6.3, 6.5 median3: the middle value
template <class T> MKLS_INLINE constexpr mkls::promoted_number<T> median3(T a, T b, T c) {
  return mkls::greater(mkls::lesser(a, b), mkls::lesser(mkls::greater(a, b), c));
}
MKLS_VECTOR3(median3, any)
// MSL 6.2, 6.3 clamp: min(max(x, low), high), so that a NaN becomes low
template <class T> MKLS_INLINE constexpr mkls::promoted_number<T> clamp(T x, T low, T high) {
  return mkls::lesser(mkls::greater(x, low), high);
}
MKLS_VECTOR3(clamp, any)
// Integer limits of a float, the one mix of scalar types that Metal's clamp takes.
template <class T, class U, enable_if_t<__is_same(T, float) && __is_same(U, int), int> = 0>
MKLS_INLINE constexpr T clamp(T x, U low, U high) {
  return clamp(x, T(low), T(high));
}
// MSL 6.3, 6.5 abs: of the lowest integer, itself
template <class T> MKLS_INLINE constexpr mkls::promoted_number<T> abs(T x) {
  if constexpr (mkls::is_float_scalar<T>)
    return mkls::float_from_bits<T>(mkls::magnitude_bits(x));
  else
    return x < T(0) ? T(ulong(0) - ulong(x)) : x;
}
MKLS_INLINE constexpr float abs(float x) { return __builtin_fabsf(x); }
MKLS_VECTOR1(abs, any)

// MSL 6.5 fmin
MKLS_INLINE constexpr float fmin(float a, float b) { return mkls::lesser(a, b); }
MKLS_INLINE constexpr half fmin(half a, half b) { return mkls::lesser(a, b); }
template <class T> MKLS_INLINE constexpr mkls::if_bfloat<T> fmin(T a, T b) { return mkls::lesser(a, b); }
MKLS_VECTOR2(fmin, floats)
// MSL 6.5 fmax
MKLS_INLINE constexpr float fmax(float a, float b) { return mkls::greater(a, b); }
MKLS_INLINE constexpr half fmax(half a, half b) { return mkls::greater(a, b); }
template <class T> MKLS_INLINE constexpr mkls::if_bfloat<T> fmax(T a, T b) { return mkls::greater(a, b); }
MKLS_VECTOR2(fmax, floats)

#define MKLS_FLOAT3(f, integer_name)                                                                                   \
  MKLS_INLINE constexpr float f(float a, float b, float c) { return integer_name(a, b, c); }                           \
  MKLS_INLINE constexpr half f(half a, half b, half c) { return integer_name(a, b, c); }                               \
  template <class T> MKLS_INLINE constexpr mkls::if_bfloat<T> f(T a, T b, T c) { return integer_name(a, b, c); }       \
  MKLS_VECTOR3(f, floats)
MKLS_FLOAT3(fmin3, min3)       // MSL 6.5 fmin3
MKLS_FLOAT3(fmax3, max3)       // MSL 6.5 fmax3
MKLS_FLOAT3(fmedian3, median3) // MSL 6.5 fmedian3
#undef MKLS_FLOAT3

// MSL 6.5 fabs
MKLS_INLINE constexpr float fabs(float x) { return __builtin_fabsf(x); }
MKLS_INLINE constexpr half fabs(half x) { return mkls::float_from_bits<half>(mkls::magnitude_bits(x)); }
template <class T> MKLS_INLINE constexpr mkls::if_bfloat<T> fabs(T x) { return abs(x); }
MKLS_VECTOR1(fabs, floats)

} // namespace metal
