#include <ATen/native/mps/kernels/ReduceOps.h>
#include <c10/metal/reduction_utils.h>
#include <c10/metal/utils.h>
#include <metal_stdlib>

using namespace metal;
using namespace c10::metal;

// One threadgroup sums one row of a contiguous [rows, columns] input.
template <typename TI, typename TO>
[[max_total_threads_per_threadgroup(1024)]]
kernel void sum_rows(
    constant TI* input [[buffer(0)]],
    device TO* output [[buffer(1)]],
    constant uint& columns [[buffer(2)]],
    uint tid [[thread_position_in_threadgroup]],
    uint tptg [[threads_per_threadgroup]],
    uint row [[threadgroup_position_in_grid]]) {
  threadgroup opmath_t<TO> shared[simdgroup_size];
  auto total = opmath_t<TO>(0);
  const auto start = long(row) * long(columns);
  for (uint column = tid; column < columns; column += tptg) {
    total += static_cast<opmath_t<TO>>(input[start + column]);
  }
  total = threadgroup_sum<TO>(shared, TO(total), tid, tptg);
  if (tid == 0) {
    output[row] = static_cast<TO>(total);
  }
}

#define REGISTER_SUM(TI, TO)                                       \
  template [[host_name("sum_" #TO "_" #TI)]] kernel void           \
  sum_rows<TI, TO>(                                                \
      constant TI * input [[buffer(0)]],                           \
      device TO * output [[buffer(1)]],                            \
      constant uint & columns [[buffer(2)]],                       \
      uint tid [[thread_position_in_threadgroup]],                 \
      uint tptg [[threads_per_threadgroup]],                       \
      uint row [[threadgroup_position_in_grid]])

REGISTER_SUM(float, float);
REGISTER_SUM(half, half);
REGISTER_SUM(bfloat, bfloat);
REGISTER_SUM(half, float);
REGISTER_SUM(bfloat, float);
REGISTER_SUM(long, long);
REGISTER_SUM(int, long);
REGISTER_SUM(short, long);
REGISTER_SUM(char, long);
REGISTER_SUM(uchar, long);
REGISTER_SUM(bool, long);

// The p-norm over the last dimension of any strided input: one threadgroup for each output element.
template <typename TI, typename TO>
kernel void norm(
    constant void* input_ [[buffer(0)]],
    device void* output_ [[buffer(1)]],
    constant NormParams<>& params [[buffer(2)]],
    uint tid [[thread_position_in_threadgroup]],
    uint tptg [[threads_per_threadgroup]],
    uint tgid [[threadgroup_position_in_grid]]) {
  constant TI* input = static_cast<constant TI*>(input_);
  device TO* output = static_cast<device TO*>(output_);
  threadgroup float shared[simdgroup_size];

  ulong input_offset = 0;
  ulong output_offset = 0;
  uint rest = tgid;
  for (uint dim = 0; dim < params.ndim; ++dim) {
    const auto coordinate = rest % params.output_sizes[dim];
    rest /= params.output_sizes[dim];
    input_offset += ulong(coordinate) * params.input_strides[dim];
    output_offset += ulong(coordinate) * params.output_strides[dim];
  }

  const auto step = ulong(params.input_strides[params.ndim]);
  auto total = 0.0f;
  for (uint index = tid; index < params.reduction_size; index += tptg) {
    const auto size = ::metal::fabs(static_cast<float>(input[input_offset + step * index]));
    total += params.p == 2 ? size * size : precise::pow(size, params.p);
  }
  total = threadgroup_sum<float>(shared, total, tid, tptg);
  if (tid == 0) {
    output[output_offset] = static_cast<TO>(precise::pow(total, 1.0f / params.p));
  }
}

// Input first, unlike the names that indexing.h makes.
#define REGISTER_NORM(TI, TO)                                      \
  template [[host_name("norm_" #TI "_" #TO)]] kernel void          \
  norm<TI, TO>(                                                    \
      constant void* input_ [[buffer(0)]],                         \
      device void* output_ [[buffer(1)]],                          \
      constant NormParams<>& params [[buffer(2)]],                 \
      uint tid [[thread_position_in_threadgroup]],                 \
      uint tptg [[threads_per_threadgroup]],                       \
      uint tgid [[threadgroup_position_in_grid]])

REGISTER_NORM(float, float);
REGISTER_NORM(half, half);
REGISTER_NORM(bfloat, bfloat);
REGISTER_NORM(half, float);
REGISTER_NORM(bfloat, float);

// The index of the largest element of each row; the first one wins, and a NaN is largest.
template <typename T>
kernel void argmax_rows(
    constant T* input,
    device long* output,
    constant uint2& rows_columns,
    uint row [[thread_position_in_grid]]) {
  if (row >= rows_columns.x) {
    return;
  }
  const auto start = long(row) * rows_columns.y;
  auto best = input[start];
  long best_index = 0;
  for (uint column = 1; column < rows_columns.y; ++column) {
    const auto value = input[start + column];
    const auto larger = c10::metal::max(best, value);
    if (!(larger == best) && best == best) {
      best = value;
      best_index = column;
    }
  }
  output[row] = best_index;
}

#define INSTANTIATE_ARGMAX(DTYPE)                                  \
  template [[host_name("argmax_" #DTYPE)]] [[kernel]] void         \
  argmax_rows<DTYPE>(                                              \
      constant DTYPE * input,                                      \
      device long* output,                                         \
      constant uint2& rows_columns,                                \
      uint row [[thread_position_in_grid]])

INSTANTIATE_ARGMAX(float);
INSTANTIATE_ARGMAX(half);
INSTANTIATE_ARGMAX(bfloat);
INSTANTIATE_ARGMAX(long);
INSTANTIATE_ARGMAX(int);
INSTANTIATE_ARGMAX(short);
INSTANTIATE_ARGMAX(char);
INSTANTIATE_ARGMAX(uchar);

// The diagonal of a matrix, summed by one simdgroup.
template <typename T>
kernel void trace_diagonal(
    constant T* input [[buffer(0)]],
    device T* output [[buffer(1)]],
    constant uint& length [[buffer(2)]],
    constant long& step [[buffer(3)]],
    uint lane [[thread_index_in_simdgroup]]) {
  auto total = opmath_t<T>(0);
  for (uint index = lane; index < length; index += simdgroup_size) {
    total += static_cast<opmath_t<T>>(input[step * index]);
  }
  total = c10::metal::simd_sum(total);
  if (lane == 0) {
    output[0] = static_cast<T>(total);
  }
}

template [[host_name("trace_float")]] kernel void trace_diagonal<float>(
    constant float*, device float*, constant uint&, constant long&, uint);
template [[host_name("trace_half")]] kernel void trace_diagonal<half>(
    constant half*, device half*, constant uint&, constant long&, uint);
