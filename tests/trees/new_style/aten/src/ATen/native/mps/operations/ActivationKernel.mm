#define TORCH_ASSERT_ONLY_METHOD_OPERATORS
#include <ATen/Dispatch.h>
#include <ATen/native/Activation.h>
#include <ATen/native/mps/OperationUtils.h>
#include <ATen/native/mps/kernels/Activation.h>
#include <fmt/format.h>

namespace at::native {

#ifndef PYTORCH_JIT_COMPILE_SHADERS
static auto& lib = mps::MetalShaderLibrary::getBundledLibrary();
#else
#include <ATen/native/mps/ActivationKernel_metallib.h>
#endif

static void silu_kernel(TensorIteratorBase& iter) {
  lib.exec_unary_kernel(iter, "silu");
}

static void silu_backward_kernel(TensorIteratorBase& iter) {
  lib.exec_binary_kernel(iter, "silu_backward");
}

// Not structured: its stub takes the derived iterator.
static void mish_backward_kernel(TensorIterator& iter) {
  lib.exec_binary_kernel(iter, "mish_backward");
}

static void elu_kernel(TensorIteratorBase& iter,
                       const Scalar& alpha,
                       const Scalar& scale,
                       const Scalar& input_scale) {
  AT_DISPATCH_FLOATING_TYPES_AND2(c10::kHalf, c10::kBFloat16, iter.common_dtype(), "elu_mps", [&]() {
    ELUParams<scalar_t> params{alpha.to<scalar_t>(), scale.to<scalar_t>(), input_scale.to<scalar_t>()};
    lib.exec_unary_kernel_with_params(
        iter, "elu", params, fmt::format("ELUParams_{}", mps::scalarToMetalTypeString(iter.common_dtype())));
  });
}

static void elu_backward_kernel(TensorIteratorBase& iter,
                                const Scalar& alpha,
                                const Scalar& scale,
                                const Scalar& input_scale,
                                bool is_result) {
  TORCH_CHECK(iter.dtype(1) == iter.dtype(2), "elu_backward expects a gradient of the input's dtype");
  AT_DISPATCH_FLOATING_TYPES_AND2(c10::kHalf, c10::kBFloat16, iter.common_dtype(), "elu_backward_mps", [&]() {
    ELUBackwardParams<scalar_t> params{
        alpha.to<scalar_t>(), scale.to<scalar_t>(), input_scale.to<scalar_t>(), is_result};
    lib.exec_binary_kernel_with_params(
        iter,
        "elu_backward",
        params,
        fmt::format("ELUBackwardParams_{}", mps::scalarToMetalTypeString(iter.common_dtype())));
  });
}

REGISTER_DISPATCH(silu_stub, silu_kernel)
REGISTER_DISPATCH(silu_backward_stub, silu_backward_kernel)
REGISTER_DISPATCH(mish_backward_stub, mish_backward_kernel)
REGISTER_DISPATCH(elu_stub, elu_kernel)
REGISTER_DISPATCH(elu_backward_stub, elu_backward_kernel)

} // namespace at::native
