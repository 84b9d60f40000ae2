#include <metal_stdlib>
using namespace metal;

kernel void wave_sum(
    device float* out [[buffer(0)]],
    device const float* x [[buffer(1)]],
    constant uint& columns [[buffer(2)]],
    uint row [[threadgroup_position_in_grid]],
    uint lane [[thread_position_in_threadgroup]],
    uint width [[threads_per_threadgroup]]) {
  threadgroup float partial[256];
  float sum = 0;
  for (uint i = lane; i < columns; i += width) {
    sum += x[row * columns + i];
  }
  partial[lane] = sum;
  threadgroup_barrier(mem_flags::mem_threadgroup);
  if (lane == 0) {
    float total = 0;
    for (uint i = 0; i < width; i++) {
      total += partial[i];
    }
    out[row] = total;
  }
}

template <typename T>
kernel void wave_copy(
    device T* out [[buffer(0)]],
    device const T* x [[buffer(1)]],
    constant long* strides [[buffer(2)]],
    constant uint2& size [[buffer(3)]],
    uint2 at [[thread_position_in_grid]]) {
  if (at.x < size.x && at.y < size.y) {
    out[at.y * size.x + at.x] = x[at.y * strides[0] + at.x * strides[1]];
  }
}

template [[host_name("wave_copy_float")]] kernel void wave_copy<float>(
    device float*, device const float*, constant long*, constant uint2&, uint2);
template [[host_name("wave_copy_half")]] kernel void wave_copy<half>(
    device half*, device const half*, constant long*, constant uint2&, uint2);
