#pragma once

#include <c10/metal/common.h>

// Sizes and strides of the indexed dimensions, shared by host and kernels.
template <unsigned N = c10::metal::max_ndim>
struct IndexParams {
  uint32_t num_indices;
  uint32_t reserved;
  ::c10::metal::array<int64_t, N> sizes;
  ::c10::metal::array<int64_t, N> strides;
};
