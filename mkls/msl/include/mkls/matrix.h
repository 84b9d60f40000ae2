// MSL 2.3 matrix types: C columns, each a vector of R components.
#pragma once
#pragma clang system_header
#include <mkls/elementwise.h>

namespace mkls {

template <class T, int C, class... A>
constexpr bool are_columns = sizeof...(A) == C && (__is_convertible(A, T) && ...);
template <class... A> constexpr bool are_scalars = (is_arithmetic_scalar<A> && ...);

} // namespace mkls

namespace metal {

template <class T, int C, int R> struct matrix {
  using Column = vec<T, R>;
  Column columns[C];

  matrix() = default;
  // MSL 2.3.2: one scalar fills the diagonal
  template <class S, enable_if_t<mkls::is_arithmetic_scalar<S>, int> = 0>
  MKLS_INLINE constexpr explicit matrix(S diagonal) : columns{} {
    for (int i = 0; i < C && i < R; ++i)
      columns[i][i] = T(diagonal);
  }
  template <class... A, enable_if_t<mkls::are_columns<Column, C, A...> && !mkls::are_scalars<A...>, int> = 0>
  MKLS_INLINE constexpr matrix(A... column) : columns{Column(column)...} {}
  template <class... A, enable_if_t<sizeof...(A) == C * R && mkls::are_scalars<A...>, int> = 0>
  MKLS_INLINE constexpr matrix(A... scalar) : columns{} {
    int i = 0;
    ((columns[i / R][i % R] = T(scalar), ++i), ...);
  }
  template <class U> MKLS_INLINE constexpr explicit matrix(const matrix<U, C, R> &m) : columns{} {
    for (int i = 0; i < C; ++i)
      columns[i] = Column(m.columns[i]);
  }
  // MSL 2.3.1: a column
  MKLS_INLINE constexpr Column &operator[](long i) { return MKLS_INDEX(i, sizeof(columns) / sizeof(columns[0])), columns[i]; }
  MKLS_INLINE constexpr const Column &operator[](long i) const { return MKLS_INDEX(i, sizeof(columns) / sizeof(columns[0])), columns[i]; }

  // MSL 3.1 and 3.3: operators; + and - work by components, * is the product of linear algebra
  friend MKLS_INLINE constexpr matrix operator+(matrix a, const matrix &b) {
    for (int i = 0; i < C; ++i)
      a.columns[i] += b.columns[i];
    return a;
  }
  friend MKLS_INLINE constexpr matrix operator-(matrix a, const matrix &b) {
    for (int i = 0; i < C; ++i)
      a.columns[i] -= b.columns[i];
    return a;
  }
  friend MKLS_INLINE constexpr matrix operator-(matrix a) {
    for (int i = 0; i < C; ++i)
      a.columns[i] = -a.columns[i];
    return a;
  }
  friend MKLS_INLINE constexpr matrix operator+(matrix a) { return a; }
  friend MKLS_INLINE constexpr matrix operator*(matrix a, T scale) {
    for (int i = 0; i < C; ++i)
      a.columns[i] *= scale;
    return a;
  }
  friend MKLS_INLINE constexpr matrix operator*(T scale, const matrix &a) { return a * scale; }
  friend MKLS_INLINE constexpr matrix operator/(matrix a, T divisor) {
    for (int i = 0; i < C; ++i)
      a.columns[i] /= divisor;
    return a;
  }
  friend MKLS_INLINE constexpr Column operator*(const matrix &m, vec<T, C> v) {
    Column sum = m.columns[0] * v[0];
    for (int i = 1; i < C; ++i)
      sum += m.columns[i] * v[i];
    return sum;
  }
  friend MKLS_INLINE constexpr vec<T, C> operator*(Column v, const matrix &m) {
    vec<T, C> result = vec<T, C>(T(0.0f));
    for (int i = 0; i < C; ++i)
      for (int row = 0; row < R; ++row)
        result[i] = T(result[i] + T(v[row] * m.columns[i][row]));
    return result;
  }
  template <int K>
  friend MKLS_INLINE constexpr matrix<T, K, R> operator*(const matrix &a, const matrix<T, K, C> &b) {
    matrix<T, K, R> product = matrix<T, K, R>(T(0.0f));
    for (int i = 0; i < K; ++i)
      product.columns[i] = a * b.columns[i];
    return product;
  }
  friend MKLS_INLINE constexpr matrix &operator+=(matrix &a, const matrix &b) { return a = a + b; }
  friend MKLS_INLINE constexpr matrix &operator-=(matrix &a, const matrix &b) { return a = a - b; }
  friend MKLS_INLINE constexpr matrix &operator*=(matrix &a, T scale) { return a = a * scale; }
  friend MKLS_INLINE constexpr matrix &operator*=(matrix &a, const matrix<T, C, C> &b) { return a = a * b; }
  friend MKLS_INLINE constexpr matrix &operator/=(matrix &a, T divisor) { return a = a / divisor; }
  friend MKLS_INLINE constexpr bool operator==(const matrix &a, const matrix &b) {
    for (int i = 0; i < C; ++i)
      for (int row = 0; row < R; ++row)
        if (!(a.columns[i][row] == b.columns[i][row]))
          return false;
    return true;
  }
  friend MKLS_INLINE constexpr bool operator!=(const matrix &a, const matrix &b) { return !(a == b); }
};

} // namespace metal

#define MKLS_MATRIX_NAMES(T, C)                                                                                        \
  typedef metal::matrix<T, C, 2> T##C##x2;                                                                             \
  typedef metal::matrix<T, C, 3> T##C##x3;                                                                             \
  typedef metal::matrix<T, C, 4> T##C##x4;                                                                             \
  namespace metal {                                                                                                    \
  using ::T##C##x2;                                                                                                    \
  using ::T##C##x3;                                                                                                    \
  using ::T##C##x4;                                                                                                    \
  }
MKLS_MATRIX_NAMES(float, 2)
MKLS_MATRIX_NAMES(float, 3)
MKLS_MATRIX_NAMES(float, 4)
MKLS_MATRIX_NAMES(half, 2)
MKLS_MATRIX_NAMES(half, 3)
MKLS_MATRIX_NAMES(half, 4)
#undef MKLS_MATRIX_NAMES
