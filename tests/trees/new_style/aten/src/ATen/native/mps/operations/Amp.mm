#define TORCH_ASSERT_ONLY_METHOD_OPERATORS
#include <ATen/native/mps/OperationUtils.h>

#ifndef AT_PER_OPERATOR_HEADERS
#include <ATen/NativeFunctions.h>
#else
#include <ATen/ops/_amp_foreach_non_finite_check_and_unscale_native.h>
#endif

namespace at::native {
namespace mps {

#ifndef PYTORCH_JIT_COMPILE_SHADERS
static auto& lib = MetalShaderLibrary::getBundledLibrary();
#else
#include <ATen/native/mps/Amp_metallib.h>
#endif

static id<MTLComputePipelineState> getAmpCPLState(const std::string& fname) {
  return lib.getPipelineStateForFunc(fname);
}

static void unscale(const Tensor& gradient, const Tensor& found_inf, const Tensor& inv_scale) {
  const auto scale = inv_scale.item<float>();
  MPSStream* stream = getCurrentMPSStream();
  dispatch_sync_with_rethrow(stream->queue(), ^() {
    @autoreleasepool {
      auto pipeline =
          getAmpCPLState("amp_non_finite_check_and_unscale_" + scalarToMetalTypeString(gradient.scalar_type()));
      auto encoder = stream->commandEncoder();
      [encoder setComputePipelineState:pipeline];
      mtl_setArgs(encoder, gradient, found_inf, scale);
      mtl_dispatch1DJob(encoder, pipeline, gradient.numel());
    }
  });
}

} // namespace mps

void _amp_foreach_non_finite_check_and_unscale_mps_(TensorList self, Tensor& found_inf, const Tensor& inv_scale) {
  for (const auto& gradient : self) {
    TORCH_CHECK(mps::supportedFloatingType(gradient), "gradients are expected to be floating point");
    if (gradient.numel() != 0) {
      mps::unscale(gradient, found_inf, inv_scale);
    }
  }
}

} // namespace at::native
