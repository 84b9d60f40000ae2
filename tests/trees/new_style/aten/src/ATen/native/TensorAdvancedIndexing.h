#pragma once

#include <ATen/native/DispatchStub.h>
#include <ATen/native/TensorIterator.h>

namespace at {
struct TensorIterator;
struct TensorIteratorBase;
} // namespace at

namespace at::native {

using index_fn = void (*)(TensorIteratorBase&, IntArrayRef indexed_sizes, IntArrayRef indexed_strides);
using index_put_fn = void (*)(TensorIterator&, IntArrayRef indexed_sizes, IntArrayRef indexed_strides, bool accumulate);

DECLARE_DISPATCH(index_fn, index_stub)
DECLARE_DISPATCH(index_put_fn, index_put_stub)

} // namespace at::native
