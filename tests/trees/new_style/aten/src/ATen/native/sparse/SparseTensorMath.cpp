#define TORCH_ASSERT_ONLY_METHOD_OPERATORS
#include <ATen/core/Tensor.h>
#include <ATen/native/SparseTensorUtils.h>

namespace at::native {

Tensor empty_sparse_symint(
    SymIntArrayRef size,
    std::optional<ScalarType> dtype,
    std::optional<Layout> layout,
    std::optional<Device> device,
    std::optional<bool> pin_memory,
    std::optional<MemoryFormat> memory_format) {
  return at::_sparse_coo_tensor_with_dims(size.size(), 0, C10_AS_INTARRAYREF_SLOW(size), dtype, layout, device, pin_memory);
}

Tensor empty_sparse_compressed_symint(
    SymIntArrayRef size,
    std::optional<ScalarType> dtype,
    std::optional<Layout> layout,
    std::optional<Device> device,
    std::optional<bool> pin_memory,
    std::optional<MemoryFormat> memory_format) {
  return at::native::empty_sparse_compressed(C10_AS_INTARRAYREF_SLOW(size), dtype, layout, device, pin_memory);
}

// Operators that map zero to zero act on the values alone.
#define COALESCED_UNARY_UFUNC(op_name)                                    \
  Tensor op_name##_sparse(const Tensor& self) {                           \
    return coalesced_unary_ufunc(                                         \
        self, [](const Tensor& values) { return at::op_name(values); });  \
  }                                                                       \
  Tensor& op_name##_sparse_(Tensor& self) {                               \
    return coalesced_unary_ufunc_(                                        \
        self, [](Tensor& values) { return values.op_name##_(); });        \
  }                                                                       \
  Tensor& op_name##_sparse_out(const Tensor& self, Tensor& out) {         \
    return coalesced_unary_ufunc_out(                                     \
        self, out, [](const Tensor& values, Tensor& out_values) {         \
          return at::op_name##_outf(values, out_values);                  \
        });                                                               \
  }

COALESCED_UNARY_UFUNC(abs)
COALESCED_UNARY_UFUNC(sqrt)

Tensor nan_to_num_sparse(
    const Tensor& self,
    std::optional<double> nan,
    std::optional<double> posinf,
    std::optional<double> neginf) {
  return coalesced_unary_ufunc(
      self, [&](const Tensor& values) { return at::nan_to_num(values, nan, posinf, neginf); });
}

Tensor add_sparse(const Tensor& self, const Tensor& other, const Scalar& alpha) {
  Tensor result = at::empty({0}, self.options().dtype(at::result_type(self, other)));
  return at::add_out(result, self, other, alpha);
}

Tensor& add_sparse_(Tensor& self, const Tensor& other, const Scalar& alpha) {
  return at::add_out(self, self, other, alpha);
}

Tensor& add_out_sparse_cpu(const Tensor& self, const Tensor& other, const Scalar& alpha, Tensor& out) {
  return add_sparse_values(self, other, alpha, out);
}

Tensor pow_sparse_scalar(const Tensor& self, const Scalar& exponent) {
  Tensor result = at::empty({0}, self.options());
  return pow_out_sparse_scalar(self, exponent, result);
}

Tensor& pow_out_sparse_scalar(const Tensor& self, const Scalar& exponent, Tensor& result) {
  TORCH_CHECK(exponent.toDouble() != 0, "a sparse tensor to the power of zero would be dense");
  return pow_sparse_values(self, exponent, result);
}

Tensor _sparse_mm(const Tensor& left, const Tensor& right) {
  Tensor result = at::zeros({left.size(0), right.size(1)}, right.options());
  return at::addmm(result, left, right, 0, 1);
}

Tensor& _sparse_mm_out(const Tensor& left, const Tensor& right, Tensor& result) {
  return at::addmm_out(result, at::zeros({left.size(0), right.size(1)}, right.options()), left, right, 0, 1);
}

} // namespace at::native
