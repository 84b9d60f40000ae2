#define TORCH_ASSERT_ONLY_METHOD_OPERATORS
#include <ATen/native/mps/Copy.h>
#include <ATen/native/mps/OperationUtils.h>

#ifndef AT_PER_OPERATOR_HEADERS
#include <ATen/NativeFunctions.h>
#else
#include <ATen/ops/_copy_from_native.h>
#include <ATen/ops/_local_scalar_dense_native.h>
#include <ATen/ops/set_native.h>
#endif

namespace at::native {
namespace mps {

#ifndef PYTORCH_JIT_COMPILE_SHADERS
static auto& lib = MetalShaderLibrary::getBundledLibrary();
#else
#include <ATen/native/mps/UnaryKernel_metallib.h>
#endif

static void copy_cast(const Tensor& src, const Tensor& dst) {
  const auto src_offset = static_cast<uint32_t>(src.storage_offset() * src.element_size());
  const auto dst_offset = static_cast<uint32_t>(dst.storage_offset() * dst.element_size());
  lib.exec_unary_kernel_raw("copy_identity",
                            getMTLBufferStorage(src),
                            src_offset,
                            src.scalar_type(),
                            getMTLBufferStorage(dst),
                            dst_offset,
                            dst.scalar_type(),
                            static_cast<uint32_t>(src.numel()));
}

Tensor& mps_copy_(Tensor& dst, const Tensor& src, bool non_blocking) {
  auto iter = TensorIteratorConfig().add_output(dst).add_const_input(src).check_all_same_dtype(false).build();
  if (iter.is_contiguous()) {
    copy_cast(src, dst);
  } else {
    lib.exec_unary_kernel(iter, "copy_identity");
  }
  return dst;
}

} // namespace mps

Tensor _copy_from_mps(const Tensor& self, const Tensor& dst, bool non_blocking) {
  return mps::mps_copy_(const_cast<Tensor&>(dst), self, non_blocking);
}

Scalar _local_scalar_dense_mps(const Tensor& self) {
  auto output = at::empty_like(self, TensorOptions(kCPU));
  mps::mps_copy_(output, self, /*non_blocking=*/false);
  return output.item();
}

Tensor& set_storage_mps_(Tensor& result, Storage storage, int64_t storage_offset, IntArrayRef size, IntArrayRef stride) {
  checkSetStorage(result, storage, storage_offset, size, stride);
  result.unsafeGetTensorImpl()->set_storage_offset(storage_offset);
  return resize_impl_mps_(result, size, stride);
}

Tensor& set_mps_(Tensor& result) {
  return result.set_(Storage(), 0, {0}, {});
}

} // namespace at::native
