#define TORCH_ASSERT_ONLY_METHOD_OPERATORS
#include <ATen/native/UnaryOps.h>

#include <ATen/TensorIterator.h>
#include <ATen/core/Tensor.h>

#ifndef AT_PER_OPERATOR_HEADERS
#include <ATen/Functions.h>
#include <ATen/NativeFunctions.h>
#else
#include <ATen/ops/abs_native.h>
#include <ATen/ops/exp_native.h>
#include <ATen/ops/logit_native.h>
#include <ATen/ops/nan_to_num_native.h>
#include <ATen/ops/round_native.h>
#endif

namespace at::meta {

#define CREATE_UNARY_FLOAT_META_FUNC(func)                    \
  TORCH_META_FUNC(func)(const Tensor& self) {                 \
    build_borrowing_unary_float_op(maybe_get_output(), self); \
  }

CREATE_UNARY_FLOAT_META_FUNC(exp)
CREATE_UNARY_FLOAT_META_FUNC(i0)
CREATE_UNARY_FLOAT_META_FUNC(sqrt)
CREATE_UNARY_FLOAT_META_FUNC(tanh)

TORCH_META_FUNC(bitwise_not)(const Tensor& self) {
  build_borrowing_unary_op(maybe_get_output(), self);
}

TORCH_META_FUNC(neg)(const Tensor& self) {
  TORCH_CHECK(self.scalar_type() != kBool, "a boolean tensor has no negative: use logical_not");
  build_borrowing_unary_op(maybe_get_output(), self);
}

TORCH_META_FUNC(round)(const Tensor& self) {
  build_borrowing_unary_op(maybe_get_output(), self);
}

TORCH_META_FUNC2(round, decimals)(const Tensor& self, int64_t decimals) {
  build_unary_op(maybe_get_output(), self);
}

} // namespace at::meta

namespace at::native {

// Most structured unary operators hand their iterator to a stub and do nothing else.
#define CREATE_UNARY_TORCH_IMPL_FUNC(func_out, func_stub)                \
  TORCH_IMPL_FUNC(func_out)(const Tensor& self, const Tensor& result) {  \
    func_stub(device_type(), *this);                                     \
  }

// Rounding leaves integers alone.
#define CREATE_UNARY_TORCH_IMPL_INTEGER_NO_OP_FUNC(func_out, func_stub)  \
  TORCH_IMPL_FUNC(func_out)(const Tensor& self, const Tensor& result) {  \
    if (c10::isIntegralType(self.scalar_type(), /*includeBool=*/false)) { \
      result.copy_(self);                                                \
    } else {                                                             \
      func_stub(device_type(), *this);                                   \
    }                                                                    \
  }

CREATE_UNARY_TORCH_IMPL_FUNC(bitwise_not_out, bitwise_not_stub)
CREATE_UNARY_TORCH_IMPL_FUNC(exp_out, exp_stub)
CREATE_UNARY_TORCH_IMPL_FUNC(i0_out, i0_stub)
CREATE_UNARY_TORCH_IMPL_FUNC(neg_out, neg_stub)
CREATE_UNARY_TORCH_IMPL_FUNC(sqrt_out, sqrt_stub)
CREATE_UNARY_TORCH_IMPL_FUNC(tanh_out, tanh_stub)
CREATE_UNARY_TORCH_IMPL_INTEGER_NO_OP_FUNC(round_out, round_stub)

TORCH_IMPL_FUNC(round_decimals_out)
(const Tensor& self, int64_t decimals, const Tensor& result) {
  if (decimals != 0) {
    round_decimals_stub(device_type(), *this, decimals);
  } else {
    round_stub(device_type(), *this);
  }
}

template <typename Stub>
static inline Tensor& unary_op_impl_out(Tensor& result, const Tensor& self, Stub& stub) {
  auto iter = TensorIterator::unary_op(result, self);
  stub(iter.device_type(), iter);
  return result;
}

template <typename OutImpl>
static inline Tensor unary_op_impl(const Tensor& self, OutImpl& out_impl) {
  Tensor result = at::empty({0}, self.options());
  return out_impl(result, self);
}

Tensor& abs_out(const Tensor& self, Tensor& result) {
  return unary_op_impl_out(result, self, abs_stub);
}

Tensor abs(const Tensor& self) {
  return unary_op_impl(self, at::abs_out);
}

Tensor& abs_(Tensor& self) {
  return at::abs_out(self, self);
}

Tensor absolute(const Tensor& self) {
  return self.abs();
}

Tensor& absolute_out(const Tensor& self, Tensor& result) {
  return at::abs_out(result, self);
}

Tensor logical_not(const Tensor& self) {
  Tensor result = at::empty({0}, self.options().dtype(kBool));
  return at::logical_not_out(result, self);
}

Tensor& logical_not_(Tensor& self) {
  return at::logical_not_out(self, self);
}

Tensor& logical_not_out(const Tensor& self, Tensor& result) {
  TensorIterator iter = TensorIteratorConfig()
                            .check_all_same_dtype(false)
                            .add_output(result)
                            .add_const_input(self)
                            .build();
  logical_not_stub(iter.device_type(), iter);
  return result;
}

Tensor& logit_out(const Tensor& self, std::optional<double> eps, Tensor& result) {
  auto iter = TensorIterator::unary_float_op(result, self);
  logit_stub(iter.device_type(), iter, Scalar(eps.value_or(-1.0)));
  return result;
}

Tensor logit(const Tensor& self, std::optional<double> eps) {
  Tensor result;
  auto iter = TensorIterator::unary_float_op(result, self);
  logit_stub(iter.device_type(), iter, Scalar(eps.value_or(-1.0)));
  return iter.output();
}

Tensor& logit_(Tensor& self, std::optional<double> eps) {
  return at::logit_out(self, self, eps);
}

Tensor& nan_to_num_out(
    const Tensor& self,
    std::optional<double> nan,
    std::optional<double> pos_inf,
    std::optional<double> neg_inf,
    Tensor& result) {
  if (c10::isIntegralType(self.scalar_type(), /*includeBool=*/true)) {
    at::native::resize_output(result, self.sizes());
    return result.copy_(self);
  }
  auto iter = TensorIterator::unary_op(result, self);
  nan_to_num_stub(iter.device_type(), iter, nan, pos_inf, neg_inf);
  return result;
}

Tensor nan_to_num(
    const Tensor& self,
    std::optional<double> nan,
    std::optional<double> pos_inf,
    std::optional<double> neg_inf) {
  auto result = at::empty_like(self);
  return at::nan_to_num_out(result, self, nan, pos_inf, neg_inf);
}

Tensor& nan_to_num_(
    Tensor& self,
    std::optional<double> nan,
    std::optional<double> pos_inf,
    std::optional<double> neg_inf) {
  return at::nan_to_num_out(self, self, nan, pos_inf, neg_inf);
}

DEFINE_DISPATCH(abs_stub);
DEFINE_DISPATCH(bitwise_not_stub);
DEFINE_DISPATCH(exp_stub);
DEFINE_DISPATCH(i0_stub);
DEFINE_DISPATCH(logical_not_stub);
DEFINE_DISPATCH(logit_stub);
DEFINE_DISPATCH(nan_to_num_stub);
DEFINE_DISPATCH(neg_stub);
DEFINE_DISPATCH(round_decimals_stub);
DEFINE_DISPATCH(round_stub);
DEFINE_DISPATCH(sqrt_stub);
DEFINE_DISPATCH(tanh_stub);

} // namespace at::native
