#include <c10/metal/utils.h>
#include <metal_stdlib>

using namespace metal;
using namespace c10::metal;

// Multiplies in tiles of TILE x TILE threads. `sizes` holds rows, columns and depth, and a fourth
// number that pads it to 16 bytes; strides count elements, [rows, columns] of the three matrices.
template <typename T, uint TILE>
kernel void matmul(
    constant T* left [[buffer(0)]],
    constant T* right [[buffer(1)]],
    device T* out [[buffer(2)]],
    constant ::metal::array<ulong2, 3>& strides [[buffer(3)]],
    constant uint4& sizes [[buffer(4)]],
    uint2 tid [[thread_position_in_threadgroup]],
    uint2 group_id [[threadgroup_position_in_grid]]) {
  threadgroup T left_tile[TILE][TILE];
  threadgroup T right_tile[TILE][TILE];

  const auto row = group_id.y * TILE + tid.y;
  const auto column = group_id.x * TILE + tid.x;
  auto total = opmath_t<T>(0);
  const auto tiles = (sizes.z + TILE - 1) / TILE;
  for (uint tile = 0; tile < tiles; ++tile) {
    const auto left_column = tile * TILE + tid.x;
    const auto right_row = tile * TILE + tid.y;
    left_tile[tid.y][tid.x] = row < sizes.x && left_column < sizes.z
        ? left[row * strides[0].x + left_column * strides[0].y]
        : T(0);
    right_tile[tid.y][tid.x] = right_row < sizes.z && column < sizes.y
        ? right[right_row * strides[1].x + column * strides[1].y]
        : T(0);
    threadgroup_barrier(mem_flags::mem_threadgroup);
    for (uint depth = 0; depth < TILE; ++depth) {
      total += opmath_t<T>(left_tile[tid.y][depth]) * opmath_t<T>(right_tile[depth][tid.x]);
    }
    threadgroup_barrier(mem_flags::mem_threadgroup);
  }
  if (row < sizes.x && column < sizes.y) {
    out[row * strides[2].x + column * strides[2].y] = static_cast<T>(total);
  }
}

#define INSTANTIATE_MATMUL(DTYPE)                                             \
  template [[host_name("matmul_" #DTYPE)]] kernel void matmul<DTYPE, 16>(     \
      constant DTYPE * left [[buffer(0)]],                                    \
      constant DTYPE * right [[buffer(1)]],                                   \
      device DTYPE * out [[buffer(2)]],                                       \
      constant ::metal::array<ulong2, 3> & strides [[buffer(3)]],                      \
      constant uint4 & sizes [[buffer(4)]],                                   \
      uint2 tid [[thread_position_in_threadgroup]],                           \
      uint2 group_id [[threadgroup_position_in_grid]])

INSTANTIATE_MATMUL(float);
INSTANTIATE_MATMUL(half);
INSTANTIATE_MATMUL(bfloat);
INSTANTIATE_MATMUL(long);
INSTANTIATE_MATMUL(int);

// Adds a bias to each row, if there is one: the host binds nil where there is none.
template <typename T>
kernel void add_bias(
    device T* out [[buffer(0)]],
    constant T* bias [[buffer(1)]],
    constant uint& columns [[buffer(2)]],
    constant bool& has_bias [[buffer(3)]],
    uint index [[thread_position_in_grid]]) {
  if (has_bias) {
    out[index] += bias[index % columns];
  }
}

template [[host_name("add_bias_float")]] kernel void add_bias<float>(
    device float*, constant float*, constant uint&, constant bool&, uint);
template [[host_name("add_bias_half")]] kernel void add_bias<half>(
    device half*, constant half*, constant uint&, constant bool&, uint);
template [[host_name("add_bias_bfloat")]] kernel void add_bias<bfloat>(
    device bfloat*, constant bfloat*, constant uint&, constant bool&, uint);
