#include <ATen/native/mps/kernels/Activation.h>
#include <c10/metal/indexing.h>
#include <c10/metal/utils.h>
#include <metal_stdlib>

using namespace metal;
using namespace c10::metal;

struct silu_functor {
  template <typename T>
  inline T operator()(const T x) {
    return T(float(x) / (1.0f + precise::exp(-float(x))));
  }
};

struct silu_backward_functor {
  template <typename T>
  inline T operator()(const T grad, const T x) {
    const auto sigmoid = 1.0f / (1.0f + precise::exp(-float(x)));
    return T(float(grad) * sigmoid * (1.0f + float(x) * (1.0f - sigmoid)));
  }
};

struct mish_backward_functor {
  template <typename T>
  inline T operator()(const T grad, const T x) {
    const auto value = float(x);
    const auto inner = precise::tanh(c10::metal::log1p(precise::exp(value)));
    const auto sigmoid = 1.0f / (1.0f + precise::exp(-value));
    return T(float(grad) * (inner + value * sigmoid * (1.0f - inner * inner)));
  }
};

struct elu_functor {
  template <typename T>
  inline T operator()(const T self, const ELUParams<T> params) {
    using op_T = opmath_t<T>;
    const auto x = static_cast<op_T>(self);
    const auto positive = static_cast<op_T>(params.scale);
    const auto negative = static_cast<op_T>(params.alpha) * positive;
    const auto input_scale = static_cast<op_T>(params.input_scale);
    return static_cast<T>(x < 0 ? negative * (precise::exp(float(x * input_scale)) - 1) : positive * x);
  }
};

struct elu_backward_functor {
  template <typename T>
  inline T operator()(const T grad_, const T self_, const ELUBackwardParams<T> params) {
    using op_T = opmath_t<T>;
    const auto grad = static_cast<op_T>(grad_);
    const auto self = static_cast<op_T>(self_);
    const auto positive = static_cast<op_T>(params.scale);
    const auto negative = static_cast<op_T>(params.alpha) * positive;
    const auto input_scale = static_cast<op_T>(params.input_scale);
    if (self > 0) {
      return static_cast<T>(grad * positive);
    }
    const auto slope = params.is_result ? self + negative : negative * op_T(precise::exp(float(self * input_scale)));
    return static_cast<T>(grad * input_scale * slope);
  }
};

#define REGISTER_ACTIVATION(NAME)       \
  REGISTER_UNARY_OP(NAME, float, float); \
  REGISTER_UNARY_OP(NAME, half, half);   \
  REGISTER_UNARY_OP(NAME, bfloat, bfloat)

#define REGISTER_ACTIVATION_BACKWARD(NAME) \
  REGISTER_BINARY_OP(NAME, float, float);  \
  REGISTER_BINARY_OP(NAME, half, half);    \
  REGISTER_BINARY_OP(NAME, bfloat, bfloat)

REGISTER_ACTIVATION(silu);
REGISTER_ACTIVATION_BACKWARD(silu_backward);
REGISTER_ACTIVATION_BACKWARD(mish_backward);

#define REGISTER_ELU_OP(T)             \
  typedef ELUParams<T> ELUParams_##T; \
  REGISTER_UNARY_ALPHA_OP(elu, T, ELUParams_##T, T);

REGISTER_ELU_OP(float);
REGISTER_ELU_OP(half);
REGISTER_ELU_OP(bfloat);

#define REGISTER_ELU_BACKWARD_OP(T)                    \
  typedef ELUBackwardParams<T> ELUBackwardParams_##T; \
  REGISTER_BINARY_ALPHA_OP(elu_backward, T, ELUBackwardParams_##T, T);

REGISTER_ELU_BACKWARD_OP(float);
REGISTER_ELU_BACKWARD_OP(half);
REGISTER_ELU_BACKWARD_OP(bfloat);
