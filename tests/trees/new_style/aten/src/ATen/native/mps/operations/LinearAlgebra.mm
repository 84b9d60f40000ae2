#define TORCH_ASSERT_ONLY_METHOD_OPERATORS
#include <ATen/native/mps/OperationUtils.h>

#ifndef AT_PER_OPERATOR_HEADERS
#include <ATen/NativeFunctions.h>
#else
#include <ATen/ops/linear_native.h>
#include <ATen/ops/mm_native.h>
#include <ATen/ops/mps_linear_backward_native.h>
#endif

namespace at::native {
namespace mps {

#ifndef PYTORCH_JIT_COMPILE_SHADERS
static auto& lib = MetalShaderLibrary::getBundledLibrary();
#else
#include <ATen/native/mps/LinearAlgebra_metallib.h>
#endif

static void do_metal_mm(const Tensor& self, const Tensor& other, const Tensor& output) {
  constexpr NSUInteger kTile = 16;
  const std::array<uint64_t, 6> strides = {static_cast<uint64_t>(self.stride(0)),
                                           static_cast<uint64_t>(self.stride(1)),
                                           static_cast<uint64_t>(other.stride(0)),
                                           static_cast<uint64_t>(other.stride(1)),
                                           static_cast<uint64_t>(output.stride(0)),
                                           static_cast<uint64_t>(output.stride(1))};
  // Four numbers for three: a vector of three takes as many bytes.
  const std::array<uint32_t, 4> sizes = {static_cast<uint32_t>(self.size(0)),
                                         static_cast<uint32_t>(other.size(1)),
                                         static_cast<uint32_t>(self.size(1)),
                                         0};
  MPSStream* stream = getCurrentMPSStream();
  dispatch_sync_with_rethrow(stream->queue(), ^() {
    @autoreleasepool {
      auto encoder = stream->commandEncoder();
      auto pipeline = lib.getPipelineStateForFunc("matmul_" + scalarToMetalTypeString(output));
      [encoder setComputePipelineState:pipeline];
      mtl_setArgs(encoder, self, other, output, strides, sizes);
      const auto across = (static_cast<NSUInteger>(output.size(1)) + kTile - 1) / kTile;
      const auto down = (static_cast<NSUInteger>(output.size(0)) + kTile - 1) / kTile;
      [encoder dispatchThreadgroups:MTLSizeMake(across, down, 1) threadsPerThreadgroup:MTLSizeMake(kTile, kTile, 1)];
    }
  });
}

} // namespace mps

TORCH_IMPL_FUNC(mm_out_mps)
(const Tensor& self, const Tensor& mat2, const Tensor& result) {
  TORCH_CHECK(self.scalar_type() == mat2.scalar_type(), "mm expects matrices of one dtype");
  TORCH_CHECK_NOT_IMPLEMENTED(!c10::isComplexType(self.scalar_type()), "mm of complex matrices");
  if (result.numel() == 0) {
    return;
  }
  mps::do_metal_mm(self, mat2, result);
}

Tensor _mps_linear(const Tensor& input, const Tensor& weight, const std::optional<Tensor>& bias) {
  using namespace mps;
  TORCH_CHECK(supportedFloatingType(input), "linear expects floating point");
  TORCH_CHECK(!bias.has_value() || bias->scalar_type() == input.scalar_type(), "linear expects one dtype");
  auto output = at::mm(input, weight.t());
  if (output.numel() == 0) {
    return output;
  }
  MPSStream* stream = getCurrentMPSStream();
  dispatch_sync_with_rethrow(stream->queue(), ^() {
    @autoreleasepool {
      auto encoder = stream->commandEncoder();
      auto pipeline = lib.getPipelineStateForFunc(fmt::format("add_bias_{}", scalarToMetalTypeString(output)));
      [encoder setComputePipelineState:pipeline];
      // An absent bias clears its slot.
      mtl_setArgs(encoder, output, bias, static_cast<uint32_t>(output.size(-1)), bias.has_value());
      mtl_dispatch1DJob(encoder, pipeline, output.numel());
    }
  });
  return output;
}

std::tuple<Tensor, Tensor, Tensor> mps_linear_backward(
    const Tensor& input,
    const Tensor& grad_output,
    const Tensor& weight,
    std::array<bool, 3> output_mask) {
  Tensor grad_input = output_mask[0] ? at::mm(grad_output, weight) : Tensor();
  Tensor grad_weight = output_mask[1] ? at::mm(grad_output.t(), input) : Tensor();
  Tensor grad_bias = output_mask[2] ? grad_output.sum(0) : Tensor();
  return {grad_input, grad_weight, grad_bias};
}

} // namespace at::native
