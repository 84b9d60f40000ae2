#pragma once

#include <ATen/native/DispatchStub.h>

namespace c10 {
class Scalar;
}

namespace at {
struct TensorIterator;
}

namespace at::native {

using reduce_norm_fn = void (*)(TensorIterator&, const c10::Scalar&);

DECLARE_DISPATCH(reduce_norm_fn, norm_stub)

} // namespace at::native
