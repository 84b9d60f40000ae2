// How a scalar function becomes a vector function: component by component, scalars widened to the vector's type.
#pragma once
#pragma clang system_header
#include <metal_types>

namespace mkls {

template <class A> struct vector_type {
  using type = void;
};
template <class T, int N> struct vector_type<metal::vec<T, N>> {
  using type = metal::vec<T, N>;
};
template <class T, int N> struct vector_type<metal::packed_vec<T, N>> {
  using type = metal::vec<T, N>;
};
template <class A, class... Rest> struct first_vector {
  using own = typename vector_type<A>::type;
  template <class T, class... R> struct pick {
    using type = T;
  };
  template <class... R> struct pick<void, R...> : first_vector<R...> {};
  using type = typename pick<own, Rest...>::type;
};
template <class A> struct first_vector<A> : vector_type<A> {};

enum class numbers { any, floats, integers };
template <numbers Kind, class V>
constexpr bool has_elements = Kind == numbers::floats     ? is_float_scalar<element_of<V>>
                              : Kind == numbers::integers ? is_integer_scalar<element_of<V>>
                                                          : true;
template <class V, class... A>
constexpr bool all_convert = ((__is_convertible(A, V) || is_arithmetic_scalar<A>) && ...);
template <class... A> constexpr bool all_convert<void, A...> = false;

// The vector type of a call with at least one vector among its arguments; no type otherwise.
template <numbers Kind, class... A>
using vector_result = metal::enable_if_t<all_convert<typename first_vector<A...>::type, A...> &&
                                             has_elements<Kind, typename first_vector<A...>::type>,
                                         typename first_vector<A...>::type>;
template <class V> using bool_vector = metal::vec<bool, V::Width>;
template <class V> using int_vector = metal::vec<int, V::Width>;

template <class T> using if_integer = metal::enable_if_t<is_integer_scalar<T>, T>;
template <class T> using if_number = metal::enable_if_t<is_arithmetic_scalar<T>, T>;
template <class T> using if_float = metal::enable_if_t<is_float_scalar<T>, T>;

} // namespace mkls

// Bodies for a call of f on each component of a (and b and c), as a vector R.
#define MKLS_EACH1(R, f)                                                                                               \
  if constexpr (R::Width == 2)                                                                                         \
    return R(f(a.x), f(a.y));                                                                                          \
  else if constexpr (R::Width == 3)                                                                                    \
    return R(f(a.x), f(a.y), f(a.z));                                                                                  \
  else                                                                                                                 \
    return R(f(a.x), f(a.y), f(a.z), f(a.w));
#define MKLS_EACH2(R, f)                                                                                               \
  if constexpr (R::Width == 2)                                                                                         \
    return R(f(a.x, b.x), f(a.y, b.y));                                                                                \
  else if constexpr (R::Width == 3)                                                                                    \
    return R(f(a.x, b.x), f(a.y, b.y), f(a.z, b.z));                                                                   \
  else                                                                                                                 \
    return R(f(a.x, b.x), f(a.y, b.y), f(a.z, b.z), f(a.w, b.w));
#define MKLS_EACH3(R, f)                                                                                               \
  if constexpr (R::Width == 2)                                                                                         \
    return R(f(a.x, b.x, c.x), f(a.y, b.y, c.y));                                                                      \
  else if constexpr (R::Width == 3)                                                                                    \
    return R(f(a.x, b.x, c.x), f(a.y, b.y, c.y), f(a.z, b.z, c.z));                                                    \
  else                                                                                                                 \
    return R(f(a.x, b.x, c.x), f(a.y, b.y, c.y), f(a.z, b.z, c.z), f(a.w, b.w, c.w));

// The vector overloads of a scalar function that is declared before; results have the type of the arguments.
#define MKLS_VECTOR1(f, kind)                                                                                          \
  template <class A, class V = mkls::vector_result<mkls::numbers::kind, A>> MKLS_INLINE constexpr V f(A first) {       \
    const V a(first);                                                                                                  \
    MKLS_EACH1(V, f)                                                                                                   \
  }
#define MKLS_VECTOR2(f, kind)                                                                                          \
  template <class A, class B, class V = mkls::vector_result<mkls::numbers::kind, A, B>>                                \
  MKLS_INLINE constexpr V f(A first, B second) {                                                                       \
    const V a(first), b(second);                                                                                       \
    MKLS_EACH2(V, f)                                                                                                   \
  }
#define MKLS_VECTOR3(f, kind)                                                                                          \
  template <class A, class B, class C, class V = mkls::vector_result<mkls::numbers::kind, A, B, C>>                    \
  MKLS_INLINE constexpr V f(A first, B second, C third) {                                                              \
    const V a(first), b(second), c(third);                                                                             \
    MKLS_EACH3(V, f)                                                                                                   \
  }

// A function of floats whose half and bfloat forms round the float result once.
#define MKLS_NARROW1(f)                                                                                                \
  MKLS_INLINE constexpr half f(half x) { return half(f(float(x))); }                                                   \
  template <class T> MKLS_INLINE constexpr mkls::if_bfloat<T> f(T x) { return bfloat(f(float(x))); }                   \
  MKLS_VECTOR1(f, floats)
#define MKLS_NARROW2(f)                                                                                                \
  MKLS_INLINE constexpr half f(half x, half y) { return half(f(float(x), float(y))); }                                 \
  template <class T> MKLS_INLINE constexpr mkls::if_bfloat<T> f(T x, T y) { return bfloat(f(float(x), float(y))); }    \
  MKLS_VECTOR2(f, floats)
#define MKLS_NARROW3(f)                                                                                                \
  MKLS_INLINE constexpr half f(half x, half y, half z) { return half(f(float(x), float(y), float(z))); }               \
  template <class T> MKLS_INLINE constexpr mkls::if_bfloat<T> f(T x, T y, T z) {                                       \
    return bfloat(f(float(x), float(y), float(z)));                                                                    \
  }                                                                                                                    \
  MKLS_VECTOR3(f, floats)
