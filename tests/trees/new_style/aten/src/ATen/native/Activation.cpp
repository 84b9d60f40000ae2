#define TORCH_ASSERT_ONLY_METHOD_OPERATORS
#include <ATen/native/Activation.h>

#include <ATen/TensorIterator.h>
#include <ATen/core/Tensor.h>

namespace at::native {

DEFINE_DISPATCH(silu_stub);
DEFINE_DISPATCH(silu_backward_stub);
DEFINE_DISPATCH(mish_backward_stub);
DEFINE_DISPATCH(elu_stub);
DEFINE_DISPATCH(elu_backward_stub);

TORCH_IMPL_FUNC(silu_out)(const Tensor& self, const Tensor& result) {
  silu_stub(device_type(), *this);
}

TORCH_IMPL_FUNC(silu_backward_out)
(const Tensor& grad_output, const Tensor& input, const Tensor& grad_input) {
  silu_backward_stub(device_type(), *this);
}

Tensor math_silu_backward(const Tensor& grad_output, const Tensor& input) {
  auto sigmoid = at::sigmoid(input);
  return grad_output * (sigmoid * (1 + input * (1 - sigmoid)));
}

Tensor mish_backward(const Tensor& grad_output, const Tensor& input) {
  Tensor grad_input = at::empty({0}, input.options());
  auto iter = TensorIterator::binary_op(grad_input, grad_output, input);
  mish_backward_stub(iter.device_type(), iter);
  return grad_input;
}

Tensor math_mish_backward(const Tensor& grad_output, const Tensor& input) {
  auto inner = at::tanh(at::softplus(input));
  return grad_output * (inner + input * at::sigmoid(input) * (1 - inner * inner));
}

TORCH_IMPL_FUNC(elu_out)
(const Tensor& self, const Scalar& alpha, const Scalar& scale, const Scalar& input_scale, const Tensor& result) {
  elu_stub(device_type(), *this, alpha, scale, input_scale);
}

TORCH_IMPL_FUNC(elu_backward_out)
(const Tensor& grad_output,
 const Scalar& alpha,
 const Scalar& scale,
 const Scalar& input_scale,
 bool is_result,
 const Tensor& self_or_result,
 const Tensor& grad_input) {
  elu_backward_stub(device_type(), *this, alpha, scale, input_scale, is_result);
}

} // namespace at::native
