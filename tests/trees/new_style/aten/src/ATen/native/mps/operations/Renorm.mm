#define TORCH_ASSERT_ONLY_METHOD_OPERATORS
#include <ATen/native/mps/OperationUtils.h>

#ifndef AT_PER_OPERATOR_HEADERS
#include <ATen/NativeFunctions.h>
#else
#include <ATen/ops/renorm_native.h>
#endif

namespace at::native {
namespace {

using namespace mps;

#ifndef PYTORCH_JIT_COMPILE_SHADERS
static auto& lib = MetalShaderLibrary::getBundledLibrary();
#else
#include <ATen/native/mps/Renorm_metallib.h>
#endif

void renorm_out_mps(const Tensor& self, const Scalar& p, int64_t dim, const Scalar& maxnorm, const Tensor& out) {
  auto dims = reduced_dims(self.dim(), dim);
  auto norm = at::linalg_vector_norm(self, p.toDouble(), dims, /*keepdim=*/true);
  auto factor = at::empty(norm.sizes(), self.options());
  const float limit = maxnorm.to<float>();
  id<MTLBuffer> normBuffer = getMTLBufferStorage(norm);
  MPSStream* stream = getCurrentMPSStream();
  dispatch_sync_with_rethrow(stream->queue(), ^() {
    @autoreleasepool {
      id<MTLComputeCommandEncoder> encoder = stream->commandEncoder();
      id<MTLComputePipelineState> pipeline = lib.getPipelineStateForFunc("renorm_" + scalarToMetalTypeString(self));
      [encoder setComputePipelineState:pipeline];
      [encoder setBuffer:normBuffer offset:norm.storage_offset() * norm.element_size() atIndex:0];
      [encoder setBuffer:getMTLBufferStorage(factor) offset:factor.storage_offset() * factor.element_size() atIndex:1];
      [encoder setBytes:&limit length:sizeof(float) atIndex:2];
      mtl_dispatch1DJob(encoder, pipeline, norm.numel());
    }
  });
  at::mul_outf(self, factor, const_cast<Tensor&>(out));
}

} // namespace

TORCH_IMPL_FUNC(renorm_out_mps)
(const Tensor& self, const Scalar& p, int64_t dim, const Scalar& maxnorm, const Tensor& out) {
  TORCH_CHECK(supportedFloatingType(self), "renorm expects floating point");
  renorm_out_mps(self, p, dim, maxnorm, out);
}

} // namespace at::native
