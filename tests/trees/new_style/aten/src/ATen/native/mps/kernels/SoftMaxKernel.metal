#include <metal_stdlib>

using namespace metal;

// One threadgroup for each row; the host sizes `shared`, one float for each of its threads.
template <typename T>
kernel void softmax_rows(
    device T* output [[buffer(0)]],
    constant T* input [[buffer(1)]],
    constant uint& columns [[buffer(2)]],
    threadgroup float* shared [[threadgroup(0)]],
    uint tid [[thread_position_in_threadgroup]],
    uint tptg [[threads_per_threadgroup]],
    uint row [[threadgroup_position_in_grid]]) {
  const auto start = long(row) * columns;
  auto largest = -INFINITY;
  for (uint column = 0; column < columns; ++column) {
    largest = ::metal::fmax(largest, float(input[start + column]));
  }
  auto partial = 0.0f;
  for (uint column = tid; column < columns; column += tptg) {
    partial += precise::exp(float(input[start + column]) - largest);
  }
  shared[tid] = partial;
  threadgroup_barrier(mem_flags::mem_threadgroup);
  auto total = 0.0f;
  for (uint other = 0; other < tptg; ++other) {
    total += shared[other];
  }
  for (uint column = tid; column < columns; column += tptg) {
    output[start + column] = static_cast<T>(precise::exp(float(input[start + column]) - largest) / total);
  }
}

#define INSTANTIATE_SOFTMAX(DTYPE)                                       \
  template [[host_name("softmax_" #DTYPE)]] kernel void                  \
  softmax_rows<DTYPE>(                                                   \
      device DTYPE * output [[buffer(0)]],                               \
      constant DTYPE * input [[buffer(1)]],                              \
      constant uint & columns [[buffer(2)]],                             \
      threadgroup float* shared [[threadgroup(0)]],                      \
      uint tid [[thread_position_in_threadgroup]],                       \
      uint tptg [[threads_per_threadgroup]],                             \
      uint row [[threadgroup_position_in_grid]])

INSTANTIATE_SOFTMAX(float);
INSTANTIATE_SOFTMAX(half);
INSTANTIATE_SOFTMAX(bfloat);
