#define TORCH_ASSERT_ONLY_METHOD_OPERATORS
#include <ATen/native/BinaryOps.h>

#include <ATen/TensorIterator.h>
#include <ATen/core/Tensor.h>

namespace at::meta {

TORCH_META_FUNC2(add, Tensor)(const Tensor& self, const Tensor& other, const Scalar& alpha) {
  build_borrowing_binary_op(maybe_get_output(), self, other);
  native::alpha_check(dtype(), alpha);
}

TORCH_META_FUNC2(sub, Tensor)(const Tensor& self, const Tensor& other, const Scalar& alpha) {
  native::sub_check(self, other);
  build_borrowing_binary_op(maybe_get_output(), self, other);
  native::alpha_check(dtype(), alpha);
}

#define CREATE_BINARY_META_FUNC(func)                                       \
  TORCH_META_FUNC(func)(const Tensor& self, const Tensor& other) {          \
    build_borrowing_binary_op(maybe_get_output(), self, other);             \
  }

CREATE_BINARY_META_FUNC(maximum)
CREATE_BINARY_META_FUNC(fmax)
CREATE_BINARY_META_FUNC(nextafter)
CREATE_BINARY_META_FUNC(heaviside)

#define CREATE_COMPARISON_SCALAR_TENSOR_META_FUNC(func)                             \
  TORCH_META_FUNC2(func, Tensor)(const Tensor& self, const Tensor& other) {         \
    build_borrowing_comparison_op(maybe_get_output(), self, other);                 \
  }                                                                                 \
  TORCH_META_FUNC2(func, Scalar)(const Tensor& self, const Scalar& other) {         \
    auto other_tensor = native::wrapped_scalar_tensor(other);                       \
    build_borrowing_except_last_argument_comparison_op(                             \
        maybe_get_output(), self, other_tensor);                                    \
  }

CREATE_COMPARISON_SCALAR_TENSOR_META_FUNC(eq)

} // namespace at::meta

namespace at::native {

DEFINE_DISPATCH(add_stub);
DEFINE_DISPATCH(sub_stub);
DEFINE_DISPATCH(mul_stub);
DEFINE_DISPATCH(div_true_stub);
DEFINE_DISPATCH(atan2_stub);
DEFINE_DISPATCH(maximum_stub);
DEFINE_DISPATCH(fmax_stub);
DEFINE_DISPATCH(copysign_stub);
DEFINE_DISPATCH(bitwise_and_stub);
DEFINE_DISPATCH(eq_stub);
DEFINE_DISPATCH(nextafter_stub);
DEFINE_DISPATCH(heaviside_stub);
DEFINE_DISPATCH(complex_stub);

TORCH_IMPL_FUNC(sub_out)
(const Tensor& self, const Tensor& other, const Scalar& alpha, const Tensor& result) {
  sub_stub(device_type(), *this, alpha);
  TORCH_INTERNAL_ASSERT(result.scalar_type() == output().dtype());
}

TORCH_IMPL_FUNC(mul_out)
(const Tensor& self, const Tensor& other, const Tensor& result) {
  mul_stub(device_type(), *this);
}

TORCH_IMPL_FUNC(div_out)
(const Tensor& self, const Tensor& other, const Tensor& result) {
  div_true_stub(device_type(), *this);
}

#define CREATE_BINARY_TORCH_IMPL_FUNC(func_out, func_stub)                                    \
  TORCH_IMPL_FUNC(func_out)(const Tensor& self, const Tensor& other, const Tensor& result) {  \
    func_stub(device_type(), *this);                                                          \
  }

CREATE_BINARY_TORCH_IMPL_FUNC(atan2_out, atan2_stub)
CREATE_BINARY_TORCH_IMPL_FUNC(maximum_out, maximum_stub)
CREATE_BINARY_TORCH_IMPL_FUNC(fmax_out, fmax_stub)
CREATE_BINARY_TORCH_IMPL_FUNC(copysign_out, copysign_stub)
CREATE_BINARY_TORCH_IMPL_FUNC(bitwise_and_out, bitwise_and_stub)
CREATE_BINARY_TORCH_IMPL_FUNC(nextafter_out, nextafter_stub)
CREATE_BINARY_TORCH_IMPL_FUNC(heaviside_out, heaviside_stub)

#define CREATE_COMPARISON_SCALAR_TENSOR_IMPL_FUNC(func)                            \
  TORCH_IMPL_FUNC(func##_Tensor_out)                                               \
  (const Tensor& self, const Tensor& other, const Tensor& result) {                \
    func##_stub(device_type(), *this);                                             \
  }                                                                                \
  TORCH_IMPL_FUNC(func##_Scalar_out)                                               \
  (const Tensor& self, const Scalar& other, const Tensor& result) {                \
    func##_stub(device_type(), *this);                                             \
  }

CREATE_COMPARISON_SCALAR_TENSOR_IMPL_FUNC(eq)

Tensor copysign(const Tensor& self, const Scalar& other) {
  return at::copysign(self, wrapped_scalar_tensor(other));
}

Tensor add(const Tensor& self, const Scalar& other, const Scalar& alpha) {
  return at::add(self, wrapped_scalar_tensor(other), alpha);
}

Tensor& complex_out(const Tensor& real, const Tensor& imag, Tensor& result) {
  auto iter = TensorIteratorConfig()
                  .add_output(result)
                  .add_const_input(real)
                  .add_const_input(imag)
                  .check_all_same_dtype(false)
                  .build();
  complex_stub(iter.device_type(), iter);
  return result;
}

Tensor complex(const Tensor& real, const Tensor& imag) {
  Tensor result = at::empty(0, real.options().dtype(toComplexType(real.scalar_type())));
  return at::complex_out(result, real, imag);
}

} // namespace at::native
