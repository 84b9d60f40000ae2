// Element arithmetic of vector operators where C++ leaves it undefined and Metal does not.
#pragma once
#pragma clang system_header
#include <mkls/bfloat.h>

namespace mkls {

// MSL 3.1: a shift count is taken modulo the width of the shifted (promoted) type.
template <class T> MKLS_INLINE constexpr T shift_left(T value, T count) {
  using U = metal::make_unsigned_t<T>;
  return T(U(ulong(U(value)) << (int(count) & int(8 * sizeof(T) - 1))));
}
template <class T> MKLS_INLINE constexpr T shift_right(T value, T count) {
  return T(value >> (int(count) & int(8 * sizeof(T) - 1)));
}

// MSL 3.1: division by zero is undefined but does not trap; here it gives 0, as does the remainder.
template <class T> MKLS_INLINE constexpr T quotient(T a, T b) {
  if constexpr (__is_integral(T)) {
    if (b == T(0)) {
      MKLS_DIV_ZERO();
      return T(0);
    }
    if constexpr (T(-1) < T(0))
      if (b == T(-1))
        return T(ulong(0) - ulong(a));
  }
  return T(a / b);
}
template <class T> MKLS_INLINE constexpr T remainder(T a, T b) {
  if (b == T(0)) {
    MKLS_DIV_ZERO();
    return T(0);
  }
  if constexpr (T(-1) < T(0))
    if (b == T(-1))
      return T(0);
  return T(a % b);
}

} // namespace mkls
