// MSL 3.1 and 3.2: operators of vectors, as friends of each vector class (undefined again at the end of vector.h).
// MKLS_LANES(e, ...) expands to e(x, ...), e(y, ...) for the class being defined. A scalar operand is widened by the
// vector's converting constructor.
#define MKLS_LANE_BINARY(c, op) T(a.c op b.c)
#define MKLS_LANE_CALL(c, f) f(a.c, b.c)
#define MKLS_LANE_COMPARE(c, op) (a.c op b.c)
#define MKLS_LANE_PREFIX(c, op) T(op a.c)

#define MKLS_OPERATOR(op, lane, arg)                                                                                   \
  friend MKLS_INLINE constexpr vec operator op(vec a, vec b) { return vec(MKLS_LANES(lane, arg)); }                    \
  friend MKLS_INLINE constexpr vec &operator op##=(vec &a, vec b) { return a = vec(MKLS_LANES(lane, arg)); }
#define MKLS_COMPARISON(op)                                                                                            \
  friend MKLS_INLINE constexpr vec<bool, Width> operator op(vec a, vec b) {                                            \
    return vec<bool, Width>(MKLS_LANES(MKLS_LANE_COMPARE, op));                                                        \
  }
#define MKLS_PREFIX(op)                                                                                                \
  friend MKLS_INLINE constexpr vec operator op(vec a) { return vec(MKLS_LANES(MKLS_LANE_PREFIX, op)); }

#define MKLS_VECTOR_OPERATORS                                                                                          \
  MKLS_OPERATOR(+, MKLS_LANE_BINARY, +)                                                                                \
  MKLS_OPERATOR(-, MKLS_LANE_BINARY, -)                                                                                \
  MKLS_OPERATOR(*, MKLS_LANE_BINARY, *)                                                                                \
  MKLS_OPERATOR(/, MKLS_LANE_CALL, mkls::quotient<T>)                                                                  \
  MKLS_OPERATOR(%, MKLS_LANE_CALL, mkls::remainder<T>)                                                                 \
  MKLS_OPERATOR(&, MKLS_LANE_BINARY, &)                                                                                \
  MKLS_OPERATOR(|, MKLS_LANE_BINARY, |)                                                                                \
  MKLS_OPERATOR(^, MKLS_LANE_BINARY, ^)                                                                                \
  MKLS_OPERATOR(<<, MKLS_LANE_CALL, mkls::shift_left<T>)                                                               \
  MKLS_OPERATOR(>>, MKLS_LANE_CALL, mkls::shift_right<T>)                                                              \
  MKLS_COMPARISON(==)                                                                                                  \
  MKLS_COMPARISON(!=)                                                                                                  \
  MKLS_COMPARISON(<)                                                                                                   \
  MKLS_COMPARISON(>)                                                                                                   \
  MKLS_COMPARISON(<=)                                                                                                  \
  MKLS_COMPARISON(>=)                                                                                                  \
  MKLS_COMPARISON(&&)                                                                                                  \
  MKLS_COMPARISON(||)                                                                                                  \
  MKLS_PREFIX(+)                                                                                                       \
  MKLS_PREFIX(-)                                                                                                       \
  MKLS_PREFIX(~)                                                                                                       \
  friend MKLS_INLINE constexpr vec<bool, Width> operator!(vec a) { return a == vec(T(0)); }                            \
  friend MKLS_INLINE constexpr vec &operator++(vec &a) { return a = a + vec(T(1)); }                                   \
  friend MKLS_INLINE constexpr vec &operator--(vec &a) { return a = a - vec(T(1)); }                                   \
  friend MKLS_INLINE constexpr vec operator++(vec &a, int) {                                                           \
    const vec before = a;                                                                                              \
    ++a;                                                                                                               \
    return before;                                                                                                     \
  }                                                                                                                    \
  friend MKLS_INLINE constexpr vec operator--(vec &a, int) {                                                           \
    const vec before = a;                                                                                              \
    --a;                                                                                                               \
    return before;                                                                                                     \
  }
