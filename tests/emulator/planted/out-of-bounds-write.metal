//- past_the_end | in = randn(64); out = zeros(64) | 64 64
kernel void past_the_end(device const float* in, device float* out, THREAD) {
  out[2 * i] = in[i]; //! out-of-bounds-write out => if (2 * i < 64) out[2 * i] = in[i];
}
//- template_helper | in = randn(32); out = zeros(32) | 32 32
template <typename T> inline void put(device T* p, long at, T v) {
  p[at] = v; //! out-of-bounds-write out => p[at - 5] = v;
}
kernel void template_helper(device const float* in, device float* out, THREAD) {
  put<float>(out, i + 5, in[i]);
}
//- negative_index | out = zeros(32) | 32 32
kernel void negative_index(device float* out, THREAD) {
  out[int(i) - 3] = 1; //! out-of-bounds-write out => out[i] = 1;
}
//- neighbours_of_a_slice | out = zeros(100)[10:42] | 32 32
kernel void neighbours_of_a_slice(device float* out, THREAD) {
  out[i + 1] = 1; //! out-of-bounds-write out => out[i] = 1;
}
//- vector_component_past_the_end | out = zeros(30) | 8 8
kernel void vector_component_past_the_end(device float4* out, THREAD) {
  out[i].w = 1; //! out-of-bounds-write out => out[i].x = 1;
}
//- whole_vector | in = randn(32); out = zeros(30) | 8 8
kernel void whole_vector(device const float4* in, device float4* out, THREAD) {
  out[i] = in[i]; //! out-of-bounds-write out => if (i < 7) out[i] = in[i];
}
//- packed_vector | out = zeros(22) | 8 8
kernel void packed_vector(device packed_float3* out, THREAD) {
  out[i] = packed_float3(1, 2, 3); //! out-of-bounds-write out => if (i < 7) out[i] = packed_float3(1, 2, 3);
}
//- atomic_add | counts = zeros(10, dtype=int32); in = arange(16, dtype=int32) | 16 16
kernel void atomic_add(device atomic_int* counts, device const int* in, THREAD) {
  atomic_fetch_add_explicit(&counts[in[i]], 1, memory_order_relaxed); //! out-of-bounds-write counts => atomic_fetch_add_explicit(&counts[in[i] % 10], 1, memory_order_relaxed);
}
//- append_without_a_limit | count = zeros(1, dtype=int32); out = zeros(8) | 16 16
kernel void append_without_a_limit(device atomic_int* count, device float* out, THREAD) {
  int at = atomic_fetch_add_explicit(count, 1, memory_order_relaxed);
  out[at] = 1; //! out-of-bounds-write out => if (at < 8) out[at] = 1;
}
//- threadgroup_array | in = randn(64); out = zeros(64) | 64 64
kernel void threadgroup_array(device const float* in, device float* out, THREAD) {
  threadgroup float buf[32]; //=> threadgroup float buf[64];
  buf[tid] = in[i]; //! out-of-bounds-write buf
  BARRIER;
  out[i] = buf[0];
}
//- two_dimensional_threadgroup_array | in = randn(64); out = zeros(64) | 64 64
kernel void two_dimensional_threadgroup_array(device const float* in, device float* out, THREAD) {
  threadgroup float tile[8][8];
  tile[tid / 8 + 1][tid % 8] = in[i]; //! out-of-bounds-write tile => tile[tid / 8][tid % 8] = in[i];
  BARRIER;
  out[i] = tile[1][1];
}
//- threadgroup_argument | in = randn(64); out = zeros(64) | 64 64
kernel void threadgroup_argument(device const float* in, device float* out, threadgroup float* buf [[threadgroup(0)]], THREAD) {
  buf[tid + 8160] = in[i]; //! out-of-bounds-write threadgroup(0) => buf[tid + 8000] = in[i];
  BARRIER;
  out[i] = 1;
}
//- threadgroup_pointer_in_a_helper | in = randn(64); out = zeros(64) | 64 64
inline void fill_tile(threadgroup float* to, uint at, float v) {
  to[at * 2] = v; //! out-of-bounds-write buf => to[at] = v;
}
kernel void threadgroup_pointer_in_a_helper(device const float* in, device float* out, THREAD) {
  threadgroup float buf[64];
  fill_tile(buf, tid, in[i]);
  BARRIER;
  out[i] = 2 * in[i];
}
//- a_grid_stride_loop | out = zeros(100) | 64 32
kernel void a_grid_stride_loop(device float* out, uint at [[thread_position_in_grid]], uint all [[threads_per_grid]]) {
  for (uint k = at; k <= 100; k += all) //=> for (uint k = at; k < 100; k += all)
    out[k] = 1; //! out-of-bounds-write out
}
//- columns_of_a_transpose | in = randn(6, 10); out = zeros(10, 6) | 10,6 5,3
kernel void columns_of_a_transpose(device const float* in, device float* out, uint2 p [[thread_position_in_grid]]) {
  out[p.x * 10 + p.y] = in[p.y * 10 + p.x]; //! out-of-bounds-write out => out[p.x * 6 + p.y] = in[p.y * 10 + p.x];
}
//- structure_members | out = zeros(9, dtype=int32) | 4 4
struct entry { int key; int value; };
kernel void structure_members(device entry* out, THREAD) {
  out[i + 1].key = 1;
  out[i + 1].value = 2; //! out-of-bounds-write out => out[i].value = 2;
}
//- through_a_reference | out = zeros(16) | 16 16
inline void set_to_one(device float& target) {
  target = 1; //! out-of-bounds-write out => (void)target;
}
kernel void through_a_reference(device float* out, THREAD) {
  set_to_one(out[i + 1]);
}
