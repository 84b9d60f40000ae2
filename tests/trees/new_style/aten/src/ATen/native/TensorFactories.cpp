#define TORCH_ASSERT_ONLY_METHOD_OPERATORS
#include <ATen/core/Tensor.h>

namespace at::native {

Tensor zeros_like(
    const Tensor& self,
    std::optional<ScalarType> dtype,
    std::optional<Layout> layout,
    std::optional<Device> device,
    std::optional<bool> pin_memory,
    std::optional<MemoryFormat> memory_format) {
  return at::empty_like(self, dtype, layout, device, pin_memory, memory_format).zero_();
}

// Any device: only the storage changes hands.
Tensor& set_(Tensor& result, Storage source) {
  const int64_t elements = source.nbytes() / result.dtype().itemsize();
  return result.set_(std::move(source), 0, elements, {});
}

Tensor& set_tensor_(Tensor& result, const Tensor& source) {
  return result.set__symint(
      source.storage(), source.sym_storage_offset(), source.sym_sizes(), source.sym_strides());
}

Tensor set__symint(Tensor& result, const Tensor& source, SymInt offset, SymIntArrayRef size, SymIntArrayRef stride) {
  return result.set__symint(source.storage(), std::move(offset), size, stride);
}

Tensor linear(const Tensor& input, const Tensor& weight, const std::optional<Tensor>& bias) {
  auto product = at::matmul(input, weight.t());
  return bias.has_value() ? product.add_(*bias) : product;
}

} // namespace at::native
