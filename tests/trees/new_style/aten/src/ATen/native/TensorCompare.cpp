#define TORCH_ASSERT_ONLY_METHOD_OPERATORS
#include <ATen/native/TensorCompare.h>

#include <ATen/TensorIterator.h>
#include <ATen/core/Tensor.h>

namespace at::native {

DEFINE_DISPATCH(clamp_stub);
DEFINE_DISPATCH(where_kernel);

TORCH_IMPL_FUNC(clamp_Tensor_out)
(const Tensor& self, const OptionalTensorRef min, const OptionalTensorRef max, const Tensor& result) {
  if (min && max) {
    clamp_stub(device_type(), *this);
  } else if (min) {
    at::maximum_outf(self, *min, const_cast<Tensor&>(result));
  } else {
    result.copy_(self);
  }
}

static Tensor& where_out_impl(const Tensor& condition, const Tensor& self, const Tensor& other, Tensor& out) {
  auto iter = at::TensorIteratorConfig()
                  .check_all_same_dtype(false)
                  .add_output(out)
                  .add_const_input(condition)
                  .add_const_input(self)
                  .add_const_input(other)
                  .build();
  where_kernel(iter.device_type(), iter);
  return out;
}

Tensor& where_self_out(const Tensor& condition, const Tensor& self, const Tensor& other, Tensor& out) {
  return where_out_impl(condition, self, other, out);
}

Tensor where(const Tensor& condition, const Tensor& self, const Tensor& other) {
  auto out = at::empty({0}, self.options().dtype(at::result_type(self, other)));
  where_out_impl(condition, self, other, out);
  return out;
}

TORCH_IMPL_FUNC(isin_Tensor_Tensor_out)
(const Tensor& elements, const Tensor& test_elements, bool assume_unique, bool invert, const Tensor& out) {
  isin_sorting(elements, test_elements, assume_unique, invert, out);
}

TORCH_IMPL_FUNC(isin_Tensor_Scalar_out)
(const Tensor& elements, const c10::Scalar& test_element, bool assume_unique, bool invert, const Tensor& out) {
  if (invert) {
    at::ne_out(const_cast<Tensor&>(out), elements, test_element);
  } else {
    at::eq_out(const_cast<Tensor&>(out), elements, test_element);
  }
}

} // namespace at::native
