#define TORCH_ASSERT_ONLY_METHOD_OPERATORS
#include <ATen/native/mps/OperationUtils.h>
#include <ATen/native/mps/operations/ScanKernel.h>

#ifndef AT_PER_OPERATOR_HEADERS
#include <ATen/NativeFunctions.h>
#else
#include <ATen/ops/cumprod_native.h>
#include <ATen/ops/cumsum_native.h>
#endif

namespace at::native {
namespace mps {

#ifndef PYTORCH_JIT_COMPILE_SHADERS
static auto& lib = MetalShaderLibrary::getBundledLibrary();
#else
#include <ATen/native/mps/ScanKernel_metallib.h>
#endif

void scan_simple_mps_impl(const Tensor& self, const Tensor& output, int64_t dim, const std::string& op_name) {
  if (output.numel() == 0) {
    return;
  }
  const auto input = self.to(output.scalar_type()).contiguous();
  const auto axis = static_cast<uint32_t>(input.size(dim));
  const auto inner = static_cast<uint32_t>(input.stride(dim));
  const auto outer = static_cast<NSUInteger>(input.numel() / (static_cast<int64_t>(axis) * inner));
  MPSStream* stream = getCurrentMPSStream();
  dispatch_sync_with_rethrow(stream->queue(), ^() {
    @autoreleasepool {
      auto encoder = stream->commandEncoder();
      auto pipeline =
          lib.getPipelineStateForFunc(fmt::format("{}_outer_{}", op_name, scalarToMetalTypeString(output)));
      [encoder setComputePipelineState:pipeline];
      mtl_setArgs(encoder, input, output, axis, inner);
      mtl_dispatch2DJob(encoder, pipeline, inner, outer);
    }
  });
}

} // namespace mps

TORCH_IMPL_FUNC(cumsum_out_mps)
(const Tensor& self, int64_t dim, std::optional<ScalarType> dtype, const Tensor& result) {
  mps::scan_simple_mps_impl(self, result, maybe_wrap_dim(dim, self.dim()), "cumsum");
}

TORCH_IMPL_FUNC(cumprod_out_mps)
(const Tensor& self, int64_t dim, std::optional<ScalarType> dtype, const Tensor& result) {
  mps::scan_simple_mps_impl(self, result, maybe_wrap_dim(dim, self.dim()), "cumprod");
}

} // namespace at::native
