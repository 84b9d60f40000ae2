#pragma once

#include <ATen/native/DispatchStub.h>

namespace at {
struct TensorIterator;
struct TensorIteratorBase;
} // namespace at

namespace c10 {
class Scalar;
}

namespace at::native {

using structured_binary_fn_alpha = void (*)(TensorIteratorBase&, const Scalar& alpha);
using structured_binary_fn_double = void (*)(TensorIteratorBase&, double);
using structured_binary_fn = void (*)(TensorIteratorBase&);
using binary_fn = void (*)(TensorIterator&);

DECLARE_DISPATCH(structured_binary_fn_alpha, add_stub)
DECLARE_DISPATCH(structured_binary_fn_alpha, sub_stub)
DECLARE_DISPATCH(structured_binary_fn, mul_stub)
DECLARE_DISPATCH(structured_binary_fn, div_true_stub)
DECLARE_DISPATCH(structured_binary_fn, atan2_stub)
DECLARE_DISPATCH(structured_binary_fn, maximum_stub)
DECLARE_DISPATCH(structured_binary_fn, fmax_stub)
DECLARE_DISPATCH(structured_binary_fn, copysign_stub)
DECLARE_DISPATCH(structured_binary_fn, bitwise_and_stub)
DECLARE_DISPATCH(structured_binary_fn, eq_stub)
DECLARE_DISPATCH(structured_binary_fn, nextafter_stub)
DECLARE_DISPATCH(structured_binary_fn, heaviside_stub)
DECLARE_DISPATCH(binary_fn, complex_stub)

} // namespace at::native
