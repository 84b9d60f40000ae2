#define TORCH_ASSERT_ONLY_METHOD_OPERATORS
#include <ATen/native/SparseTensorUtils.h>
#include <ATen/native/mps/OperationUtils.h>

#ifndef AT_PER_OPERATOR_HEADERS
#include <ATen/NativeFunctions.h>
#else
#include <ATen/ops/add_native.h>
#endif

namespace at::native {

using namespace at::sparse;

// Adds by concatenating the entries of both; coalescing sums what coincides.
Tensor& add_out_sparse_mps(const Tensor& self, const Tensor& other, const Scalar& alpha, Tensor& out) {
  TORCH_CHECK(self.is_sparse() && other.is_sparse(), "add expects two sparse tensors");
  auto indices = at::cat({self._indices(), other._indices()}, 1);
  auto values = at::cat({self._values(), other._values().mul(alpha)}, 0);
  out.resize_as_(self);
  alias_into_sparse(out, indices, values);
  return out._coalesced_(false);
}

} // namespace at::native
