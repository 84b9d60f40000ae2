#define TORCH_ASSERT_ONLY_METHOD_OPERATORS
#include <ATen/native/ReduceOps.h>
#include <ATen/native/mps/OperationUtils.h>
#include <ATen/native/mps/kernels/ReduceOps.h>

#ifndef AT_PER_OPERATOR_HEADERS
#include <ATen/NativeFunctions.h>
#else
#include <ATen/ops/argmax_native.h>
#include <ATen/ops/sum_native.h>
#include <ATen/ops/trace_native.h>
#endif

namespace at::native {
namespace mps {

#ifndef PYTORCH_JIT_COMPILE_SHADERS
static auto& lib = MetalShaderLibrary::getBundledLibrary();
#else
#include <ATen/native/mps/ReduceOps_metallib.h>
#endif

// One threadgroup for each row, as wide as the row where the pipeline allows it.
static void sum_rows(const Tensor& rows, const Tensor& sums) {
  const auto row_count = static_cast<NSUInteger>(sums.numel());
  const auto columns = static_cast<uint32_t>(rows.numel() / std::max<int64_t>(sums.numel(), 1));
  const auto kernel_name = fmt::format("sum_{}_{}", scalarToMetalTypeString(sums), scalarToMetalTypeString(rows));
  MPSStream* stream = getCurrentMPSStream();
  dispatch_sync_with_rethrow(stream->queue(), ^() {
    @autoreleasepool {
      auto encoder = stream->commandEncoder();
      auto pipeline = lib.getPipelineStateForFunc(kernel_name);
      [encoder setComputePipelineState:pipeline];
      mtl_setArgs(encoder, rows, sums, columns);
      const auto width = std::min<NSUInteger>(columns, [pipeline maxTotalThreadsPerThreadgroup]);
      [encoder dispatchThreadgroups:MTLSizeMake(row_count, 1, 1) threadsPerThreadgroup:MTLSizeMake(width, 1, 1)];
    }
  });
}

static NormParams<> norm_params(const TensorIterator& iter, float p) {
  NormParams<> params{};
  params.p = p;
  params.ndim = iter.ndim() - 1;
  params.reduction_size = iter.shape()[0];
  for (const auto dim : c10::irange(params.ndim)) {
    params.output_sizes[dim] = iter.shape()[dim + 1];
    params.output_strides[dim] = iter.strides(0)[dim + 1] / iter.element_size(0);
    params.input_strides[dim] = iter.strides(1)[dim + 1] / iter.element_size(1);
  }
  params.input_strides[params.ndim] = iter.strides(1)[0] / iter.element_size(1);
  return params;
}

} // namespace mps

TORCH_IMPL_FUNC(sum_out_mps)
(const Tensor& self,
 OptionalIntArrayRef opt_dim,
 bool keepdim,
 std::optional<ScalarType> dtype,
 const Tensor& output) {
  if (self.numel() == 0) {
    output.zero_();
    return;
  }
  mps::sum_rows(self.contiguous(), output);
}

TORCH_IMPL_FUNC(argmax_out_mps)
(const Tensor& self, std::optional<int64_t> dim, bool keepdim, const Tensor& output) {
  using namespace mps;
  if (output.numel() == 0) {
    return;
  }
  const auto input = self.contiguous();
  const auto rows = static_cast<uint32_t>(output.numel());
  const std::array<uint32_t, 2> rows_columns = {rows, static_cast<uint32_t>(input.numel() / rows)};
  MPSStream* stream = getCurrentMPSStream();
  dispatch_sync_with_rethrow(stream->queue(), ^() {
    @autoreleasepool {
      auto encoder = stream->commandEncoder();
      auto pipeline = lib.getPipelineStateForFunc("argmax_" + scalarToMetalTypeString(input));
      [encoder setComputePipelineState:pipeline];
      mtl_setBuffer(encoder, input, 0);
      mtl_setBuffer(encoder, output, 1);
      mtl_setBytes(encoder, rows_columns, 2);
      mtl_dispatch1DJob(encoder, pipeline, rows);
    }
  });
}

static void norm_kernel_mps(TensorIterator& iter, const Scalar& p) {
  using namespace mps;
  TORCH_CHECK(supportedFloatingType(iter.input(0)), "norm expects floating point");
  const auto kernel_name =
      fmt::format("norm_{}_{}", scalarToMetalTypeString(iter.input(0)), scalarToMetalTypeString(iter.output(0)));
  const auto params = norm_params(iter, p.to<float>());
  const auto outputs = static_cast<NSUInteger>(iter.num_output_elements());
  MPSStream* stream = getCurrentMPSStream();
  dispatch_sync_with_rethrow(stream->queue(), ^() {
    @autoreleasepool {
      auto encoder = stream->commandEncoder();
      auto pipeline = lib.getPipelineStateForFunc(kernel_name);
      [encoder setComputePipelineState:pipeline];
      mtl_setArgs(encoder, iter.input(0), iter.output(0), params);
      const auto width = std::min<NSUInteger>(MAX_THREADGROUP_SIZE, [pipeline maxTotalThreadsPerThreadgroup]);
      [encoder dispatchThreadgroups:MTLSizeMake(outputs, 1, 1) threadsPerThreadgroup:MTLSizeMake(width, 1, 1)];
    }
  });
}

Tensor trace_mps(const Tensor& self) {
  using namespace mps;
  TORCH_CHECK(self.dim() == 2, "trace expects a matrix");
  TORCH_CHECK(self.scalar_type() == kFloat || self.scalar_type() == kHalf, "trace expects float or half");
  auto output = at::empty({}, self.options());
  auto kernel = lib.getCachedKernelFunctionPtr("trace_" + scalarToMetalTypeString(self));
  kernel->runCommandBlock([&] {
    kernel->startEncoding();
    kernel->setArg(0, self);
    kernel->setArg(1, output);
    kernel->setArg(2, static_cast<uint32_t>(std::min(self.size(0), self.size(1))));
    kernel->setArg(3, self.stride(0) + self.stride(1));
    kernel->dispatch(32, 32);
  });
  return output;
}

REGISTER_DISPATCH(norm_stub, &norm_kernel_mps)

} // namespace at::native
