#pragma once

#include <ATen/TensorIterator.h>
#include <ATen/core/Tensor.h>

#include <optional>

namespace at::native::templates {

// Templates that every backend shares. `Kernel` is a functor which calls the stub, so that the stub
// itself is named in Distributions.cpp alone.

template <template <typename> class uniform_kernel, typename RNG>
at::Tensor& uniform_impl_(at::Tensor& self, double from, double to, std::optional<Generator> generator) {
  TORCH_CHECK(from <= to, "uniform_ expects an interval, but its start ", from, " is beyond its end ", to);
  auto iter = at::TensorIterator::borrowing_nullary_op(self);
  uniform_kernel<RNG>()(iter, from, to, generator);
  return self;
}

template <template <typename> class random_kernel, typename RNG>
at::Tensor& random_impl(at::Tensor& self, std::optional<Generator> generator) {
  auto iter = at::TensorIterator::borrowing_nullary_op(self);
  random_kernel<RNG>()(iter, generator);
  return self;
}

template <template <typename> class random_from_to_kernel, typename RNG>
at::Tensor& random_from_to_impl(
    at::Tensor& self,
    int64_t from,
    std::optional<int64_t> to_opt,
    std::optional<Generator> generator) {
  auto iter = at::TensorIterator::borrowing_nullary_op(self);
  const int64_t to = to_opt.value_or(std::numeric_limits<int32_t>::max());
  TORCH_CHECK(from < to, "random_ expects that 'from' is below 'to', but got ", from, " and ", to);
  random_from_to_kernel<RNG>()(iter, static_cast<uint64_t>(to - from), from, generator);
  return self;
}

} // namespace at::native::templates
