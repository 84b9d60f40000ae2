#pragma once
#include <ATen/native/DispatchStub.h>

namespace at {
struct TensorIteratorBase;
}

namespace at::native {

using unary_fn = void (*)(TensorIteratorBase&);
using binary_fn = void (*)(TensorIteratorBase&);

DECLARE_DISPATCH(unary_fn, softsign_stub);
DECLARE_DISPATCH(binary_fn, blend_stub);
DECLARE_DISPATCH(unary_fn, fade_stub);
DECLARE_DISPATCH(unary_fn, glide_stub);

} // namespace at::native
