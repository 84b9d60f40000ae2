#pragma once
#include <metal_stdlib>

namespace c10 {
namespace metal {

template <typename T, typename F>
kernel void unary_dense(
    device T* output [[buffer(0)]],
    constant T* input [[buffer(1)]],
    uint index [[thread_position_in_grid]]) {
  output[index] = F()(input[index]);
}

template <typename T, typename F>
kernel void unary_strided(
    device T* output [[buffer(0)]],
    constant T* input [[buffer(1)]],
    constant long* sizes [[buffer(2)]],
    constant long* input_strides [[buffer(3)]],
    constant long* output_strides [[buffer(4)]],
    constant uint& ndim [[buffer(5)]],
    uint index [[thread_position_in_grid]]) {
  long rest = index, input_offset = 0, output_offset = 0;
  for (uint axis = 0; axis < ndim; axis++) {
    const long position = rest % sizes[axis];
    rest /= sizes[axis];
    input_offset += position * input_strides[axis];
    output_offset += position * output_strides[axis];
  }
  // The strides of a TensorIterator count bytes.
  auto from = reinterpret_cast<constant T*>(
      reinterpret_cast<constant char*>(input) + input_offset);
  auto to = reinterpret_cast<device T*>(
      reinterpret_cast<device char*>(output) + output_offset);
  *to = F()(*from);
}

template <typename T, typename F>
kernel void binary_dense(
    device T* output [[buffer(0)]],
    constant T* input [[buffer(1)]],
    constant T* other [[buffer(2)]],
    uint index [[thread_position_in_grid]]) {
  output[index] = F()(input[index], other[index]);
}

} // namespace metal
} // namespace c10

#define REGISTER_UNARY_OP(NAME, DTYPEI, DTYPEO)                              \
  template [[host_name(#NAME "_dense_" #DTYPEO "_" #DTYPEI)]]                \
  kernel void c10::metal::unary_dense<DTYPEI, NAME##_functor>(               \
      device DTYPEO * output [[buffer(0)]],                                  \
      constant DTYPEI * input [[buffer(1)]],                                 \
      uint index [[thread_position_in_grid]]);                               \
  template [[host_name(#NAME "_strided_" #DTYPEO "_" #DTYPEI)]]              \
  kernel void c10::metal::unary_strided<DTYPEI, NAME##_functor>(             \
      device DTYPEO * output [[buffer(0)]],                                  \
      constant DTYPEI * input [[buffer(1)]],                                 \
      constant long* sizes [[buffer(2)]],                                    \
      constant long* input_strides [[buffer(3)]],                            \
      constant long* output_strides [[buffer(4)]],                           \
      constant uint& ndim [[buffer(5)]],                                     \
      uint index [[thread_position_in_grid]])

#define REGISTER_BINARY_OP(NAME, DTYPEI, DTYPEO)                             \
  template [[host_name(#NAME "_dense_" #DTYPEO "_" #DTYPEI)]]                \
  kernel void c10::metal::binary_dense<DTYPEI, NAME##_functor>(              \
      device DTYPEO * output [[buffer(0)]],                                  \
      constant DTYPEI * input [[buffer(1)]],                                 \
      constant DTYPEI * other [[buffer(2)]],                                 \
      uint index [[thread_position_in_grid]])
