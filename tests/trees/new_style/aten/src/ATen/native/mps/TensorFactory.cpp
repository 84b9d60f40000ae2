#include <ATen/core/Tensor.h>
#include <ATen/mps/EmptyTensor.h>
#include <ATen/native/mps/TensorFactory.h>

namespace at::native {

// A host function in C++, not Objective-C++: nothing here needs Metal.
Tensor empty_mps(
    IntArrayRef size,
    std::optional<ScalarType> dtype_opt,
    std::optional<Layout> layout_opt,
    std::optional<Device> device_opt,
    std::optional<bool> pin_memory_opt,
    std::optional<c10::MemoryFormat> memory_format_opt) {
  return at::detail::empty_mps(size, dtype_opt, layout_opt, device_opt, pin_memory_opt, memory_format_opt);
}

} // namespace at::native
