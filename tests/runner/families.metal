#include <c10/metal/indexing.h>
#include <c10/metal/special_math.h>
#include <metal_stdlib>
using namespace metal;
using namespace c10::metal;

struct neg_functor {
  template <typename T>
  inline T operator()(const T x) {
    return T(-x);
  }
};

struct exp_functor {
  template <typename T>
  inline enable_if_t<is_floating_point_v<T>, T> operator()(const T x) {
    return T(precise::exp(float(x)));
  }
  template <typename T>
  inline enable_if_t<is_integral_v<T>, float> operator()(const T x) {
    return precise::exp(float(x));
  }
};

struct logical_not_functor {
  template <typename T>
  inline bool operator()(const T x) {
    return !x;
  }
};

struct round_decimals_functor {
  template <typename T>
  inline T operator()(const T x, const long ndigits) {
    return static_cast<T>(rint(exp10(float(ndigits)) * x) * exp10(float(-ndigits)));
  }
};

struct atan2_functor {
  template <typename T>
  inline enable_if_t<is_floating_point_v<T>, T> operator()(const T a, const T b) {
    return static_cast<T>(precise::atan2(float(a), float(b)));
  }
  template <typename T>
  inline enable_if_t<is_integral_v<T>, float> operator()(const T a, const T b) {
    return precise::atan2(float(a), float(b));
  }
};

struct eq_functor {
  template <typename T>
  inline bool operator()(const T a, const T b) {
    return a == b;
  }
};

struct mul_functor {
  template <typename T>
  inline enable_if_t<!is_complex_v<T>, T> operator()(const T a, const T b) {
    return static_cast<T>(a * b);
  }
  template <typename T>
  inline enable_if_t<is_complex_v<T>, T> operator()(const T a, const T b) {
    return c10::metal::mul(a, b);
  }
};

struct add_alpha_functor {
  template <typename T>
  inline T operator()(const T a, const T b, const T alpha) {
    return static_cast<T>(a + alpha * b);
  }
};

struct addcmul_functor {
  template <typename T>
  inline T operator()(const T a, const T b, const T c) {
    return static_cast<T>(a + b * c);
  }
};

REGISTER_UNARY_OP(neg, float, float);
REGISTER_UNARY_OP(neg, half, half);
REGISTER_UNARY_OP(neg, bfloat, bfloat);
REGISTER_UNARY_OP(neg, int, int);
REGISTER_UNARY_OP(neg, long, long);
REGISTER_UNARY_OP(neg, short, short);
REGISTER_UNARY_OP(neg, char, char);
REGISTER_UNARY_OP(neg, uchar, uchar);
REGISTER_UNARY_OP(neg, float2, float2);
REGISTER_UNARY_OP(neg, half2, half2);
REGISTER_UNARY_OP(exp, int, float);
REGISTER_UNARY_OP(exp, bool, float);
REGISTER_UNARY_OP(exp, float, float);
REGISTER_UNARY_OP(logical_not, ushort, bool);
REGISTER_UNARY_OP(logical_not, uint, bool);
REGISTER_UNARY_OP(logical_not, ulong, bool);
REGISTER_UNARY_ALPHA_OP(round_decimals, float, long, float);

REGISTER_BINARY_OP(atan2, float, float);
REGISTER_BINARY_OP(atan2, half, half);
REGISTER_BINARY_OP(atan2, bfloat, bfloat);
REGISTER_BINARY_OP(atan2, int, float);
REGISTER_BINARY_OP(eq, float, bool);
REGISTER_BINARY_CASTOUT_OP(eq, float, bool);
REGISTER_BINARY_OP(eq, bool, bool);
REGISTER_OPMATH_BINARY_OP(mul, half, half);
REGISTER_OPMATH_BINARY_OP(mul, bfloat, bfloat);
REGISTER_BINARY_OP(mul, uchar, uchar);
REGISTER_BINARY_OP(mul, bool, bool);
REGISTER_BINARY_OP(mul, long, long);
REGISTER_BINARY_OP(mul, float2, float2);
REGISTER_BINARY_ALPHA_OP(add_alpha, float, float, float);
REGISTER_BINARY_ALPHA_OP(add_alpha, int, int, int);

REGISTER_TERNARY_OP(addcmul, float, float);
REGISTER_OPMATH_TERNARY_OP(addcmul, half, half);
REGISTER_TERNARY_OP(addcmul, int, int);
