#include <ATen/native/Sample.h>

namespace at::native {

DEFINE_DISPATCH(softsign_stub);
DEFINE_DISPATCH(blend_stub);
DEFINE_DISPATCH(fade_stub);
DEFINE_DISPATCH(glide_stub);

TORCH_IMPL_FUNC(softsign_out)(const Tensor& self, const Tensor& result) {
  softsign_stub(device_type(), *this);
}

TORCH_IMPL_FUNC(blend_out)(const Tensor& self, const Tensor& other, const Tensor& result) {
  blend_stub(device_type(), *this);
}

TORCH_IMPL_FUNC(fade_out)(const Tensor& self, const Tensor& result) {
  fade_stub(device_type(), *this);
}

TORCH_IMPL_FUNC(fade_mode_out)(const Tensor& self, int64_t mode, const Tensor& result) {
  fade_stub(device_type(), *this);
}

TORCH_IMPL_FUNC(glide_out)(const Tensor& self, const Tensor& result) {
  glide_stub(device_type(), *this);
}

} // namespace at::native
