#include <metal_stdlib>

using namespace metal;

// Unscales gradients in place; a value that is not finite raises the flag.
#define REGISTER_AMP(DTYPE)                                                   \
  kernel void amp_non_finite_check_and_unscale_##DTYPE(                       \
      device DTYPE* gradient [[buffer(0)]],                                   \
      device float& found_inf [[buffer(1)]],                                  \
      constant float& inverse_scale [[buffer(2)]],                            \
      uint index [[thread_position_in_grid]]) {                               \
    const auto value = float(gradient[index]);                                \
    if (!isfinite(value)) {                                                   \
      found_inf = 1.0f;                                                       \
    }                                                                         \
    gradient[index] = static_cast<DTYPE>(value * inverse_scale);              \
  }

REGISTER_AMP(float)
REGISTER_AMP(half)
REGISTER_AMP(bfloat)
