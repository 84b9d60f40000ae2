#define TORCH_ASSERT_ONLY_METHOD_OPERATORS
#include <ATen/native/mps/OperationUtils.h>

#ifndef AT_PER_OPERATOR_HEADERS
#include <ATen/NativeFunctions.h>
#else
#include <ATen/ops/tril_native.h>
#include <ATen/ops/triu_native.h>
#endif

namespace at::native {

#ifndef PYTORCH_JIT_COMPILE_SHADERS
static auto& lib = mps::MetalShaderLibrary::getBundledLibrary();
#else
#include <ATen/native/mps/TriangularOps_metallib.h>
#endif

static void triangle_mps_impl(const Tensor& self, int64_t diagonal, const Tensor& output, bool upper) {
  using namespace mps;
  if (self.numel() == 0) {
    return;
  }
  TORCH_CHECK_NOT_IMPLEMENTED(
      supportedFloatingType(self) || self.scalar_type() == kLong || self.scalar_type() == kInt ||
          self.scalar_type() == kBool,
      "triu and tril of this dtype");
  const auto input = self.contiguous();
  const std::array<uint32_t, 2> rows_columns = {static_cast<uint32_t>(self.size(-2)),
                                                static_cast<uint32_t>(self.size(-1))};
  const auto grid = MTLSizeMake(self.size(-1), self.size(-2), self.numel() / (self.size(-1) * self.size(-2)));
  MPSStream* stream = getCurrentMPSStream();
  dispatch_sync_with_rethrow(stream->queue(), ^() {
    @autoreleasepool {
      auto encoder = stream->commandEncoder();
      auto pipeline = lib.getPipelineStateForFunc(
          fmt::format("{}_{}", upper ? "triu" : "tril", scalarToMetalTypeString(input)));
      [encoder setComputePipelineState:pipeline];
      mtl_setArgs(encoder, output, input, diagonal, rows_columns);
      [encoder dispatchThreads:grid threadsPerThreadgroup:MTLSizeMake(16, 16, 1)];
    }
  });
}

TORCH_IMPL_FUNC(triu_mps_out)
(const Tensor& self, int64_t k, const Tensor& output) {
  triangle_mps_impl(self, k, output, /*upper=*/true);
}

TORCH_IMPL_FUNC(tril_mps_out)
(const Tensor& self, int64_t k, const Tensor& output) {
  triangle_mps_impl(self, k, output, /*upper=*/false);
}

} // namespace at::native
