// numeric_limits of C++17 for every scalar type of MSL 2.1.
#pragma once
#pragma clang system_header
#include <mkls/limit_macros.h>

namespace metal {

enum float_denorm_style { denorm_indeterminate = -1, denorm_absent = 0, denorm_present = 1 };
enum float_round_style {
  round_indeterminate = -1,
  round_toward_zero = 0,
  round_to_nearest = 1,
  round_toward_infinity = 2,
  round_toward_neg_infinity = 3
};

#define MKLS_COMMON_LIMITS(integer, signed_, bounded_modulo)                                                           \
  static constexpr bool is_specialized = true, is_signed = signed_, is_integer = integer, is_exact = integer;          \
  static constexpr bool has_infinity = !integer, has_quiet_NaN = !integer, has_signaling_NaN = !integer;               \
  static constexpr bool is_iec559 = !integer, is_bounded = true, is_modulo = bounded_modulo, traps = false;            \
  static constexpr bool tinyness_before = false, has_denorm_loss = false;                                              \
  static constexpr float_denorm_style has_denorm = integer ? denorm_absent : denorm_present;                           \
  static constexpr float_round_style round_style = integer ? round_toward_zero : round_to_nearest;                     \
  static constexpr int radix = 2;

// Public kernels specialise these two of Apple's names for types of their own.
template <class T> struct _numeric_limits_impl {
  static constexpr bool is_specialized = false;
};
struct _fp_numeric_limits_impl_base {
  MKLS_COMMON_LIMITS(false, true, false)
};
template <class T> struct numeric_limits : _numeric_limits_impl<T> {};
template <class T> struct numeric_limits<const T> : numeric_limits<T> {};
template <class T> struct numeric_limits<volatile T> : numeric_limits<T> {};

#define MKLS_INTEGER_LIMITS(T, low, high)                                                                              \
  template <> struct _numeric_limits_impl<T> {                                                                         \
    MKLS_COMMON_LIMITS(true, (low) != 0, (low) == 0)                                                                   \
    static constexpr int digits = __is_same(T, bool) ? 1 : 8 * int(sizeof(T)) - int((low) != 0);                       \
    static constexpr int digits10 = digits * 30103 / 100000, max_digits10 = 0;                                         \
    static constexpr int min_exponent = 0, min_exponent10 = 0, max_exponent = 0, max_exponent10 = 0;                   \
    static constexpr T min() { return T(low); }                                                                        \
    static constexpr T lowest() { return T(low); }                                                                     \
    static constexpr T max() { return T(high); }                                                                       \
    static constexpr T epsilon() { return T(0); }                                                                      \
    static constexpr T round_error() { return T(0); }                                                                  \
    static constexpr T infinity() { return T(0); }                                                                     \
    static constexpr T quiet_NaN() { return T(0); }                                                                    \
    static constexpr T signaling_NaN() { return T(0); }                                                                \
    static constexpr T denorm_min() { return T(0); }                                                                   \
  };
MKLS_INTEGER_LIMITS(bool, 0, 1)
MKLS_INTEGER_LIMITS(char, CHAR_MIN, CHAR_MAX)
MKLS_INTEGER_LIMITS(int8_t, CHAR_MIN, CHAR_MAX)
MKLS_INTEGER_LIMITS(uchar, 0, UCHAR_MAX)
MKLS_INTEGER_LIMITS(short, SHRT_MIN, SHRT_MAX)
MKLS_INTEGER_LIMITS(ushort, 0, USHRT_MAX)
MKLS_INTEGER_LIMITS(int, INT_MIN, INT_MAX)
MKLS_INTEGER_LIMITS(uint, 0, UINT_MAX)
MKLS_INTEGER_LIMITS(long, LONG_MIN, LONG_MAX)
MKLS_INTEGER_LIMITS(ulong, 0, ULONG_MAX)
#undef MKLS_INTEGER_LIMITS

#define MKLS_FLOAT_LIMITS(T, prefix, bits_type, quiet, signaling)                                                      \
  template <> struct _numeric_limits_impl<T> {                                                                         \
    MKLS_COMMON_LIMITS(false, true, false)                                                                             \
    static constexpr int digits = prefix##_MANT_DIG, digits10 = prefix##_DIG, max_digits10 = prefix##_DECIMAL_DIG;     \
    static constexpr int min_exponent = prefix##_MIN_EXP, min_exponent10 = prefix##_MIN_10_EXP;                        \
    static constexpr int max_exponent = prefix##_MAX_EXP, max_exponent10 = prefix##_MAX_10_EXP;                        \
    static constexpr T min() { return prefix##_MIN; }                                                                  \
    static constexpr T lowest() { return T(-float(prefix##_MAX)); }                                                    \
    static constexpr T max() { return prefix##_MAX; }                                                                  \
    static constexpr T epsilon() { return prefix##_EPSILON; }                                                          \
    static constexpr T round_error() { return T(0.5f); }                                                               \
    static constexpr T infinity() { return T(__builtin_inff()); }                                                      \
    static constexpr T quiet_NaN() { return __builtin_bit_cast(T, bits_type(quiet)); }                                 \
    static constexpr T signaling_NaN() { return __builtin_bit_cast(T, bits_type(signaling)); }                         \
    static constexpr T denorm_min() { return __builtin_bit_cast(T, bits_type(1)); }                                    \
  };
MKLS_FLOAT_LIMITS(float, FLT, uint, 0x7fc00000u, 0x7fa00000u)
MKLS_FLOAT_LIMITS(half, HALF, ushort, 0x7e00u, 0x7d00u)
MKLS_FLOAT_LIMITS(bfloat, BFLT, ushort, 0x7fc0u, 0x7fa0u)
#undef MKLS_FLOAT_LIMITS
#undef MKLS_COMMON_LIMITS

} // namespace metal
