#define TORCH_ASSERT_ONLY_METHOD_OPERATORS
#include <ATen/native/ReduceOps.h>

#include <ATen/TensorIterator.h>
#include <ATen/core/Tensor.h>

namespace at::native {

DEFINE_DISPATCH(norm_stub);

TORCH_IMPL_FUNC(sum_out)
(const Tensor& self, OptionalIntArrayRef opt_dim, bool keepdim, std::optional<ScalarType> opt_dtype, const Tensor& result) {
  sum_without_stub(self, opt_dim, keepdim, opt_dtype, result);
}

static void impl_func_norm(
    const Tensor& self,
    const OptionalScalarRef& opt_p,
    IntArrayRef dim,
    bool keepdim,
    const Tensor& result) {
  auto p = opt_p.has_value() ? opt_p.get() : Scalar(2.0);
  auto iter = make_reduction("norm", const_cast<Tensor&>(result), self, dim, keepdim, result.scalar_type());
  if (iter.numel() == 0) {
    result.zero_();
  } else {
    norm_stub(iter.device_type(), iter, p);
  }
}

TORCH_IMPL_FUNC(norm_out)
(const Tensor& self, const OptionalScalarRef p, IntArrayRef dim, bool keepdim, const Tensor& result) {
  impl_func_norm(self, p, dim, keepdim, result);
}

TORCH_IMPL_FUNC(argmax_out)
(const Tensor& self, std::optional<int64_t> dim, bool keepdim, const Tensor& result) {
  argmax_by_sorting(self, dim, keepdim, result);
}

TORCH_IMPL_FUNC(cumsum_out)
(const Tensor& self, int64_t dim, std::optional<ScalarType> dtype, const Tensor& result) {
  scan_by_loop(self, dim, result, /*init=*/0);
}

TORCH_IMPL_FUNC(cumprod_out)
(const Tensor& self, int64_t dim, std::optional<ScalarType> dtype, const Tensor& result) {
  scan_by_loop(self, dim, result, /*init=*/1);
}

TORCH_IMPL_FUNC(renorm_out)
(const Tensor& self, const Scalar& p, int64_t dim, const Scalar& maxnorm, const Tensor& out) {
  renorm_by_vector_norm(self, p, dim, maxnorm, out);
}

Tensor sum(const Tensor& self, std::optional<ScalarType> dtype) {
  return at::sum(self, IntArrayRef{}, false, dtype);
}

Tensor trace_cpu(const Tensor& self) {
  return self.diagonal().sum();
}

} // namespace at::native
