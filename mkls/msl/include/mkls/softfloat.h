// Conversions between half and float that clang calls when the processor has none; rounding is to nearest even.
// Weak, so that a runtime may define them too.
#pragma once
#pragma clang system_header
#include <mkls/bfloat.h>

namespace mkls {

constexpr ushort half_bits(float value) {
  const uint bits = __builtin_bit_cast(uint, value);
  const uint sign = (bits >> 16) & 0x8000u, magnitude = bits & 0x7fffffffu;
  if (magnitude > 0x7f800000u)
    return ushort(sign | 0x7e00u | ((magnitude >> 13) & 0x1ffu));
  if (magnitude >= 0x477ff000u)
    return ushort(sign | 0x7c00u);
  if (magnitude >= 0x38800000u) {
    const uint rebiased = magnitude - 0x38000000u;
    return ushort(sign | ((rebiased + 0xfffu + ((rebiased >> 13) & 1u)) >> 13));
  }
  if (magnitude <= 0x33000000u)
    return ushort(sign);
  const uint shift = 126u - (magnitude >> 23), mantissa = (magnitude & 0x7fffffu) | 0x800000u;
  const uint lost = mantissa & ((1u << shift) - 1u), tie = 1u << (shift - 1u);
  const uint kept = mantissa >> shift;
  return ushort(sign | (kept + uint(lost > tie || (lost == tie && (kept & 1u)))));
}

constexpr float float_of_half_bits(ushort bits) {
  const uint sign = uint(bits & 0x8000u) << 16, exponent = (bits >> 10) & 0x1fu, mantissa = bits & 0x3ffu;
  if (exponent == 0x1fu)
    return __builtin_bit_cast(float, sign | 0x7f800000u | (mantissa << 13) | (mantissa ? 0x400000u : 0u));
  if (exponent)
    return __builtin_bit_cast(float, sign | ((exponent + 112u) << 23) | (mantissa << 13));
  const float magnitude = float(mantissa) * 0x1p-24f;
  return sign ? -magnitude : magnitude;
}

} // namespace mkls

#define MKLS_SOFT extern "C" __attribute__((weak, used, noinline, nodebug))
MKLS_SOFT half __truncsfhf2(float value) { return __builtin_bit_cast(half, mkls::half_bits(value)); }
MKLS_SOFT half __truncdfhf2(double value) {
  return __builtin_bit_cast(half, mkls::half_bits(mkls::to_float_for_bfloat(value)));
}
MKLS_SOFT float __extendhfsf2(half value) { return mkls::float_of_half_bits(__builtin_bit_cast(ushort, value)); }
MKLS_SOFT ushort __gnu_f2h_ieee(float value) { return mkls::half_bits(value); }
MKLS_SOFT float __gnu_h2f_ieee(ushort bits) { return mkls::float_of_half_bits(bits); }
#undef MKLS_SOFT
