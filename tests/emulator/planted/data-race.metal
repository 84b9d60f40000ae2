//- a_missing_barrier | in = randn(256); out = zeros(256) | 256 256
kernel void a_missing_barrier(device const float* in, device float* out, THREAD) {
  threadgroup float buf[256];
  buf[tid] = in[i];
  //=> BARRIER;
  out[i] = buf[n - 1 - tid]; //! data-race buf
}
//- a_reused_buffer | in = randn(64); out = zeros(64) | 64 64
kernel void a_reused_buffer(device const float* in, device float* out, THREAD) {
  threadgroup float buf[64];
  for (int r = 0; r < 2; r++) {
    buf[tid] = in[i] + r; //! data-race buf
    BARRIER;
    out[i] = buf[63 - tid];
    //=> BARRIER;
  }
}
//- a_lost_update | in = randn(64); out = zeros(1) | 64 32
kernel void a_lost_update(device const float* in, device float* out, THREAD) {
  out[0] += in[i]; //! data-race out => atomic_fetch_add_explicit((device atomic_float*)out, in[i], memory_order_relaxed);
}
//- two_groups_one_place | in = randn(64); out = zeros(64) | 64 32
kernel void two_groups_one_place(device const float* in, device float* out, THREAD) {
  out[tid] = in[i]; //! data-race out => out[i] = in[i];
}
//- an_atomic_and_a_plain_access | in = arange(32, dtype=int32); out = zeros(1, dtype=int32) | 32 32
kernel void an_atomic_and_a_plain_access(device const int* in, device atomic_int* out, THREAD) {
  if (tid == 0) *(device int*)out = 0; //! data-race out
  //=> threadgroup_barrier(mem_flags::mem_device);
  atomic_fetch_add_explicit(out, in[i], memory_order_relaxed);
}
//- the_last_reader_writes | in = randn(64); out = zeros(64) | 64 64
kernel void the_last_reader_writes(device const float* in, device float* out, THREAD) {
  threadgroup float buf[64];
  buf[tid] = in[i];
  BARRIER;
  float v = buf[0];
  //=> BARRIER;
  if (tid == 63) buf[0] = v + 1; //! data-race buf
  out[i] = v;
}
//- a_tree_without_barriers | in = randn(64); out = zeros(1) | 64 64
kernel void a_tree_without_barriers(device const float* in, device float* out, THREAD) {
  threadgroup float buf[64];
  buf[tid] = in[i];
  BARRIER;
  for (uint s = 32; s > 0; s /= 2) {
    if (tid < s) buf[tid] += buf[tid + s]; //! data-race buf
    //=> BARRIER;
  }
  if (tid == 0) out[0] = buf[0];
}
//- the_neighbour_is_overwritten | x = randn(64) | 64 64
kernel void the_neighbour_is_overwritten(device float* x, THREAD) {
  float next = x[(i + 1) % 64];
  //=> threadgroup_barrier(mem_flags::mem_device);
  x[i] = next; //! data-race x
}
//- neighbours_in_other_groups | x = randn(64); out = zeros(64) | 64 16
kernel void neighbours_in_other_groups(device float* x, device float* out, THREAD) {
  float next = x[(i + 1) % 64];
  x[i] = 2 * next; //! data-race x => out[i] = 2 * next;
}
//- a_barrier_for_the_wrong_scope | in = randn(64); out = zeros(64) | 64 64
kernel void a_barrier_for_the_wrong_scope(device const float* in, device float* out, THREAD) {
  threadgroup float buf[64];
  buf[tid] = in[i];
  simdgroup_barrier(mem_flags::mem_threadgroup); //=> BARRIER;
  out[i] = buf[63 - tid]; //! data-race buf
}
//- bytes_of_one_word | in = arange(64, dtype=int32); out = zeros(32, dtype=uint8) | 64 64
kernel void bytes_of_one_word(device const int* in, device uchar* out, THREAD) {
  out[i / 2] = uchar(in[i] * 3 + 1); //! data-race out => if (i % 2 == 0) out[i / 2] = uchar(in[i]);
}
//- an_index_of_eight_bits | in = arange(300, dtype=int32); out = zeros(300, dtype=int32) | 300 100
kernel void an_index_of_eight_bits(device const int* in, device int* out, THREAD) {
  uchar at = uchar(i); //=> ushort at = ushort(i);
  out[at] = in[i]; //! data-race out
}
//- a_flag_and_its_data | in = randn(32); out = zeros(32) | 64 64
kernel void a_flag_and_its_data(device const float* in, device float* out, THREAD) {
  threadgroup float data[32];
  threadgroup int ready;
  if (tid == 0) ready = 0;
  BARRIER;
  if (tid < 32) { data[tid] = in[tid]; }
  //=> BARRIER;
  if (tid >= 32) out[tid - 32] = data[tid - 32]; //! data-race data
}
//- scatter_with_equal_indices | in = randn(8); index = tensor([0, 1, 2, 3, 3, 4, 5, 6], dtype=int32); out = zeros(8) | 8 8
kernel void scatter_with_equal_indices(device const float* in, device const int* index, device float* out, THREAD) {
  out[index[i]] = in[i]; //! data-race out => atomic_fetch_add_explicit((device atomic_float*)out + index[i], in[i], memory_order_relaxed);
}
//- a_pointer_into_threadgroup_memory | in = randn(128); out = zeros(128) | 128 64
inline float other_half(threadgroup const float* half_, uint at) {
  return half_[at]; //! data-race buf
}
kernel void a_pointer_into_threadgroup_memory(device const float* in, device float* out, THREAD) {
  threadgroup float buf[64];
  buf[tid] = in[i];
  //=> BARRIER;
  out[i] = other_half(buf + (tid < 32 ? 32 : 0), tid % 32);
}
//- a_vector_written_over_a_neighbour | out = zeros(68) | 16 16
kernel void a_vector_written_over_a_neighbour(device float* out, THREAD) {
  for (uint k = 0; k < 5; k++) out[4 * i + k] = i + k * 10; //! data-race out => for (uint k = 0; k < 4; k++) out[4 * i + k] = i + k * 10;
}
//- a_barrier_for_other_memory | x = zeros(64); out = zeros(64) | 64 64
kernel void a_barrier_for_other_memory(device float* x, device float* out, THREAD) {
  x[i] = i;
  BARRIER; //=> threadgroup_barrier(mem_flags::mem_device);
  out[i] = x[n - 1 - tid]; //! data-race x
}
//- a_barrier_for_no_memory | in = randn(64); out = zeros(64) | 64 64
kernel void a_barrier_for_no_memory(device const float* in, device float* out, THREAD) {
  threadgroup float buf[64];
  buf[tid] = in[i];
  threadgroup_barrier(mem_flags::mem_none); //=> BARRIER;
  out[i] = buf[n - 1 - tid]; //! data-race buf
}
