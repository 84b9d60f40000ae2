#define TORCH_ASSERT_ONLY_METHOD_OPERATORS
#include <ATen/native/BinaryOps.h>
#include <ATen/native/Lerp.h>
#include <ATen/native/Pow.h>
#include <ATen/native/mps/OperationUtils.h>
#include <ATen/native/mps/operations/BinaryKernel.h>

#ifndef AT_PER_OPERATOR_HEADERS
#include <ATen/NativeFunctions.h>
#else
#include <ATen/ops/add_native.h>
#endif

namespace at::native {
namespace mps {

#ifndef PYTORCH_JIT_COMPILE_SHADERS
static auto& lib = MetalShaderLibrary::getBundledLibrary();
#else
#include <ATen/native/mps/BinaryKernel_metallib.h>
#endif

void binary_op_kernel(const std::string func_name,
                      const Tensor& input,
                      const Tensor& other,
                      const Tensor& output,
                      const std::optional<Scalar> alpha) {
  auto shape = at::infer_size(input.sizes(), other.sizes());
  if (output.sizes() != shape) {
    output.resize_(shape);
  }
  if (output.numel() == 0) {
    return;
  }
  auto iter = TensorIteratorConfig()
                  .add_output(output)
                  .add_const_input(input)
                  .add_const_input(other)
                  .check_all_same_dtype(false)
                  .promote_inputs_to_common_dtype(true)
                  .build();
  lib.exec_binary_kernel(iter, func_name, alpha);
}

// alpha == 1 is so common that it has kernels of its own.
static void add_or_sub(TensorIteratorBase& iter, const Scalar& alpha, bool subtract) {
  if (alpha.toDouble() == 1.0) {
    lib.exec_binary_kernel(iter, subtract ? "sub" : "add");
  } else {
    lib.exec_binary_kernel(iter, subtract ? "sub_alpha" : "add_alpha", alpha);
  }
}

static void square(TensorIteratorBase& iter) {
  auto product = TensorIterator::borrowing_binary_op(iter.output(), iter.input(0), iter.input(0));
  lib.exec_binary_kernel(product, "mul");
}

} // namespace mps

static void sub_mps_kernel(TensorIteratorBase& iter, const Scalar& alpha) {
  mps::add_or_sub(iter, alpha, /*subtract=*/true);
}

static void mul_mps_kernel(TensorIteratorBase& iter) {
  mps::lib.exec_binary_kernel(iter, "mul");
}

static void div_true_mps_kernel(TensorIteratorBase& iter) {
  mps::lib.exec_binary_kernel(iter, "div_true");
}

static void atan2_mps_kernel(TensorIteratorBase& iter) {
  TORCH_CHECK_NOT_IMPLEMENTED(!c10::isComplexType(iter.common_dtype()), "atan2 of complex tensors");
  mps::lib.exec_binary_kernel(iter, "atan2");
}

static void maximum_mps_kernel(TensorIteratorBase& iter) {
  mps::lib.exec_binary_kernel(iter, "maximum");
}

static void fmax_mps_kernel(TensorIteratorBase& iter) {
  if (isFloatingType(iter.common_dtype())) {
    mps::lib.exec_binary_kernel(iter, "fmax");
  } else {
    maximum_stub(iter.device_type(), iter);
  }
}

static void copysign_mps_kernel(TensorIteratorBase& iter) {
  mps::lib.exec_binary_kernel(iter, "copysign");
}

static void bitwise_and_mps_kernel(TensorIteratorBase& iter) {
  TORCH_CHECK(isIntegralType(iter.common_dtype(), /*includeBool=*/true), "bitwise_and expects integers");
  mps::lib.exec_binary_kernel(iter, "bitwise_and");
}

static void eq_mps_kernel(TensorIteratorBase& iter) {
  const auto name = c10::isComplexType(iter.common_dtype()) ? "eq_complex" : "eq";
  mps::lib.exec_binary_kernel(iter, name, std::nullopt, std::nullopt, /*natural_output_dtype=*/kBool);
}

static void complex_mps_kernel(TensorIterator& iter) {
  TORCH_CHECK_TYPE(supportedFloatingType(iter.input(0)), "complex expects float or half inputs");
  mps::lib.exec_binary_kernel(
      iter, "make_complex", std::nullopt, std::nullopt, c10::toComplexType(iter.common_dtype()));
}

static void pow_tensor_tensor_mps_kernel(TensorIteratorBase& iter) {
  mps::lib.exec_binary_kernel(iter, "pow");
}

static void pow_tensor_scalar_mps_kernel(TensorIteratorBase& iter, const Scalar& exponent) {
  if (exponent.equal(2) && !exponent.isComplex()) {
    // A square is a product, also of integers and in another kernel.
    mps::square(iter);
    return;
  }
  TORCH_CHECK_NOT_IMPLEMENTED(isFloatingType(iter.common_dtype()), "pow with a scalar expects floating point");
  mps::lib.exec_unary_kernel(iter, "pow_scalar", exponent, ScalarType::Float);
}

static void lerp_scalar_mps_kernel(TensorIteratorBase& iter, const Scalar& weight) {
  mps::lib.exec_binary_kernel(iter, "lerp_alpha", weight);
}

TORCH_IMPL_FUNC(add_out_mps)
(const Tensor& self, const Tensor& other, const Scalar& alpha, const Tensor& output) {
  if (alpha.toDouble() == 1.0) {
    mps::binary_op_kernel("add", self, other, output);
  } else {
    mps::binary_op_kernel("add_alpha", self, other, output, alpha);
  }
}

REGISTER_DISPATCH(sub_stub, &sub_mps_kernel)
REGISTER_DISPATCH(mul_stub, &mul_mps_kernel)
REGISTER_DISPATCH(div_true_stub, &div_true_mps_kernel)
REGISTER_DISPATCH(atan2_stub, &atan2_mps_kernel)
REGISTER_DISPATCH(maximum_stub, &maximum_mps_kernel)
REGISTER_DISPATCH(fmax_stub, &fmax_mps_kernel)
REGISTER_DISPATCH(copysign_stub, &copysign_mps_kernel)
REGISTER_DISPATCH(bitwise_and_stub, &bitwise_and_mps_kernel)
REGISTER_DISPATCH(eq_stub, &eq_mps_kernel)
REGISTER_DISPATCH(complex_stub, &complex_mps_kernel)
REGISTER_DISPATCH(pow_tensor_tensor_stub, &pow_tensor_tensor_mps_kernel)
REGISTER_DISPATCH(pow_tensor_scalar_stub, &pow_tensor_scalar_mps_kernel)
REGISTER_DISPATCH(lerp_kernel_scalar_weight, &lerp_scalar_mps_kernel)

} // namespace at::native
