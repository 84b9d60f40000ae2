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

REGISTER_DISPATCH(softsign_stub, &softsign_kernel_mps);
REGISTER_DISPATCH(blend_stub, &blend_kernel_mps);

Tensor ramp_mps(const Tensor& self, const Scalar& slope) {
  auto pso = lib.getPipelineStateForFunc("rmap");
  return self;
}

Tensor& ramp_out_mps(const Tensor& self, const Scalar& slope, Tensor& out) {
  return out;
}

TORCH_IMPL_FUNC(hum_out_mps)(const Tensor& self, const Tensor& result) {}

} // namespace at::native
