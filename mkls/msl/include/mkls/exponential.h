// exp, exp2 and the hyperbolic functions without branches or calls, so that loops over threads become vector code.
// Errors stay below 2 ulp (MSL 8.1 allows 4, of tanh 5); zeros, infinities, denormals and NaNs as C has them.
#pragma once
#pragma clang system_header
#include <mkls/bits.h>

namespace mkls {

// 2^power * e^rest for |rest| <= log(2) / 2. The two factors are normal, so that only the last product rounds,
// denormal results too. The polynomial is (e^r - 1 - r) / r^2, least squares reweighted until the error is level (4e-9).
MKLS_INLINE float scaled_exponential(float rest, int power) {
  float p = 0.00138146f;
  p = p * rest + 0.00836874f;
  p = p * rest + 0.04166839f;
  p = p * rest + 0.1666652f;
  p = p * rest + 0.49999993f;
  p = 1.0f + (rest + rest * rest * p);
  const int half_power = power >> 1;
  return p * float_of(uint(half_power + 127) << 23) * float_of(uint(power - half_power + 127) << 23);
}

// 2^extra * e^x. Beyond the limits the result is 0 or an infinity whatever `extra` (-1 or 0) is; a NaN stays one.
MKLS_INLINE float exponential(float x, int extra) {
  const float kLog2 = 0.693145751953125f, kLog2Rest = 1.42860682030941723e-6f;  // the first has 16 bits
  x = x < -105.0f ? -105.0f : x;
  x = x > 90.0f ? 90.0f : x;
  const float whole = __builtin_rintf(x * 1.44269504088896340736f);
  return scaled_exponential((x - whole * kLog2) - whole * kLog2Rest, int(whole) + extra);
}
MKLS_INLINE float exponential2(float x) {
  x = x < -151.0f ? -151.0f : x;
  x = x > 129.0f ? 129.0f : x;
  const float whole = __builtin_rintf(x);
  return scaled_exponential((x - whole) * 0.693147180559945309417f, int(whole));
}

// Near 0 odd polynomials, (tanh(a)/a - 1)/a^2 and (sinh(a)/a - 1)/a^2 in s = a^2; elsewhere from e^a.
MKLS_INLINE float tanh_tail(float s) {
  float p = -0.00619872f;
  p = p * s + 0.02102055f;
  p = p * s - 0.05384052f;
  p = p * s + 0.13332481f;
  return p * s - 0.33333315f;
}
MKLS_INLINE float sinh_tail(float s) {
  float p = 2.81695137e-06f;
  p = p * s + 1.98361597e-04f;
  p = p * s + 8.33335006e-03f;
  return p * s + 1.66666665e-01f;
}
MKLS_INLINE float hyperbolic_tangent(float x) {
  const float a = __builtin_fabsf(x), s = a * a;
  const float near = a + a * (s * tanh_tail(s));
  const float far = 1.0f - 2.0f / (exponential(a + a, 0) + 1.0f);
  return __builtin_copysignf(a < 0.56f ? near : far, x);
}
MKLS_INLINE float hyperbolic_sine(float x) {
  const float a = __builtin_fabsf(x), s = a * a, grown = exponential(a, -1);
  const float near = a + a * (s * sinh_tail(s));
  return __builtin_copysignf(a < 1.0f ? near : grown - 0.25f / grown, x);
}
MKLS_INLINE float hyperbolic_cosine(float x) {
  const float grown = exponential(__builtin_fabsf(x), -1);
  return grown + 0.25f / grown;
}

} // namespace mkls
