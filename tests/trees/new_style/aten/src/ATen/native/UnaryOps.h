#pragma once

#include <ATen/native/DispatchStub.h>

#include <optional>

namespace at {
class Generator;
class Tensor;
class TensorBase;
struct TensorIterator;
struct TensorIteratorBase;
} // namespace at

namespace c10 {
class Scalar;
}

namespace at::native {

using unary_fn = void (*)(TensorIteratorBase&);
using unary_fn_with_scalar = void (*)(TensorIteratorBase&, const Scalar& a);

DECLARE_DISPATCH(unary_fn, abs_stub)
DECLARE_DISPATCH(unary_fn, bitwise_not_stub)
DECLARE_DISPATCH(unary_fn, exp_stub)
DECLARE_DISPATCH(unary_fn, i0_stub)
DECLARE_DISPATCH(unary_fn, logical_not_stub)
DECLARE_DISPATCH(unary_fn, neg_stub)
DECLARE_DISPATCH(unary_fn, round_stub)
DECLARE_DISPATCH(unary_fn, sqrt_stub)
DECLARE_DISPATCH(unary_fn, tanh_stub)

DECLARE_DISPATCH(unary_fn_with_scalar, logit_stub)
DECLARE_DISPATCH(void (*)(TensorIteratorBase&, int64_t), round_decimals_stub)
DECLARE_DISPATCH(
    void (*)(TensorIteratorBase&, std::optional<double>, std::optional<double>, std::optional<double>),
    nan_to_num_stub)

DECLARE_DISPATCH(
    void (*)(TensorIteratorBase&, const double, const double, std::optional<Generator>),
    uniform_stub)
DECLARE_DISPATCH(
    void (*)(TensorIteratorBase&, const uint64_t, const int64_t, std::optional<Generator>),
    random_from_to_stub)
DECLARE_DISPATCH(void (*)(TensorIteratorBase&, std::optional<Generator>), random_stub)

} // namespace at::native
