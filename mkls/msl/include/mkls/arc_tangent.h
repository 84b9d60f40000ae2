// atan2 without branches or calls, so that loops over threads become vector code.
// Error below 2 ulp (MSL 8.1 allows 6); zeros, infinities and NaNs as C's atan2f.
#pragma once
#pragma clang system_header
#include <mkls/bits.h>

namespace mkls {

// (atan(q)/q - 1)/q^2 as a polynomial in s = q^2 for q in [0, 1]: least squares, reweighted until the relative
// error of atan(q) is level (1.7e-8).
MKLS_INLINE float arc_tangent_tail(float s) {
  float p = 0.0029206459876149893f;
  p = p * s - 0.016367744654417038f;
  p = p * s + 0.04321156442165375f;
  p = p * s - 0.07552189379930496f;
  p = p * s + 0.10665993392467499f;
  p = p * s - 0.14211052656173706f;
  p = p * s + 0.19993773102760315f;
  return p * s - 0.33333152532577515f;
}

// Each constant comes with what its rounding to float left over.
MKLS_INLINE float arc_tangent(float y, float x) {
  const float kHalfPi = 1.57079637050628662109375f, kHalfPiRest = -4.37113900018624283e-8f;
  const float kPi = 3.1415927410125732421875f, kPiRest = -8.74227800037248566e-8f;
  const float a = __builtin_fabsf(y), b = __builtin_fabsf(x);
  const float low = a < b ? a : b, high = a < b ? b : a;
  float q = low / high;
  q = high == 0.0f ? 0.0f : q;
  q = low == high && high != 0.0f ? 1.0f : q;  // two infinities too
  const float s = q * q;
  float angle = q + q * (s * arc_tangent_tail(s));
  angle = a > b ? kHalfPi - (angle - kHalfPiRest) : angle;
  angle = __builtin_copysignf(1.0f, x) < 0.0f ? kPi - (angle - kPiRest) : angle;
  angle = __builtin_copysignf(angle, y);
  return x != x || y != y ? x + y : angle;
}

}  // namespace mkls
