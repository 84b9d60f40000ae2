#include <torch/library.h>

at::Tensor scale_cpu(const at::Tensor& self, double factor);
at::Tensor shift_cpu(const at::Tensor& self, int64_t steps, const at::Tensor& fill);
at::Tensor scale_cuda(const at::Tensor& self, double factor);
at::Tensor shift_cuda(const at::Tensor& self, int64_t steps, const at::Tensor& fill);

TORCH_LIBRARY_IMPL(ripple, CPU, m) {
  m.impl("scale", &scale_cpu);
  m.impl("shift", &shift_cpu);
}

TORCH_LIBRARY_IMPL(ripple, CUDA, m) {
  m.impl("scale", &scale_cuda);
  m.impl("shift", &shift_cuda);
}
