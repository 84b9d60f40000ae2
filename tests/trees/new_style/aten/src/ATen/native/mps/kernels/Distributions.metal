#include <c10/metal/common.h>
#include <c10/metal/random.h>
#include <metal_stdlib>

using namespace metal;

// A seed and an offset make each launch reproducible.
template <typename T>
kernel void uniform_real(
    device T* output [[buffer(0)]],
    constant float2& bounds [[buffer(1)]],
    constant long2& seed_offset [[buffer(2)]],
    uint index [[thread_position_in_grid]]) {
  const auto unit = c10::metal::rand(seed_offset.x, seed_offset.y + index);
  output[index] = static_cast<T>(bounds.x + unit * (bounds.y - bounds.x));
}

template <typename T>
kernel void random_from_to(
    device T* output [[buffer(0)]],
    constant long2& bounds [[buffer(1)]],
    constant long2& seed_offset [[buffer(2)]],
    uint index [[thread_position_in_grid]]) {
  const auto value = c10::metal::randint64(seed_offset.x, seed_offset.y + index, bounds.x, bounds.y);
  if IF_CONSTEXPR (::metal::is_same_v<T, bool>) {
    output[index] = static_cast<T>(value % 2);
  } else {
    output[index] = static_cast<T>(value);
  }
}

#define INSTANTIATE_UNIFORM(DTYPE)                                          \
  template [[host_name("uniform_" #DTYPE)]] kernel void uniform_real<DTYPE>( \
      device DTYPE*, constant float2&, constant long2&, uint)

#define INSTANTIATE_RANDOM_FROM_TO(DTYPE)                 \
  template [[host_name("random_from_to_" #DTYPE)]]        \
  kernel void random_from_to<DTYPE>(                      \
      device DTYPE*, constant long2&, constant long2&, uint)

INSTANTIATE_UNIFORM(float);
INSTANTIATE_UNIFORM(half);
INSTANTIATE_UNIFORM(bfloat);

INSTANTIATE_RANDOM_FROM_TO(float);
INSTANTIATE_RANDOM_FROM_TO(half);
INSTANTIATE_RANDOM_FROM_TO(bfloat);
INSTANTIATE_RANDOM_FROM_TO(long);
INSTANTIATE_RANDOM_FROM_TO(int);
INSTANTIATE_RANDOM_FROM_TO(short);
INSTANTIATE_RANDOM_FROM_TO(char);
INSTANTIATE_RANDOM_FROM_TO(uchar);
INSTANTIATE_RANDOM_FROM_TO(bool);
