// sine, cosine and tangent of pi * x, in double and without a table, so that loops over them vectorise.
#pragma once
#pragma clang system_header
#include <mkls/bits.h>

namespace mkls {

// Literals carry L: an unsuffixed one is a float here (-cl-single-precision-constant).
MKLS_INLINE constexpr double sin_quarter(double x) {
  const double t = x * double(3.14159265358979323846264338327950288L), s = t * t;
  double p = double(1.6059043836821614599e-10L);
  p = p * s - double(2.5052108385441718775e-8L);
  p = p * s + double(2.7557319223985890653e-6L);
  p = p * s - double(1.9841269841269841270e-4L);
  p = p * s + double(8.3333333333333333333e-3L);
  p = p * s - double(1.6666666666666666667e-1L);
  return t + t * s * p;
}
MKLS_INLINE constexpr double cos_quarter(double x) {
  const double t = x * double(3.14159265358979323846264338327950288L), s = t * t;
  double p = double(-1.1470745597729724714e-11L);
  p = p * s + double(2.0876756987868098979e-9L);
  p = p * s - double(2.7557319223985890653e-7L);
  p = p * s + double(2.4801587301587301587e-5L);
  p = p * s - double(1.3888888888888888889e-3L);
  p = p * s + double(4.1666666666666666667e-2L);
  p = p * s - double(0.5L);
  return double(1.0f) + s * p;
}

// x = whole / 2 + rest with |rest| <= 1/4; only whole modulo 4 is needed.
struct half_turns {
  int quadrant;
  double rest;
};
MKLS_INLINE half_turns reduce_half_turns(float x) {
  const double twice = double(x) * double(2.0f), whole = __builtin_rint(twice);
  const double wrapped = whole - double(4.0f) * __builtin_floor(whole * double(0.25f));
  return {wrapped == wrapped ? int(wrapped) & 3 : 0, (twice - whole) * double(0.5f)};
}

MKLS_INLINE float sin_half_turns(float x) {
  const half_turns turns = reduce_half_turns(x);
  const double sine = sin_quarter(turns.rest), cosine = cos_quarter(turns.rest);
  const double value = (turns.quadrant & 1) ? cosine : sine;
  return x == 0.0f ? x : float((turns.quadrant & 2) ? -value : value);
}
MKLS_INLINE float cos_half_turns(float x) {
  const half_turns turns = reduce_half_turns(x);
  const double sine = sin_quarter(turns.rest), cosine = cos_quarter(turns.rest);
  const double value = (turns.quadrant & 1) ? -sine : cosine;
  return float((turns.quadrant & 2) ? -value : value);
}
MKLS_INLINE float tan_half_turns(float x) {
  const half_turns turns = reduce_half_turns(x);
  const double sine = sin_quarter(turns.rest), cosine = cos_quarter(turns.rest);
  const double at_pole = turns.quadrant == 1 ? double(__builtin_inff()) : -double(__builtin_inff());
  const double odd = sine == double(0.0f) ? at_pole : -cosine / sine;
  return x == 0.0f ? x : float((turns.quadrant & 1) ? odd : sine / cosine);
}

} // namespace mkls
