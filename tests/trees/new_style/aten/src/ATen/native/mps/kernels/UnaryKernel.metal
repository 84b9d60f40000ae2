#include <ATen/native/mps/kernels/UnaryKernel.h>
#include <c10/metal/indexing.h>
#include <c10/metal/special_math.h>
#include <c10/metal/utils.h>
#include <metal_stdlib>

using namespace metal;
using namespace c10::metal;

struct exp_functor {
  template <typename T>
  inline enable_if_t<is_scalar_floating_point_v<T>, T> operator()(const T x) {
    return T(precise::exp(float(x)));
  }
  template <typename T>
  inline enable_if_t<is_scalar_integral_v<T>, float> operator()(const T x) {
    return precise::exp(float(x));
  }
  template <typename T>
  inline enable_if_t<is_complex_v<T>, T> operator()(const T x) {
    const auto size = precise::exp(float(x.x));
    return T(size * precise::cos(float(x.y)), size * precise::sin(float(x.y)));
  }
};

struct sqrt_functor {
  template <typename T>
  inline enable_if_t<is_scalar_floating_point_v<T>, T> operator()(const T x) {
    return T(precise::sqrt(float(x)));
  }
  template <typename T>
  inline enable_if_t<is_scalar_integral_v<T>, float> operator()(const T x) {
    return precise::sqrt(float(x));
  }
};

struct tanh_functor {
  template <typename T>
  inline enable_if_t<is_scalar_floating_point_v<T>, T> operator()(const T x) {
    return T(precise::tanh(float(x)));
  }
  template <typename T>
  inline enable_if_t<is_scalar_integral_v<T>, float> operator()(const T x) {
    return precise::tanh(float(x));
  }
};

struct i0_functor {
  template <typename T>
  inline enable_if_t<is_scalar_floating_point_v<T>, T> operator()(const T x) {
    return T(c10::metal::i0(float(x)));
  }
  template <typename T>
  inline enable_if_t<is_scalar_integral_v<T>, float> operator()(const T x) {
    return c10::metal::i0(float(x));
  }
};

struct neg_functor {
  template <typename T>
  inline T operator()(const T x) {
    return T(-x);
  }
};

struct abs_functor {
  template <typename T>
  inline enable_if_t<is_scalar_floating_point_v<T>, T> operator()(const T x) {
    return T(::metal::fabs(float(x)));
  }
  template <typename T>
  inline enable_if_t<is_scalar_integral_v<T>, T> operator()(const T x) {
    return x < T(0) ? T(-x) : x;
  }
  // The absolute value of a complex number is real, but its kernel is keyed on the complex dtype.
  template <typename T>
  inline enable_if_t<is_complex_v<T>, T> operator()(const T x) {
    return T(precise::sqrt(float(x.x) * float(x.x) + float(x.y) * float(x.y)), 0);
  }
};

struct bitwise_not_functor {
  template <typename T>
  inline enable_if_t<!is_same_v<T, bool> && is_scalar_integral_v<T>, T> operator()(const T x) {
    return ~x;
  }
  template <typename T>
  inline enable_if_t<is_same_v<T, bool>, T> operator()(const T x) {
    return !x;
  }
};

struct logical_not_functor {
  template <typename T>
  inline bool operator()(const T x) {
    return x == T(0);
  }
};

struct round_functor {
  template <typename T>
  inline T operator()(const T x) {
    return T(rint(float(x)));
  }
};

struct round_decimals_functor {
  template <typename T>
  inline T operator()(const T x, const long decimals) {
    const auto ten = precise::pow(10.0f, float(abs(decimals)));
    const auto value = float(x);
    return T(decimals < 0 ? rint(value / ten) * ten : rint(value * ten) / ten);
  }
};

struct logit_functor {
  template <typename T>
  inline enable_if_t<is_scalar_floating_point_v<T>, T> operator()(const T x, const float eps) {
    return T(compute(float(x), eps));
  }
  template <typename T>
  inline enable_if_t<is_scalar_integral_v<T>, float> operator()(const T x, const float eps) {
    return compute(float(x), eps);
  }

 private:
  inline float compute(float x, float eps) {
    const auto p = eps < 0 ? x : c10::metal::min(c10::metal::max(x, eps), 1 - eps);
    return precise::log(p / (1 - p));
  }
};

struct nan_to_num_functor {
  template <typename T, typename P>
  inline T operator()(const T x, const P params) {
    if (isnan(float(x))) {
      return T(params.nan);
    }
    if (isinf(float(x))) {
      return x > T(0) ? T(params.posinf) : T(params.neginf);
    }
    return x;
  }
};

struct copy_identity_functor {
  template <typename T>
  inline T operator()(const T x) {
    return x;
  }
};

#define REGISTER_FLOAT_UNARY_OP(NAME)    \
  REGISTER_UNARY_OP(NAME, float, float); \
  REGISTER_UNARY_OP(NAME, half, half);   \
  REGISTER_UNARY_OP(NAME, bfloat, bfloat)

#define REGISTER_INT2FLOAT_UNARY_OP(NAME) \
  REGISTER_UNARY_OP(NAME, long, float);   \
  REGISTER_UNARY_OP(NAME, int, float);    \
  REGISTER_UNARY_OP(NAME, short, float);  \
  REGISTER_UNARY_OP(NAME, char, float);   \
  REGISTER_UNARY_OP(NAME, uchar, float);  \
  REGISTER_UNARY_OP(NAME, bool, float)

#define REGISTER_INTEGER_UNARY_OP(NAME)  \
  REGISTER_UNARY_OP(NAME, long, long);   \
  REGISTER_UNARY_OP(NAME, int, int);     \
  REGISTER_UNARY_OP(NAME, short, short); \
  REGISTER_UNARY_OP(NAME, char, char);   \
  REGISTER_UNARY_OP(NAME, uchar, uchar)

REGISTER_FLOAT_UNARY_OP(exp);
REGISTER_INT2FLOAT_UNARY_OP(exp);
REGISTER_UNARY_OP(exp, float2, float2);
REGISTER_UNARY_OP(exp, half2, half2);

REGISTER_FLOAT_UNARY_OP(sqrt);
REGISTER_INT2FLOAT_UNARY_OP(sqrt);

REGISTER_FLOAT_UNARY_OP(tanh);
REGISTER_INT2FLOAT_UNARY_OP(tanh);

REGISTER_FLOAT_UNARY_OP(i0);
REGISTER_INT2FLOAT_UNARY_OP(i0);

REGISTER_FLOAT_UNARY_OP(neg);
REGISTER_INTEGER_UNARY_OP(neg);
REGISTER_UNARY_OP(neg, float2, float2);
REGISTER_UNARY_OP(neg, half2, half2);

REGISTER_FLOAT_UNARY_OP(abs);
REGISTER_INTEGER_UNARY_OP(abs);
REGISTER_UNARY_OP(abs, float2, float2);
REGISTER_UNARY_OP(abs, half2, half2);

REGISTER_INTEGER_UNARY_OP(bitwise_not);
REGISTER_UNARY_OP(bitwise_not, bool, bool);

REGISTER_FLOAT_UNARY_OP(round);

REGISTER_UNARY_OP(logical_not, float, bool);
REGISTER_UNARY_OP(logical_not, half, bool);
REGISTER_UNARY_OP(logical_not, bfloat, bool);
REGISTER_UNARY_OP(logical_not, long, bool);
REGISTER_UNARY_OP(logical_not, int, bool);
REGISTER_UNARY_OP(logical_not, short, bool);
REGISTER_UNARY_OP(logical_not, char, bool);
REGISTER_UNARY_OP(logical_not, uchar, bool);
REGISTER_UNARY_OP(logical_not, bool, bool);

// Of the copies only the castout kernels are asked for, by input dtype alone.
REGISTER_FLOAT_UNARY_OP(copy_identity);
REGISTER_INTEGER_UNARY_OP(copy_identity);
REGISTER_UNARY_OP(copy_identity, bool, bool);
REGISTER_UNARY_OP(copy_identity, ushort, ushort);
REGISTER_UNARY_OP(copy_identity, uint, uint);
REGISTER_UNARY_OP(copy_identity, ulong, ulong);
REGISTER_UNARY_OP(copy_identity, float2, float2);
REGISTER_UNARY_OP(copy_identity, half2, half2);

REGISTER_UNARY_ALPHA_OP(round_decimals, float, long, float);
REGISTER_UNARY_ALPHA_OP(round_decimals, half, long, half);
REGISTER_UNARY_ALPHA_OP(round_decimals, bfloat, long, bfloat);

REGISTER_UNARY_ALPHA_OP(logit, float, float, float);
REGISTER_UNARY_ALPHA_OP(logit, half, float, half);
REGISTER_UNARY_ALPHA_OP(logit, bfloat, float, bfloat);
REGISTER_UNARY_ALPHA_OP(logit, long, float, float);
REGISTER_UNARY_ALPHA_OP(logit, int, float, float);
REGISTER_UNARY_ALPHA_OP(logit, short, float, float);
REGISTER_UNARY_ALPHA_OP(logit, char, float, float);
REGISTER_UNARY_ALPHA_OP(logit, uchar, float, float);
REGISTER_UNARY_ALPHA_OP(logit, bool, float, float);

// The macro pastes its argument into a name, so a template's type needs a name of one word.
typedef NanToNumParams<float> NanToNumParams_float;
typedef NanToNumParams<half> NanToNumParams_half;
typedef NanToNumParams<bfloat> NanToNumParams_bfloat;
REGISTER_UNARY_ALPHA_OP(nan_to_num, float, NanToNumParams_float, float);
REGISTER_UNARY_ALPHA_OP(nan_to_num, half, NanToNumParams_half, half);
REGISTER_UNARY_ALPHA_OP(nan_to_num, bfloat, NanToNumParams_bfloat, bfloat);
