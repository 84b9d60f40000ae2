#include <torch/extension.h>
#include <ATen/native/mps/OperationUtils.h>
#import <Metal/Metal.h>

static const char* SOURCE = R"MSL(
#include <metal_stdlib>
using namespace metal;

kernel void ripple_scale(
    device float* out [[buffer(0)]],
    device const float* x [[buffer(1)]],
    constant float& factor [[buffer(2)]],
    uint i [[thread_position_in_grid]]) {
  out[i] = x[i] * factor;
}
)MSL";

static at::Tensor scale_mps(const at::Tensor& self, double factor) {
  auto out = at::empty_like(self);
  auto stream = at::mps::getCurrentMPSStream();
  id<MTLDevice> device = stream->device();
  NSError* error = nil;
  id<MTLLibrary> library = [device newLibraryWithSource:@(SOURCE) options:nil error:&error];
  id<MTLFunction> function = [library newFunctionWithName:@"ripple_scale"];
  id<MTLComputePipelineState> state = [device newComputePipelineStateWithFunction:function
                                                                            error:&error];
  float value = factor;
  at::native::mps::dispatch_sync_with_rethrow(stream->queue(), ^() {
    id<MTLComputeCommandEncoder> encoder = stream->commandEncoder();
    [encoder setComputePipelineState:state];
    [encoder setBuffer:getMTLBufferStorage(out)
                offset:out.storage_offset() * out.element_size()
               atIndex:0];
    [encoder setBuffer:getMTLBufferStorage(self)
                offset:self.storage_offset() * self.element_size()
               atIndex:1];
    [encoder setBytes:&value length:sizeof(value) atIndex:2];
    [encoder dispatchThreads:MTLSizeMake(self.numel(), 1, 1)
        threadsPerThreadgroup:MTLSizeMake(64, 1, 1)];
  });
  return out;
}

static at::Tensor shift_mps(const at::Tensor& self, int64_t steps, const at::Tensor& fill) {
  return at::roll(self, steps) + fill;
}

TORCH_LIBRARY(ripple, m) {
  m.def("scale(Tensor self, float factor) -> Tensor");
  m.def("shift(Tensor self, int steps, Tensor fill) -> Tensor");
}

TORCH_LIBRARY_IMPL(ripple, MPS, m) {
  m.impl("scale", &scale_mps);
  m.impl("shift", &shift_mps);
}
