// MSL 2.2 vector types and 2.2.3 packed vector types: metal::vec and metal::packed_vec of 2, 3 and 4 components.
#pragma once
#pragma clang system_header
#include <metal_initializer_list>
#include <mkls/arithmetic.h>
#include <mkls/runtime.h>

namespace mkls {

// MSL 2.2.2: a constructor takes scalars and vectors whose components fill the vector exactly.
template <class T, int N, class... A>
constexpr bool fills_vector = (sizeof...(A) > 1) && ((0 + ... + shape<A>::width) == N) &&
                              (__is_same(T, bfloat) || (is_vector<A>::value || ...)) &&
                              ((is_vector<A>::value || is_arithmetic_scalar<A> || __is_enum(A)) && ...);

template <class V, class A> MKLS_INLINE constexpr void append(V &vector, int &lane, A value) {
  using T = element_of<V>;
  if constexpr (is_vector<A>::value) {
    for (int i = 0; i < shape<A>::width; ++i)
      vector[lane++] = T(value[i]);
  } else {
    vector[lane++] = T(value);
  }
}

template <int N, class V> MKLS_INLINE constexpr auto &lane_of(V &vector, long lane) {
  if constexpr (N == 2)
    return lane == 0 ? vector.x : vector.y;
  else if constexpr (N == 3)
    return lane == 0 ? vector.x : lane == 1 ? vector.y : vector.z;
  else
    return lane == 0 ? vector.x : lane == 1 ? vector.y : lane == 2 ? vector.z : vector.w;
}

// `uint4 v = {a, b, c}`: braces fill from the front, the rest is zero; one value fills all.
template <class V, class T> MKLS_INLINE constexpr void assign_braced(V &vector, const T *values, size_t count) {
  for (int lane = 0; lane < V::Width; ++lane)
    vector[lane] = count == 1 ? *values : lane < int(count) ? values[lane] : T();
}

} // namespace mkls

namespace metal {

#include <mkls/vector_members.h>
#include <mkls/packed_operators.h>
#include <mkls/vector_operators.h>

#define MKLS_LANES(e, arg) e(x, arg), e(y, arg)
template <class T> struct alignas(2 * sizeof(T)) vec<T, 2> {
  static constexpr int Width = 2;
  T x, y;
  MKLS_VECTOR_MEMBERS(vec)
  MKLS_INLINE constexpr vec(T a, T b) : x(a), y(b) {}
  MKLS_INLINE constexpr vec(packed_vec<T, 2> v) : x(v.x), y(v.y) {}
  MKLS_VECTOR_OPERATORS
  MKLS_COLOUR(r, x)
  MKLS_COLOUR(g, y)
#include <mkls/swizzle2.h>
};
template <class T> struct packed_vec<T, 2> {
  static constexpr int Width = 2;
  using Unpacked = vec<T, 2>;
  T x, y;
  MKLS_VECTOR_MEMBERS(packed_vec)
  MKLS_INLINE constexpr packed_vec(T a, T b) : x(a), y(b) {}
  MKLS_INLINE constexpr packed_vec(vec<T, 2> v) : x(v.x), y(v.y) {}
  MKLS_PACKED_OPERATORS
  MKLS_COLOUR(r, x)
  MKLS_COLOUR(g, y)
#include <mkls/swizzle2.h>
};
#undef MKLS_LANES

#define MKLS_LANES(e, arg) e(x, arg), e(y, arg), e(z, arg)
template <class T> struct alignas(4 * sizeof(T)) vec<T, 3> {
  static constexpr int Width = 3;
  T x, y, z;
  MKLS_VECTOR_MEMBERS(vec)
  MKLS_INLINE constexpr vec(T a, T b, T c) : x(a), y(b), z(c) {}
  MKLS_INLINE constexpr vec(packed_vec<T, 3> v) : x(v.x), y(v.y), z(v.z) {}
  // Copies the components alone: the padding is neither read nor written.
  MKLS_INLINE constexpr vec(const vec &v) : x(v.x), y(v.y), z(v.z) {}
  MKLS_INLINE constexpr vec &operator=(const vec &v) {
    x = v.x, y = v.y, z = v.z;
    return *this;
  }
  MKLS_VECTOR_OPERATORS
  MKLS_COLOUR(r, x)
  MKLS_COLOUR(g, y)
  MKLS_COLOUR(b, z)
#include <mkls/swizzle3.h>
};
template <class T> struct packed_vec<T, 3> {
  static constexpr int Width = 3;
  using Unpacked = vec<T, 3>;
  T x, y, z;
  MKLS_VECTOR_MEMBERS(packed_vec)
  MKLS_INLINE constexpr packed_vec(T a, T b, T c) : x(a), y(b), z(c) {}
  MKLS_INLINE constexpr packed_vec(vec<T, 3> v) : x(v.x), y(v.y), z(v.z) {}
  MKLS_PACKED_OPERATORS
  MKLS_COLOUR(r, x)
  MKLS_COLOUR(g, y)
  MKLS_COLOUR(b, z)
#include <mkls/swizzle3.h>
};
#undef MKLS_LANES

#define MKLS_LANES(e, arg) e(x, arg), e(y, arg), e(z, arg), e(w, arg)
template <class T> struct alignas(4 * sizeof(T)) vec<T, 4> {
  static constexpr int Width = 4;
  T x, y, z, w;
  MKLS_VECTOR_MEMBERS(vec)
  MKLS_INLINE constexpr vec(T a, T b, T c, T d) : x(a), y(b), z(c), w(d) {}
  MKLS_INLINE constexpr vec(packed_vec<T, 4> v) : x(v.x), y(v.y), z(v.z), w(v.w) {}
  MKLS_VECTOR_OPERATORS
  MKLS_COLOUR(r, x)
  MKLS_COLOUR(g, y)
  MKLS_COLOUR(b, z)
  MKLS_COLOUR(a, w)
#include <mkls/swizzle4.h>
};
template <class T> struct packed_vec<T, 4> {
  static constexpr int Width = 4;
  using Unpacked = vec<T, 4>;
  T x, y, z, w;
  MKLS_VECTOR_MEMBERS(packed_vec)
  MKLS_INLINE constexpr packed_vec(T a, T b, T c, T d) : x(a), y(b), z(c), w(d) {}
  MKLS_INLINE constexpr packed_vec(vec<T, 4> v) : x(v.x), y(v.y), z(v.z), w(v.w) {}
  MKLS_PACKED_OPERATORS
  MKLS_COLOUR(r, x)
  MKLS_COLOUR(g, y)
  MKLS_COLOUR(b, z)
  MKLS_COLOUR(a, w)
#include <mkls/swizzle4.h>
};
#undef MKLS_LANES

#undef MKLS_COLOUR
#undef MKLS_COMPARISON
#undef MKLS_LANE_BINARY
#undef MKLS_LANE_CALL
#undef MKLS_LANE_COMPARE
#undef MKLS_LANE_CONVERT
#undef MKLS_LANE_INDEX
#undef MKLS_LANE_PREFIX
#undef MKLS_LANE_SPLAT
#undef MKLS_LANE_ZERO
#undef MKLS_OPERATOR
#undef MKLS_PACKED_ASSIGNMENT
#undef MKLS_PACKED_OPERATOR
#undef MKLS_PACKED_OPERATORS
#undef MKLS_PACKED_PREFIX
#undef MKLS_PACKED_STEP
#undef MKLS_PREFIX
#undef MKLS_SWIZZLE2
#undef MKLS_SWIZZLE3
#undef MKLS_SWIZZLE4
#undef MKLS_SWIZZLE_READ
#undef MKLS_SWIZZLE_READ2
#undef MKLS_SWIZZLE_READ3
#undef MKLS_SWIZZLE_READ4
#undef MKLS_VECTOR_MEMBERS
#undef MKLS_VECTOR_OPERATORS

} // namespace metal
