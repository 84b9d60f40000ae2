#define TORCH_ASSERT_ONLY_METHOD_OPERATORS
#include <ATen/native/mps/OperationUtils.h>

#ifndef AT_PER_OPERATOR_HEADERS
#include <ATen/NativeFunctions.h>
#else
#include <ATen/ops/fill_native.h>
#endif

namespace at::native {

#ifndef PYTORCH_JIT_COMPILE_SHADERS
static auto& lib = mps::MetalShaderLibrary::getBundledLibrary();
#else
#include <ATen/native/mps/Fill_metallib.h>
#endif

static const std::string& fill_kernel_name(size_t element_size) {
  static const std::string names[] = {
      "fill_scalar_8bit", "fill_scalar_16bit", "fill_scalar_32bit", "fill_scalar_64bit"};
  return names[c10::llvm::Log2_64(element_size)];
}

Tensor& fill_scalar_mps(Tensor& self, const Scalar& value) {
  using namespace mps;
  if (self.numel() == 0) {
    return self;
  }
  if (!self.is_non_overlapping_and_dense()) {
    auto filled = at::empty_like(self, MemoryFormat::Contiguous);
    return self.copy_(fill_scalar_mps(filled, value));
  }
  const auto scalar = getMPSScalar(value, self.scalar_type());
  MPSStream* stream = getCurrentMPSStream();
  dispatch_sync_with_rethrow(stream->queue(), ^() {
    @autoreleasepool {
      auto encoder = stream->commandEncoder();
      auto pipeline = lib.getPipelineStateForFunc(fill_kernel_name(self.element_size()));
      [encoder setComputePipelineState:pipeline];
      mtl_setBuffer(encoder, self, 0);
      mtl_setBytes(encoder, scalar, 1);
      mtl_dispatch1DJob(encoder, pipeline, self.numel());
    }
  });
  return self;
}

} // namespace at::native
