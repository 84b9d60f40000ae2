#include <ATen/native/mps/kernels/Indexing.h>
#include <c10/metal/atomic.h>
#include <c10/metal/error.h>
#include <c10/metal/indexing.h>
#include <c10/metal/utils.h>
#include <metal_stdlib>

using namespace metal;
using namespace c10::metal;

// Reads the n-th index of this thread, wraps a negative one, and reports one that is out of bounds.
inline bool resolve_index(
    device ErrorMessages* errors,
    thread long& index,
    long size,
    uint dim) {
  if (index < -size || index >= size) {
    TORCH_REPORT_ERROR(errors, "index ", index, " is out of bounds for dimension ", long(dim), " with size ", size);
    return false;
  }
  if (index < 0) {
    index += size;
  }
  return true;
}

// Elements are moved as bits: a kernel for each size, whatever the dtype.
template <typename T, typename OffsetT>
kernel void index_select(
    device void* output,
    constant void* input,
    constant long* indices,
    constant long* iter_sizes,
    constant packed_uint3* iter_strides,
    constant IndexParams<>& params,
    constant uint4& ndim_and_numel,
    device ErrorMessages* errors,
    uint thread_index [[thread_position_in_grid]]) {
  OffsetT output_offset = 0;
  OffsetT input_offset = 0;
  OffsetT index_offset = 0;
  OffsetT rest = thread_index;
  for (uint dim = 0; dim < ndim_and_numel.x; ++dim) {
    const OffsetT coordinate = rest % OffsetT(iter_sizes[dim]);
    rest /= OffsetT(iter_sizes[dim]);
    output_offset += coordinate * OffsetT(iter_strides[dim].x);
    input_offset += coordinate * OffsetT(iter_strides[dim].y);
    index_offset += coordinate * OffsetT(iter_strides[dim].z);
  }
  for (uint dim = 0; dim < params.num_indices; ++dim) {
    auto index = indices[long(dim) * ndim_and_numel.y + index_offset / sizeof(long)];
    if (!resolve_index(errors, index, params.sizes[dim], dim)) {
      return;
    }
    input_offset += OffsetT(index * params.strides[dim]);
  }
  *reinterpret_cast<device T*>(static_cast<device char*>(output) + output_offset) =
      *reinterpret_cast<constant T*>(static_cast<constant char*>(input) + input_offset);
}

#define REGISTER_INDEX_SELECT(SIZE, DTYPE, SUFFIX, OFFSET)                    \
  template [[host_name("index_select_" #SIZE "bit" SUFFIX)]] kernel void      \
  index_select<DTYPE, OFFSET>(                                                \
      device void* output,                                                    \
      constant void* input,                                                   \
      constant long* indices,                                                 \
      constant long* iter_sizes,                                              \
      constant packed_uint3* iter_strides,                                    \
      constant IndexParams<>& params,                                         \
      constant uint4& ndim_and_numel,                                         \
      device ErrorMessages* errors,                                           \
      uint thread_index [[thread_position_in_grid]])

#define REGISTER_INDEX_SELECT_WIDTHS(SIZE, DTYPE)      \
  REGISTER_INDEX_SELECT(SIZE, DTYPE, "_u32", uint);    \
  REGISTER_INDEX_SELECT(SIZE, DTYPE, "_u64", ulong)

REGISTER_INDEX_SELECT_WIDTHS(8, char);
REGISTER_INDEX_SELECT_WIDTHS(16, short);
REGISTER_INDEX_SELECT_WIDTHS(32, int);
REGISTER_INDEX_SELECT_WIDTHS(64, long);

template <typename T>
kernel void index_put_accumulate(
    device AtomicType_t<T>* output,
    constant T* values,
    constant long* indices,
    constant long& size,
    constant long& stride,
    device ErrorMessages* errors,
    uint thread_index [[thread_position_in_grid]]) {
  auto index = indices[thread_index];
  if (!resolve_index(errors, index, size, 0)) {
    return;
  }
  AtomicType<T>::atomic_add(output, index * stride, values[thread_index]);
}

template <typename T>
kernel void index_put(
    device T* output,
    constant T* values,
    constant long* indices,
    constant long& size,
    constant long& stride,
    device ErrorMessages* errors,
    uint thread_index [[thread_position_in_grid]]) {
  auto index = indices[thread_index];
  if (!resolve_index(errors, index, size, 0)) {
    return;
  }
  output[index * stride] = values[thread_index];
}

#define REGISTER_INDEX_PUT(DTYPE)                                             \
  template [[host_name("index_put_" #DTYPE)]] kernel void index_put<DTYPE>(   \
      device DTYPE * output,                                                  \
      constant DTYPE * values,                                                \
      constant long* indices,                                                 \
      constant long& size,                                                    \
      constant long& stride,                                                  \
      device ErrorMessages* errors,                                           \
      uint thread_index [[thread_position_in_grid]]);                         \
  template [[host_name("index_put_accumulate_" #DTYPE)]] kernel void          \
  index_put_accumulate<DTYPE>(                                                \
      device AtomicType_t<DTYPE> * output,                                    \
      constant DTYPE * values,                                                \
      constant long* indices,                                                 \
      constant long& size,                                                    \
      constant long& stride,                                                  \
      device ErrorMessages* errors,                                           \
      uint thread_index [[thread_position_in_grid]])

REGISTER_INDEX_PUT(float);
REGISTER_INDEX_PUT(half);
REGISTER_INDEX_PUT(bfloat);
REGISTER_INDEX_PUT(long);
REGISTER_INDEX_PUT(int);
REGISTER_INDEX_PUT(short);
REGISTER_INDEX_PUT(char);
REGISTER_INDEX_PUT(uchar);
REGISTER_INDEX_PUT(bool);

template <typename T>
kernel void index_copy(
    device T* output,
    constant T* source,
    constant long* indices,
    constant uint& dim_size,
    constant uint& inner,
    constant uint& index_count,
    uint2 position [[thread_position_in_grid]]) {
  const auto place = position.y % index_count;
  const auto outer = position.y / index_count;
  const auto index = indices[place];
  if (index < 0 || index >= long(dim_size)) {
    return;
  }
  const auto target = (long(outer) * dim_size + index) * inner + position.x;
  output[target] = source[long(position.y) * inner + position.x];
}

#define REGISTER_INDEX_COPY(DTYPE)                                       \
  template [[host_name("index_copy_" #DTYPE)]]                           \
  kernel void index_copy<DTYPE>(                                         \
      device DTYPE*,                                                     \
      constant DTYPE*,                                                   \
      constant long*,                                                    \
      constant uint&,                                                    \
      constant uint&,                                                    \
      constant uint&,                                                    \
      uint2 position [[thread_position_in_grid]]);

INSTANTIATE_FOR_ALL_TYPES(REGISTER_INDEX_COPY)

// Gathers along dimension 1 of contiguous [rows, columns] inputs.
template <typename T>
kernel void gather(
    device T* output [[buffer(0)]],
    constant T* input [[buffer(1)]],
    constant long* indices [[buffer(2)]],
    constant uint2& columns [[buffer(3)]],
    device ErrorMessages* errors [[buffer(4)]],
    uint2 position [[thread_position_in_grid]]) {
  const auto at = long(position.y) * columns.x + position.x;
  const auto index = indices[at];
  if (index < 0 || index >= long(columns.y)) {
    TORCH_REPORT_ERROR(errors, "gather: index ", index, " is out of bounds");
    return;
  }
  output[at] = input[long(position.y) * columns.y + index];
}

#define REGISTER_GATHER(DTYPE)                                     \
  template [[host_name("gather_" #DTYPE)]] kernel void             \
  gather<DTYPE>(                                                   \
      device DTYPE * output [[buffer(0)]],                         \
      constant DTYPE * input [[buffer(1)]],                        \
      constant long* indices [[buffer(2)]],                        \
      constant uint2& columns [[buffer(3)]],                       \
      device ErrorMessages* errors [[buffer(4)]],                  \
      uint2 position [[thread_position_in_grid]])

REGISTER_GATHER(float);
REGISTER_GATHER(half);
REGISTER_GATHER(bfloat);
REGISTER_GATHER(long);
REGISTER_GATHER(int);
REGISTER_GATHER(bool);

template <typename T>
kernel void masked_fill_scalar(
    device T* output [[buffer(0)]],
    constant bool* mask [[buffer(1)]],
    constant T& value [[buffer(2)]],
    uint index [[thread_position_in_grid]]) {
  if (mask[index]) {
    output[index] = value;
  }
}

#define REGISTER_MASKED_FILL(SIZE, DTYPE)                                     \
  template [[host_name("masked_fill_scalar_" #SIZE "bit")]] kernel void       \
  masked_fill_scalar<DTYPE>(                                                  \
      device DTYPE * output [[buffer(0)]],                                    \
      constant bool* mask [[buffer(1)]],                                      \
      constant DTYPE & value [[buffer(2)]],                                   \
      uint index [[thread_position_in_grid]])

REGISTER_MASKED_FILL(8, char);
REGISTER_MASKED_FILL(16, short);
REGISTER_MASKED_FILL(32, int);
REGISTER_MASKED_FILL(64, long);

kernel void bincount(
    device atomic_int* output [[buffer(0)]],
    constant long* input [[buffer(1)]],
    constant long& bins [[buffer(2)]],
    uint index [[thread_position_in_grid]]) {
  const auto bin = input[index];
  if (bin < 0 || bin >= bins) {
    return;
  }
  atomic_fetch_add_explicit(&output[bin], 1, memory_order_relaxed);
}

kernel void bincount_weighted(
    device atomic_float* output [[buffer(0)]],
    constant long* input [[buffer(1)]],
    constant long& bins [[buffer(2)]],
    constant float* weights [[buffer(3)]],
    uint index [[thread_position_in_grid]]) {
  const auto bin = input[index];
  if (bin < 0 || bin >= bins) {
    return;
  }
  atomic_fetch_add_explicit(&output[bin], weights[index], memory_order_relaxed);
}
