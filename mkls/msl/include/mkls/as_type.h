// MSL 2.22 (type conversions and reinterpreting data): as_type<T>(x), x's bits as a T of the same size.
#pragma once
#pragma clang system_header
#include <mkls/vector.h>

template <class To, class From> MKLS_INLINE constexpr To as_type(From from) {
  static_assert(sizeof(To) == sizeof(From), "MSL: as_type needs types of the same size");
  if constexpr (__is_same(To, From)) {
    return from;
  } else if constexpr (__is_trivially_copyable(To) && __is_trivially_copyable(From)) {
    return __builtin_bit_cast(To, from);
  } else {
    To to = {};
    __builtin_memcpy_inline(&to, &from, sizeof(To));
    return to;
  }
}
namespace metal {
using ::as_type;
}
