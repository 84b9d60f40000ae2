#pragma once

#include <metal_stdlib>

// Kernels in a header: the host names below belong to whichever Metal source includes it.

enum class Triangle { Upper, Lower };

template <typename T, Triangle which>
kernel void triangle(
    device T* output,
    constant T* input,
    constant long& diagonal,
    constant uint2& rows_columns,
    uint3 position [[thread_position_in_grid]]) {
  const auto distance = long(position.x) - long(position.y);
  const auto matrix = long(position.z) * rows_columns.x;
  const auto at = (matrix + position.y) * rows_columns.y + position.x;
  const auto keep = which == Triangle::Upper ? distance >= diagonal : distance <= diagonal;
  output[at] = keep ? input[at] : T(0);
}

#define INSTANTIATE_TRIANGLE(NAME, WHICH, DTYPE)                        \
  template [[host_name(#NAME "_" #DTYPE)]] kernel void                  \
  triangle<DTYPE, Triangle::WHICH>(                                     \
      device DTYPE * output,                                            \
      constant DTYPE * input,                                           \
      constant long& diagonal,                                          \
      constant uint2& rows_columns,                                     \
      uint3 position [[thread_position_in_grid]])

#define INSTANTIATE_TRIANGLES(DTYPE)          \
  INSTANTIATE_TRIANGLE(triu, Upper, DTYPE);   \
  INSTANTIATE_TRIANGLE(tril, Lower, DTYPE);

INSTANTIATE_TRIANGLES(float)
INSTANTIATE_TRIANGLES(half)
INSTANTIATE_TRIANGLES(bfloat)
INSTANTIATE_TRIANGLES(long)
INSTANTIATE_TRIANGLES(int)
INSTANTIATE_TRIANGLES(bool)
