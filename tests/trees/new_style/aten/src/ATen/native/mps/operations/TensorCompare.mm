#define TORCH_ASSERT_ONLY_METHOD_OPERATORS
#include <ATen/native/mps/OperationUtils.h>

#ifndef AT_PER_OPERATOR_HEADERS
#include <ATen/NativeFunctions.h>
#else
#include <ATen/ops/isin_native.h>
#include <ATen/ops/nextafter_native.h>
#endif

namespace at::native {
namespace mps {

// A library of this file's own: its source has holes for two types, and is compiled on first use.
static MetalShaderLibrary lib(R"NEXTAFTER_METAL(
#include <metal_stdlib>
using namespace metal;

kernel void nextafter_kernel(
    device {0}* output [[buffer(0)]],
    constant {0}* self [[buffer(1)]],
    constant {0}* other [[buffer(2)]],
    uint index [[thread_position_in_grid]]) {{
  const auto from = self[index];
  const auto to = other[index];
  if (isnan(from) || isnan(to)) {{
    output[index] = NAN;
    return;
  }}
  auto bits = as_type<{1}>(from);
  if (from == to) {{
    output[index] = to;
    return;
  }}
  if (from == 0) {{
    bits = 1;
    output[index] = copysign(as_type<{0}>(bits), to);
    return;
  }}
  bits = (from < to) == (from > 0) ? bits + 1 : bits - 1;
  output[index] = as_type<{0}>(bits);
}}
)NEXTAFTER_METAL", 2);

static const char* bits_type(ScalarType dtype) {
  return dtype == kHalf ? "ushort" : "uint";
}

} // namespace mps

TORCH_IMPL_FUNC(nextafter_out_mps)
(const Tensor& self, const Tensor& other, const Tensor& result) {
  using namespace mps;
  TORCH_CHECK_TYPE(self.scalar_type() == kFloat || self.scalar_type() == kHalf, "nextafter expects float or half");
  const auto length = static_cast<NSUInteger>(result.numel());
  if (length == 0) {
    return;
  }
  MPSStream* stream = getCurrentMPSStream();
  dispatch_sync_with_rethrow(stream->queue(), ^() {
    @autoreleasepool {
      auto encoder = stream->commandEncoder();
      auto pipeline = lib.getPipelineStateForFunc(
          "nextafter_kernel", {scalarToMetalTypeString(self), bits_type(self.scalar_type())});
      [encoder setComputePipelineState:pipeline];
      mtl_setArgs(encoder, result, self.contiguous(), other.contiguous());
      mtl_dispatch1DJob(encoder, pipeline, length);
    }
  });
}

// No kernel of its own: sorts and searches.
TORCH_IMPL_FUNC(isin_Tensor_Tensor_out_mps)
(const Tensor& elements, const Tensor& test_elements, bool assume_unique, bool invert, const Tensor& out) {
  auto matches = elements.unsqueeze(-1).eq(test_elements.flatten()).any(-1);
  out.copy_(invert ? matches.logical_not() : matches);
}

} // namespace at::native
