#define TORCH_ASSERT_ONLY_METHOD_OPERATORS
#include <ATen/native/mps/OperationUtils.h>

#ifndef AT_PER_OPERATOR_HEADERS
#include <ATen/NativeFunctions.h>
#else
#include <ATen/ops/_softmax_native.h>
#endif

namespace at::native {

#ifndef PYTORCH_JIT_COMPILE_SHADERS
static auto& lib = mps::MetalShaderLibrary::getBundledLibrary();
#else
#include <ATen/native/mps/SoftMaxKernel_metallib.h>
#endif

TORCH_IMPL_FUNC(softmax_mps_out)
(const Tensor& input_, const int64_t dim, const bool half_to_float, const Tensor& output) {
  using namespace mps;
  TORCH_CHECK(!half_to_float, "softmax on MPS keeps its input's dtype");
  TORCH_CHECK(supportedFloatingType(input_), "softmax expects floating point");
  if (input_.numel() == 0) {
    return;
  }
  const auto input = input_.transpose(dim, -1).contiguous();
  const auto columns = static_cast<uint32_t>(input.size(-1));
  const auto rows = static_cast<NSUInteger>(input.numel() / columns);
  MPSStream* stream = getCurrentMPSStream();
  dispatch_sync_with_rethrow(stream->queue(), ^() {
    @autoreleasepool {
      id<MTLComputeCommandEncoder> encoder = stream->commandEncoder();
      id<MTLComputePipelineState> pipeline =
          lib.getPipelineStateForFunc(fmt::format("softmax_{}", scalarToMetalTypeString(input)));
      const NSUInteger width = std::min<NSUInteger>(columns, [pipeline maxTotalThreadsPerThreadgroup]);
      [encoder setComputePipelineState:pipeline];
      mtl_setArgs(encoder, output, input, columns);
      [encoder setThreadgroupMemoryLength:width * sizeof(float) atIndex:0];
      [encoder dispatchThreadgroups:MTLSizeMake(rows, 1, 1) threadsPerThreadgroup:MTLSizeMake(width, 1, 1)];
    }
  });
}

} // namespace at::native
