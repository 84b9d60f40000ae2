// MSL 2.2.3: operators of packed vectors, whose results are vectors (friends of packed_vec, undefined again at the end
// of vector.h). Mixed operands have exact overloads: conversion goes both ways between vec and packed_vec.
#define MKLS_PACKED_OPERATOR(op)                                                                                       \
  friend MKLS_INLINE constexpr auto operator op(packed_vec a, packed_vec b) { return Unpacked(a) op Unpacked(b); }     \
  friend MKLS_INLINE constexpr auto operator op(packed_vec a, Unpacked b) { return Unpacked(a) op b; }                 \
  friend MKLS_INLINE constexpr auto operator op(Unpacked a, packed_vec b) { return a op Unpacked(b); }                 \
  template <class S, enable_if_t<mkls::is_arithmetic_scalar<S>, int> = 0>                                              \
  friend MKLS_INLINE constexpr auto operator op(packed_vec a, S b) {                                                   \
    return Unpacked(a) op Unpacked(b);                                                                                 \
  }                                                                                                                    \
  template <class S, enable_if_t<mkls::is_arithmetic_scalar<S>, int> = 0>                                              \
  friend MKLS_INLINE constexpr auto operator op(S a, packed_vec b) {                                                   \
    return Unpacked(a) op Unpacked(b);                                                                                 \
  }
#define MKLS_PACKED_ASSIGNMENT(op)                                                                                     \
  MKLS_PACKED_OPERATOR(op)                                                                                             \
  friend MKLS_INLINE constexpr packed_vec &operator op##=(packed_vec &a, Unpacked b) {                                 \
    return a = packed_vec(Unpacked(a) op b);                                                                           \
  }
#define MKLS_PACKED_PREFIX(op)                                                                                         \
  friend MKLS_INLINE constexpr auto operator op(packed_vec a) { return op Unpacked(a); }
#define MKLS_PACKED_STEP(op, sign)                                                                                     \
  friend MKLS_INLINE constexpr packed_vec &operator op(packed_vec &a) {                                                \
    return a = packed_vec(Unpacked(a) sign Unpacked(T(1)));                                                            \
  }                                                                                                                    \
  friend MKLS_INLINE constexpr packed_vec operator op(packed_vec &a, int) {                                            \
    const packed_vec before = a;                                                                                       \
    op a;                                                                                                              \
    return before;                                                                                                     \
  }

#define MKLS_PACKED_OPERATORS                                                                                          \
  MKLS_PACKED_ASSIGNMENT(+)                                                                                            \
  MKLS_PACKED_ASSIGNMENT(-)                                                                                            \
  MKLS_PACKED_ASSIGNMENT(*)                                                                                            \
  MKLS_PACKED_ASSIGNMENT(/)                                                                                            \
  MKLS_PACKED_ASSIGNMENT(%)                                                                                            \
  MKLS_PACKED_ASSIGNMENT(&)                                                                                            \
  MKLS_PACKED_ASSIGNMENT(|)                                                                                            \
  MKLS_PACKED_ASSIGNMENT(^)                                                                                            \
  MKLS_PACKED_ASSIGNMENT(<<)                                                                                           \
  MKLS_PACKED_ASSIGNMENT(>>)                                                                                           \
  MKLS_PACKED_OPERATOR(==)                                                                                             \
  MKLS_PACKED_OPERATOR(!=)                                                                                             \
  MKLS_PACKED_OPERATOR(<)                                                                                              \
  MKLS_PACKED_OPERATOR(>)                                                                                              \
  MKLS_PACKED_OPERATOR(<=)                                                                                             \
  MKLS_PACKED_OPERATOR(>=)                                                                                             \
  MKLS_PACKED_OPERATOR(&&)                                                                                             \
  MKLS_PACKED_OPERATOR(||)                                                                                             \
  MKLS_PACKED_PREFIX(+)                                                                                                \
  MKLS_PACKED_PREFIX(-)                                                                                                \
  MKLS_PACKED_PREFIX(~)                                                                                                \
  MKLS_PACKED_PREFIX(!)                                                                                                \
  MKLS_PACKED_STEP(++, +)                                                                                              \
  MKLS_PACKED_STEP(--, -)
