// MSL 2.1 bfloat (Metal 3.1): 16 bits, the upper half of a float, rounded to nearest even.
// It converts implicitly to float and from integers; float and half convert to it explicitly only. A class, because
// clang's __bf16 has no cast from or to _Float16. Its functions are templates: public kernels define their own
// non-template `exp(bfloat)` and the like, which then win.
#pragma once
#pragma clang system_header
#include <mkls/type_traits.h>

namespace mkls {

constexpr ushort bfloat_bits(float value) {
  const uint bits = __builtin_bit_cast(uint, value);
  if ((bits & 0x7fffffffu) > 0x7f800000u)
    return ushort((bits >> 16) | 0x40u);
  return ushort((bits + 0x7fffu + ((bits >> 16) & 1u)) >> 16);
}

// The rounding to a float that decides the rounding to a bfloat: to odd, so that two roundings equal one.
template <class T> constexpr float to_float_for_bfloat(T value) {
  if constexpr (sizeof(T) < 4 || __is_same(T, float)) {
    return float(value);
  } else {
    const float nearest = float(value);
    uint bits = __builtin_bit_cast(uint, nearest);
    if (bits & 1u || (bits & 0x7f800000u) == 0x7f800000u)
      return nearest;
    if constexpr (__is_integral(T)) {
      const __int128 error = __int128(value) - __int128(nearest);
      if (error == 0)
        return nearest;
      bits += (error > 0) == (value > T(0)) ? 1u : -1u;
    } else {
      const T error = value - T(nearest);
      if (!(error != T(0)))
        return nearest;
      bits += (error > T(0)) == (value > T(0)) ? 1u : -1u;
    }
    return __builtin_bit_cast(float, bits);
  }
}

} // namespace mkls

namespace mkls {

template <class T> constexpr bool is_bfloat = __is_same(T, bfloat);
template <class T> using if_bfloat = metal::enable_if_t<is_bfloat<T>, T>;
// bfloat with bfloat or an integer stays bfloat; with half or float it becomes float (MSL 2.1).
template <class T, class U>
using bfloat_result =
    metal::enable_if_t<(is_bfloat<T> && is_arithmetic_scalar<U>) || (is_bfloat<U> && is_arithmetic_scalar<T>),
                       metal::conditional_t<(is_bfloat<T> || __is_integral(T)) && (is_bfloat<U> || __is_integral(U)),
                                            bfloat, float>>;
template <class T> using if_other_number = metal::enable_if_t<is_arithmetic_scalar<T> && !is_bfloat<T>, int>;
template <class T> MKLS_INLINE constexpr float widen(T value);

struct any_number {
  any_number(float);
};
template <class T>
constexpr bool converts_to_a_number =
    __is_class(T) && !is_bfloat<T> && __is_convertible(const T &, float) && !__is_convertible(const T &, any_number);

} // namespace mkls

// Operators are friends, found by argument only. An operator function that ordinary lookup finds in a template makes
// clang treat `v.xy * s` as a call before the property v.xy has a type, and reject it.
#define MKLS_BFLOAT_ARITHMETIC(op)                                                                                     \
  template <class T, class U, class R = mkls::bfloat_result<T, U>>                                                     \
  friend MKLS_INLINE constexpr R operator op(T a, U b) {                                                               \
    return R(mkls::widen(a) op mkls::widen(b));                                                                        \
  }                                                                                                                    \
  template <class U, class R = mkls::bfloat_result<bfloat, U>>                                                         \
  friend MKLS_INLINE constexpr bfloat &operator op##=(bfloat &a, U b) {                                                \
    return a = bfloat(mkls::widen(a) op mkls::widen(b));                                                               \
  }                                                                                                                    \
  template <class T, mkls::if_other_number<T> = 0>                                                                     \
  friend MKLS_INLINE constexpr T &operator op##=(T &a, bfloat b) {                                                     \
    return a = T(mkls::widen(a) op mkls::widen(b));                                                                    \
  }                                                                                                                    \
  MKLS_BFLOAT_AND_VECTOR(op)                                                                                           \
  template <class T, int N>                                                                                            \
  friend MKLS_INLINE constexpr metal::vec<T, N> &operator op##=(metal::vec<T, N> &a, bfloat b) {                       \
    return a = a op metal::vec<T, N>(b);                                                                               \
  }
#define MKLS_BFLOAT_AND_VECTOR(op)                                                                                     \
  template <class T, int N> friend MKLS_INLINE constexpr auto operator op(metal::vec<T, N> a, bfloat b) {              \
    return a op metal::vec<T, N>(b);                                                                                   \
  }                                                                                                                    \
  template <class T, int N> friend MKLS_INLINE constexpr auto operator op(bfloat a, metal::vec<T, N> b) {              \
    return metal::vec<T, N>(a) op b;                                                                                   \
  }
#define MKLS_BFLOAT_COMPARISON(op)                                                                                     \
  template <class T, class U, class R = mkls::bfloat_result<T, U>>                                                     \
  friend MKLS_INLINE constexpr bool operator op(T a, U b) {                                                            \
    return mkls::widen(a) op mkls::widen(b);                                                                           \
  }                                                                                                                    \
  MKLS_BFLOAT_AND_VECTOR(op)
#define MKLS_BFLOAT_STEP(op, sign)                                                                                     \
  friend MKLS_INLINE constexpr bfloat &operator op(bfloat &a) { return a = bfloat(mkls::widen(a) sign 1.0f); }         \
  friend MKLS_INLINE constexpr bfloat operator op(bfloat &a, int) {                                                    \
    const bfloat before = a;                                                                                           \
    op a;                                                                                                              \
    return before;                                                                                                     \
  }

struct bfloat {
  ushort mkls_bits;

  bfloat() = default;
  template <class T, metal::enable_if_t<__is_integral(T), int> = 0>
  MKLS_INLINE constexpr bfloat(T value) : mkls_bits(mkls::bfloat_bits(mkls::to_float_for_bfloat(value))) {}
  template <class T, metal::enable_if_t<__is_floating_point(T) || __is_same(T, half), int> = 0>
  MKLS_INLINE constexpr explicit bfloat(T value) : mkls_bits(mkls::bfloat_bits(mkls::to_float_for_bfloat(value))) {}
  template <class T, metal::enable_if_t<__is_enum(T), int> = 0>
  MKLS_INLINE constexpr explicit bfloat(T value) : bfloat(static_cast<__underlying_type(T)>(value)) {}

  // From a type of the user's that converts to bool or a number, but not from one that converts to bfloat itself.
  template <class T, metal::enable_if_t<mkls::converts_to_a_number<T>, int> = 0>
  MKLS_INLINE constexpr bfloat(const T &value) : bfloat(bfloat(float(value))) {}

  // A template, so that no second conversion follows: `flag ? x : 0` stays a bfloat. Hence also the one gap: to an
  // integer other than bool it converts explicitly only.
  template <class T, metal::enable_if_t<__is_same(T, float) || __is_same(T, double) || __is_same(T, bool), int> = 0>
  MKLS_INLINE constexpr operator T() const {
    return T(__builtin_bit_cast(float, uint(mkls_bits) << 16));
  }
  template <class T, metal::enable_if_t<mkls::is_integer_scalar<T> || __is_same(T, half), int> = 0>
  MKLS_INLINE constexpr explicit operator T() const {
    return T(__builtin_bit_cast(float, uint(mkls_bits) << 16));
  }

  MKLS_BFLOAT_ARITHMETIC(+)
  MKLS_BFLOAT_ARITHMETIC(-)
  MKLS_BFLOAT_ARITHMETIC(*)
  MKLS_BFLOAT_ARITHMETIC(/)
  MKLS_BFLOAT_COMPARISON(==)
  MKLS_BFLOAT_COMPARISON(!=)
  MKLS_BFLOAT_COMPARISON(<)
  MKLS_BFLOAT_COMPARISON(>)
  MKLS_BFLOAT_COMPARISON(<=)
  MKLS_BFLOAT_COMPARISON(>=)
  MKLS_BFLOAT_STEP(++, +)
  MKLS_BFLOAT_STEP(--, -)
  friend MKLS_INLINE constexpr bfloat operator+(bfloat a) { return a; }
  friend MKLS_INLINE constexpr bfloat operator-(bfloat a) {
    a.mkls_bits ^= 0x8000u;
    return a;
  }
};
#undef MKLS_BFLOAT_ARITHMETIC
#undef MKLS_BFLOAT_AND_VECTOR
#undef MKLS_BFLOAT_COMPARISON
#undef MKLS_BFLOAT_STEP

template <class T> MKLS_INLINE constexpr float mkls::widen(T value) {
  if constexpr (__is_integral(T))
    return float(bfloat(value));
  else
    return float(value);
}

namespace metal {
using ::bfloat;
}
static_assert(sizeof(bfloat) == 2 && alignof(bfloat) == 2, "MSL 2.1: a bfloat has 2 bytes");
