#define TORCH_ASSERT_ONLY_METHOD_OPERATORS
#include <ATen/native/Lerp.h>
#include <ATen/native/TensorCompare.h>
#include <ATen/native/mps/OperationUtils.h>

namespace at::native {

using namespace at::native::mps;

#ifndef PYTORCH_JIT_COMPILE_SHADERS
static auto& lib = MetalShaderLibrary::getBundledLibrary();
#else
#include <ATen/native/mps/TernaryKernel_metallib.h>
#endif

static void lerp_tensor_mps_kernel(TensorIteratorBase& iter) {
  lib.exec_ternary_kernel(iter, "lerp");
}

static void clamp_mps_kernel(TensorIteratorBase& iter) {
  TORCH_CHECK(!c10::isComplexType(iter.common_dtype()), "complex numbers have no order to clamp by");
  lib.exec_ternary_kernel(iter, "clamp");
}

// Strides of the iterator count bytes; these kernels want elements.
static std::vector<int64_t> element_strides(const TensorIteratorBase& iter, int operand) {
  std::vector<int64_t> strides(iter.strides(operand).begin(), iter.strides(operand).end());
  for (auto& stride : strides) {
    stride /= static_cast<int64_t>(iter.element_size(operand));
  }
  return strides;
}

static void where_mps_kernel(TensorIterator& iter) {
  if (iter.numel() == 0) {
    return;
  }
  if (!iter.can_use_32bit_indexing()) {
    for (auto&& part : iter.with_32bit_indexing()) {
      auto copy = TensorIterator(part);
      where_mps_kernel(copy);
    }
    return;
  }
  const auto kernel_name = "where_strided_" + scalarToMetalTypeString(iter.dtype(0));
  MPSStream* stream = getCurrentMPSStream();
  dispatch_sync_with_rethrow(stream->queue(), ^() {
    @autoreleasepool {
      auto encoder = stream->commandEncoder();
      auto pipeline = lib.getPipelineStateForFunc(kernel_name);
      [encoder setComputePipelineState:pipeline];
      bind_iter_tensors(encoder, iter);
      mtl_setArgs<4>(encoder,
                     iter.shape(),
                     element_strides(iter, 0),
                     element_strides(iter, 1),
                     element_strides(iter, 2),
                     element_strides(iter, 3),
                     static_cast<uint32_t>(iter.ndim()));
      mtl_dispatch1DJob(encoder, pipeline, iter.numel());
    }
  });
}

REGISTER_DISPATCH(lerp_kernel_tensor_weight, &lerp_tensor_mps_kernel)
REGISTER_DISPATCH(clamp_stub, &clamp_mps_kernel)
REGISTER_DISPATCH(where_kernel, &where_mps_kernel)

} // namespace at::native
