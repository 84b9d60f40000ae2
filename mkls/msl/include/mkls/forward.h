// Names that the type traits must know before the types are defined.
#pragma once
#pragma clang system_header
#include <mkls/scalar_types.h>

struct bfloat;

namespace metal {
template <class T, int N> struct vec;
template <class T, int N> struct packed_vec;
template <class T, int Columns, int Rows> struct matrix;
} // namespace metal

namespace mkls {

// Element type and width of scalars (width 1), vectors and packed vectors.
template <class T> struct shape {
  using element = T;
  static constexpr int width = 1;
};
template <class T> struct shape<const T> : shape<T> {};
template <class T> struct shape<volatile T> : shape<T> {};
template <class T> struct shape<const volatile T> : shape<T> {};
template <class T, int N> struct shape<metal::vec<T, N>> {
  using element = T;
  static constexpr int width = N;
};
template <class T, int N> struct shape<metal::packed_vec<T, N>> {
  using element = T;
  static constexpr int width = N;
};
template <class T> using element_of = typename shape<T>::element;

// A type that a call does not deduce.
template <class T> struct same_as {
  using type = T;
};
template <class T> using undeduced = typename same_as<T>::type;

template <class T> struct is_vector {
  static constexpr bool value = false;
};
template <class T, int N> struct is_vector<metal::vec<T, N>> {
  static constexpr bool value = true;
};
template <class T, int N> struct is_vector<metal::packed_vec<T, N>> {
  static constexpr bool value = true;
};

template <class T> constexpr bool is_float_scalar = __is_floating_point(T);
template <> inline constexpr bool is_float_scalar<half> = true;
template <> inline constexpr bool is_float_scalar<bfloat> = true;
template <class T> constexpr bool is_integer_scalar = __is_integral(T) && !__is_same(T, bool);
template <class T> constexpr bool is_arithmetic_scalar = is_float_scalar<T> || __is_integral(T);

} // namespace mkls
