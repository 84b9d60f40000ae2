#define TORCH_ASSERT_ONLY_METHOD_OPERATORS
#include <ATen/native/UnaryOps.h>
#include <ATen/native/mps/OperationUtils.h>
#include <ATen/native/mps/kernels/UnaryKernel.h>

namespace at::native {

using namespace mps;

#ifndef PYTORCH_JIT_COMPILE_SHADERS
static auto& lib = MetalShaderLibrary::getBundledLibrary();
#else
#include <ATen/native/mps/UnaryKernel_metallib.h>
#endif

// One function and one registration for each operator that needs nothing but its iterator.
#define REGISTER_UNARY_TI_DISPATCH(NAME)                           \
  static void NAME##_kernel_mps(TensorIteratorBase& iter) {        \
    lib.exec_unary_kernel(iter, #NAME);                            \
  }                                                                \
  REGISTER_DISPATCH(NAME##_stub, NAME##_kernel_mps)

REGISTER_UNARY_TI_DISPATCH(abs);
REGISTER_UNARY_TI_DISPATCH(bitwise_not);
REGISTER_UNARY_TI_DISPATCH(exp);
REGISTER_UNARY_TI_DISPATCH(i0);
REGISTER_UNARY_TI_DISPATCH(neg);
REGISTER_UNARY_TI_DISPATCH(round);
REGISTER_UNARY_TI_DISPATCH(sqrt);
REGISTER_UNARY_TI_DISPATCH(tanh);

static void logical_not_kernel_mps(TensorIteratorBase& iter) {
  lib.exec_unary_kernel(iter, "logical_not");
}

static void round_decimals_kernel_mps(TensorIteratorBase& iter, int64_t decimals) {
  lib.exec_unary_kernel(iter, "round_decimals", Scalar(decimals), ScalarType::Long);
}

static void logit_kernel_mps(TensorIteratorBase& iter, const Scalar& eps) {
  lib.exec_unary_kernel(iter, "logit", eps, ScalarType::Float);
}

static void nan_to_num_kernel_mps(TensorIteratorBase& iter,
                                  std::optional<double> nan,
                                  std::optional<double> pos_inf,
                                  std::optional<double> neg_inf) {
  AT_DISPATCH_FLOATING_TYPES_AND2(kHalf, kBFloat16, iter.common_dtype(), "nan_to_num_mps", [&] {
    using limits = std::numeric_limits<scalar_t>;
    NanToNumParams<scalar_t> params;
    params.nan = nan.has_value() ? static_cast<scalar_t>(*nan) : scalar_t(0);
    params.posinf = pos_inf.has_value() ? static_cast<scalar_t>(*pos_inf) : limits::max();
    params.neginf = neg_inf.has_value() ? static_cast<scalar_t>(*neg_inf) : limits::lowest();
    lib.exec_unary_kernel_with_params(
        iter, "nan_to_num", params, fmt::format("NanToNumParams_{}", scalarToMetalTypeString(iter.common_dtype())));
  });
}

REGISTER_DISPATCH(logical_not_stub, &logical_not_kernel_mps)
REGISTER_DISPATCH(round_decimals_stub, &round_decimals_kernel_mps)
REGISTER_DISPATCH(logit_stub, &logit_kernel_mps)
REGISTER_DISPATCH(nan_to_num_stub, &nan_to_num_kernel_mps)

} // namespace at::native
