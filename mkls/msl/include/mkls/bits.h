// Bit views of floats, exponents and the rounding of exact sums: what the functions below are built from.
#pragma once
#pragma clang system_header
#include <mkls/elementwise.h>

namespace mkls {

MKLS_INLINE constexpr uint pattern_of(float x) { return __builtin_bit_cast(uint, x); }
MKLS_INLINE constexpr ushort pattern_of(half x) { return __builtin_bit_cast(ushort, x); }
MKLS_INLINE constexpr ushort pattern_of(bfloat x) { return x.mkls_bits; }
MKLS_INLINE constexpr float float_of(uint bits) { return __builtin_bit_cast(float, bits); }

template <class T> struct float_format;
template <> struct float_format<float> {
  using bits = uint;
  static constexpr uint sign = 0x80000000u, infinity = 0x7f800000u, mantissa = 0x007fffffu;
};
template <> struct float_format<half> {
  using bits = ushort;
  static constexpr ushort sign = 0x8000u, infinity = 0x7c00u, mantissa = 0x03ffu;
};
template <> struct float_format<bfloat> {
  using bits = ushort;
  static constexpr ushort sign = 0x8000u, infinity = 0x7f80u, mantissa = 0x007fu;
};
template <class T> MKLS_INLINE constexpr T float_from_bits(uint bits) {
  return __builtin_bit_cast(T, typename float_format<T>::bits(bits));
}
template <class T> MKLS_INLINE constexpr uint magnitude_bits(T x) { return pattern_of(x) & (float_format<T>::sign - 1u); }
template <class T> MKLS_INLINE constexpr bool is_nan(T x) { return magnitude_bits(x) > float_format<T>::infinity; }

// a + b rounded to odd: rounding it once more, to any shorter format, equals one rounding of the exact sum.
MKLS_INLINE constexpr double sum_to_odd(double a, double b) {
  const double sum = a + b;
  const double part = sum - a;
  const double error = (a - (sum - part)) + (b - part);
  const ulong bits = __builtin_bit_cast(ulong, sum);
  if (error == 0.0f || error != error || (bits & 1u))
    return sum;
  return __builtin_bit_cast(double, (error > 0.0f) == (sum > 0.0f) ? bits + 1u : bits - 1u);
}

} // namespace mkls
