#pragma once

#include <ATen/native/DispatchStub.h>

namespace at {
class Tensor;
struct TensorIterator;
struct TensorIteratorBase;
} // namespace at

namespace at::native {

using structured_ternary_fn = void (*)(TensorIteratorBase&);
using where_fn = void (*)(TensorIterator&);

DECLARE_DISPATCH(structured_ternary_fn, clamp_stub);
DECLARE_DISPATCH(where_fn, where_kernel);

} // namespace at::native
