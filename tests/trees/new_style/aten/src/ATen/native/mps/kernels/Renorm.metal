#include <metal_stdlib>

using namespace metal;

// The factor by which a slice shrinks so that its norm is at most `maxnorm`.
template <typename T>
void renorm(
    constant T* norm,
    device T* factor,
    constant float& maxnorm,
    uint index) {
  constexpr auto epsilon = 1e-7f;
  const auto size = float(norm[index]);
  factor[index] = size > maxnorm ? static_cast<T>(maxnorm / (size + epsilon)) : static_cast<T>(1);
}

#define REGISTER_RENORM(DTYPE)                            \
  [[host_name("renorm_" #DTYPE)]]                         \
  kernel void renorm_##DTYPE(                             \
      constant DTYPE* norm [[buffer(0)]],                 \
      device DTYPE* factor [[buffer(1)]],                 \
      constant float& maxnorm [[buffer(2)]],              \
      uint index [[thread_position_in_grid]]) {           \
    renorm<DTYPE>(norm, factor, maxnorm, index);          \
  }

REGISTER_RENORM(float)
REGISTER_RENORM(half)
REGISTER_RENORM(bfloat)
