#include <c10/metal/indexing.h>
#include <c10/metal/utils.h>
#include <metal_stdlib>

using namespace metal;
using namespace c10::metal;

struct add_functor {
  template <typename T>
  inline T operator()(const T a, const T b) {
    return static_cast<T>(a + b);
  }
};

struct add_alpha_functor {
  template <typename T>
  inline T operator()(const T a, const T b, const T alpha) {
    return static_cast<T>(a + c10::metal::mul(alpha, b));
  }
};

struct sub_functor {
  template <typename T>
  inline T operator()(const T a, const T b) {
    return static_cast<T>(a - b);
  }
};

struct sub_alpha_functor {
  template <typename T>
  inline T operator()(const T a, const T b, const T alpha) {
    return static_cast<T>(a - c10::metal::mul(alpha, b));
  }
};

struct lerp_alpha_functor {
  template <typename T>
  inline T operator()(const T a, const T b, const T alpha) {
    return static_cast<T>(a + c10::metal::mul(alpha, static_cast<T>(b - a)));
  }
};

struct mul_functor {
  template <typename T>
  inline T operator()(const T a, const T b) {
    return static_cast<T>(c10::metal::mul(a, b));
  }
};

struct div_true_functor {
  template <typename T>
  inline enable_if_t<!is_scalar_integral_v<T>, T> operator()(const T a, const T b) {
    return static_cast<T>(c10::metal::div(a, b));
  }
  template <typename T>
  inline enable_if_t<is_scalar_integral_v<T>, float> operator()(const T a, const T b) {
    return float(a) / float(b);
  }
};

struct atan2_functor {
  template <typename T>
  inline enable_if_t<is_scalar_floating_point_v<T>, T> operator()(const T a, const T b) {
    return static_cast<T>(precise::atan2(float(a), float(b)));
  }
  template <typename T>
  inline enable_if_t<is_scalar_integral_v<T>, float> operator()(const T a, const T b) {
    return precise::atan2(float(a), float(b));
  }
};

struct maximum_functor {
  template <typename T>
  inline T operator()(const T a, const T b) {
    return c10::metal::max(a, b);
  }
};

// Unlike maximum, fmax ignores a NaN.
struct fmax_functor {
  template <typename T>
  inline enable_if_t<is_scalar_floating_point_v<T>, T> operator()(const T a, const T b) {
    return static_cast<T>(::metal::fmax(a, b));
  }
  template <typename T>
  inline enable_if_t<is_scalar_integral_v<T>, T> operator()(const T a, const T b) {
    return a > b ? a : b;
  }
};

struct copysign_functor {
  template <typename T>
  inline enable_if_t<is_scalar_floating_point_v<T>, T> operator()(const T a, const T b) {
    return static_cast<T>(::metal::copysign(float(a), float(b)));
  }
  template <typename T>
  inline enable_if_t<is_scalar_integral_v<T>, float> operator()(const T a, const T b) {
    return ::metal::copysign(float(a), float(b));
  }
};

struct bitwise_and_functor {
  template <typename T>
  inline T operator()(const T a, const T b) {
    return static_cast<T>(a & b);
  }
};

DEFINE_BINARY_COMPARISON_FUNCTOR(eq, ==);

struct eq_complex_functor {
  template <typename T>
  inline bool operator()(const T a, const T b) {
    return a.x == b.x && a.y == b.y;
  }
};

struct pow_functor {
  template <typename T>
  inline enable_if_t<is_scalar_floating_point_v<T>, T> operator()(const T a, const T b) {
    return static_cast<T>(c10::metal::pow(a, b));
  }
  template <typename T>
  inline enable_if_t<is_scalar_integral_v<T>, T> operator()(const T a, const T b) {
    return c10::metal::pow(a, b);
  }
  template <typename T>
  inline enable_if_t<is_complex_v<T>, T> operator()(const T a, const T b) {
    return static_cast<T>(c10::metal::pow(a, b));
  }
};

struct pow_scalar_functor {
  template <typename T>
  inline T operator()(const T a, const float exponent) {
    return static_cast<T>(c10::metal::pow(float(a), exponent));
  }
};

struct make_complex_functor {
  inline float2 operator()(const float real, const float imag) {
    return float2(real, imag);
  }
  inline half2 operator()(const half real, const half imag) {
    return half2(real, imag);
  }
};

#define REGISTER_FLOAT_BINARY_OP(NAME)    \
  REGISTER_BINARY_OP(NAME, float, float); \
  REGISTER_BINARY_OP(NAME, half, half);   \
  REGISTER_BINARY_OP(NAME, bfloat, bfloat)

#define REGISTER_OPMATH_FLOAT_BINARY_OP(NAME)    \
  REGISTER_OPMATH_BINARY_OP(NAME, float, float); \
  REGISTER_OPMATH_BINARY_OP(NAME, half, half);   \
  REGISTER_OPMATH_BINARY_OP(NAME, bfloat, bfloat)

#define REGISTER_INTEGER_BINARY_OP_NO_BOOL(NAME) \
  REGISTER_BINARY_OP(NAME, long, long);          \
  REGISTER_BINARY_OP(NAME, int, int);            \
  REGISTER_BINARY_OP(NAME, short, short);        \
  REGISTER_BINARY_OP(NAME, uchar, uchar);        \
  REGISTER_BINARY_OP(NAME, char, char)

#define REGISTER_INTEGER_BINARY_OP(NAME)    \
  REGISTER_INTEGER_BINARY_OP_NO_BOOL(NAME); \
  REGISTER_BINARY_OP(NAME, bool, bool)

#define REGISTER_INT2FLOAT_BINARY_OP(NAME) \
  REGISTER_BINARY_OP(NAME, long, float);   \
  REGISTER_BINARY_OP(NAME, int, float);    \
  REGISTER_BINARY_OP(NAME, short, float);  \
  REGISTER_BINARY_OP(NAME, uchar, float);  \
  REGISTER_BINARY_OP(NAME, char, float);   \
  REGISTER_BINARY_OP(NAME, bool, float)

// A comparison's result is bool; with another dtype asked for, it is cast as it is stored.
#define REGISTER_COMPARISON(NAME, DTYPE) \
  REGISTER_BINARY_OP(NAME, DTYPE, bool); \
  REGISTER_BINARY_CASTOUT_OP(NAME, DTYPE, bool)

#define REGISTER_COMPARISON_OP(NAME)  \
  REGISTER_COMPARISON(NAME, float);   \
  REGISTER_COMPARISON(NAME, half);    \
  REGISTER_COMPARISON(NAME, bfloat);  \
  REGISTER_COMPARISON(NAME, long);    \
  REGISTER_COMPARISON(NAME, int);     \
  REGISTER_COMPARISON(NAME, short);   \
  REGISTER_COMPARISON(NAME, uchar);   \
  REGISTER_COMPARISON(NAME, char);    \
  REGISTER_COMPARISON(NAME, bool)

#define REGISTER_COMPLEX_BINARY_OP(NAME)    \
  REGISTER_BINARY_OP(NAME, float2, float2); \
  REGISTER_BINARY_OP(NAME, half2, half2)

#define REGISTER_ALPHA_OP(NAME)                       \
  REGISTER_BINARY_ALPHA_OP(NAME, float, float, float); \
  REGISTER_BINARY_ALPHA_OP(NAME, half, half, half);    \
  REGISTER_BINARY_ALPHA_OP(NAME, bfloat, bfloat, bfloat)

#define REGISTER_ALPHA_INTEGER_OP(NAME)                \
  REGISTER_BINARY_ALPHA_OP(NAME, long, long, long);    \
  REGISTER_BINARY_ALPHA_OP(NAME, int, int, int);       \
  REGISTER_BINARY_ALPHA_OP(NAME, short, short, short); \
  REGISTER_BINARY_ALPHA_OP(NAME, uchar, uchar, uchar); \
  REGISTER_BINARY_ALPHA_OP(NAME, char, char, char);    \
  REGISTER_BINARY_ALPHA_OP(NAME, bool, bool, bool)

REGISTER_OPMATH_FLOAT_BINARY_OP(add);
REGISTER_INTEGER_BINARY_OP(add);
REGISTER_COMPLEX_BINARY_OP(add);
REGISTER_ALPHA_OP(add_alpha);
REGISTER_ALPHA_INTEGER_OP(add_alpha);
REGISTER_BINARY_ALPHA_OP(add_alpha, float2, float2, float2);
REGISTER_BINARY_ALPHA_OP(add_alpha, half2, half2, half2);

REGISTER_OPMATH_FLOAT_BINARY_OP(sub);
REGISTER_INTEGER_BINARY_OP(sub);
REGISTER_COMPLEX_BINARY_OP(sub);
REGISTER_ALPHA_OP(sub_alpha);
REGISTER_ALPHA_INTEGER_OP(sub_alpha);
REGISTER_BINARY_ALPHA_OP(sub_alpha, float2, float2, float2);
REGISTER_BINARY_ALPHA_OP(sub_alpha, half2, half2, half2);

REGISTER_ALPHA_OP(lerp_alpha);
REGISTER_BINARY_ALPHA_OP(lerp_alpha, float2, float2, float2);
REGISTER_BINARY_ALPHA_OP(lerp_alpha, half2, half2, half2);

REGISTER_OPMATH_FLOAT_BINARY_OP(mul);
REGISTER_INTEGER_BINARY_OP(mul);
REGISTER_COMPLEX_BINARY_OP(mul);

REGISTER_OPMATH_FLOAT_BINARY_OP(div_true);
REGISTER_INT2FLOAT_BINARY_OP(div_true);
REGISTER_COMPLEX_BINARY_OP(div_true);

REGISTER_FLOAT_BINARY_OP(atan2);
REGISTER_INT2FLOAT_BINARY_OP(atan2);

REGISTER_FLOAT_BINARY_OP(maximum);
REGISTER_INTEGER_BINARY_OP(maximum);

REGISTER_FLOAT_BINARY_OP(fmax);
REGISTER_INTEGER_BINARY_OP(fmax);

REGISTER_FLOAT_BINARY_OP(copysign);
REGISTER_INT2FLOAT_BINARY_OP(copysign);

REGISTER_INTEGER_BINARY_OP(bitwise_and);

REGISTER_COMPARISON_OP(eq);
REGISTER_COMPARISON(eq_complex, float2);
REGISTER_COMPARISON(eq_complex, half2);

REGISTER_FLOAT_BINARY_OP(pow);
REGISTER_INTEGER_BINARY_OP_NO_BOOL(pow);
REGISTER_COMPLEX_BINARY_OP(pow);

REGISTER_UNARY_ALPHA_OP(pow_scalar, float, float, float);
REGISTER_UNARY_ALPHA_OP(pow_scalar, half, float, half);
REGISTER_UNARY_ALPHA_OP(pow_scalar, bfloat, float, bfloat);

REGISTER_BINARY_OP(make_complex, float, float2);
REGISTER_BINARY_OP(make_complex, half, half2);
REGISTER_BINARY_CASTOUT_OP(make_complex, float, float2);
REGISTER_BINARY_CASTOUT_OP(make_complex, half, half2);
