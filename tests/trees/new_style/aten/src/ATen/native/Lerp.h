#pragma once

#include <ATen/native/DispatchStub.h>

namespace at {
struct TensorIteratorBase;
}

namespace c10 {
class Scalar;
}

namespace at::native {

using lerp_fn_scalar = void (*)(TensorIteratorBase& iter, const Scalar& weight);
using lerp_fn_tensor = void (*)(TensorIteratorBase& iter);

// Stubs whose names do not end in _stub.
DECLARE_DISPATCH(lerp_fn_scalar, lerp_kernel_scalar_weight)
DECLARE_DISPATCH(lerp_fn_tensor, lerp_kernel_tensor_weight)

} // namespace at::native
