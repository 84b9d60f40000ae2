//- half_the_buffer | in = randn(64); out = zeros(64) | 64 64
kernel void half_the_buffer(device const float* in, device float* out, THREAD) {
  threadgroup float buf[64];
  if (tid < 32) buf[tid] = in[i]; //=> buf[tid] = in[i];
  BARRIER;
  out[i] = buf[tid]; //! uninitialized-read buf
}
//- a_counter_that_nobody_cleared | in = arange(32, dtype=int32); out = zeros(32, dtype=int32) | 32 32
kernel void a_counter_that_nobody_cleared(device const int* in, device int* out, THREAD) {
  threadgroup atomic_int counter;
  if (tid == 99) //=> if (tid == 0)
    atomic_store_explicit(&counter, 0, memory_order_relaxed);
  BARRIER;
  atomic_fetch_add_explicit(&counter, 1, memory_order_relaxed); //! uninitialized-read counter
  out[i] = in[i];
}
//- a_threadgroup_argument | in = randn(64); out = zeros(64) | 64 64
kernel void a_threadgroup_argument(device const float* in, device float* out, threadgroup float* buf [[threadgroup(0)]], THREAD) {
  buf[tid] = in[i];
  BARRIER;
  out[i] = buf[(tid + 1) % 65]; //! uninitialized-read threadgroup(0) => out[i] = buf[(tid + 1) % 64];
}
//- the_last_group | in = randn(40); out = zeros(40) | 40 32
kernel void the_last_group(device const float* in, device float* out, THREAD) {
  threadgroup float buf[32];
  buf[tid] = in[i];
  BARRIER;
  out[i] = buf[31 - tid]; //! uninitialized-read buf => out[i] = buf[n - 1 - tid];
}
//- an_accumulator | in = randn(4, 8); out = zeros(4) | 4 4
kernel void an_accumulator(device const float* in, device float* out, THREAD) {
  float total; //=> float total = 0;
  for (int k = 0; k < 8; k++) total += in[8 * i + k];
  out[i] = total; //! uninitialized-read out
}
//- one_branch | in = randn(8); out = zeros(8) | 8 8
kernel void one_branch(device const float* in, device float* out, THREAD) {
  float v; //=> float v = 0;
  if (i < 4) v = in[i];
  out[i] = v; //! uninitialized-read out
}
//- a_branch_depends_on_it | in = randn(8); out = zeros(8) | 8 8
kernel void a_branch_depends_on_it(device const float* in, device float* out, THREAD) {
  int best; //=> int best = 0;
  for (int k = 0; k < 8; k++)
    if (k > best) best = k; //! uninitialized-read
  out[i] = in[i];
}
//- an_array_half_filled | in = randn(8); out = zeros(8) | 8 8
kernel void an_array_half_filled(device const float* in, device float* out, THREAD) {
  float a[8];
  for (int k = 0; k < 7; k++) //=> for (int k = 0; k < 8; k++)
    a[k] = in[k];
  out[i] = a[i]; //! uninitialized-read out
}
//- a_vector_component | in = randn(8); out = zeros(8) | 8 8
kernel void a_vector_component(device const float* in, device float* out, THREAD) {
  float4 v; //=> float4 v = 0;
  v.x = in[i];
  v.y = 2;
  v.z = 3;
  out[i] = v.x + v.w; //! uninitialized-read out
}
//- a_member_of_a_structure | in = randn(8); out = zeros(8) | 8 8
struct state { float mean; float scale; int count; };
kernel void a_member_of_a_structure(device const float* in, device float* out, THREAD) {
  state s; //=> state s = {0, 1, 0};
  s.mean = in[i];
  s.count = 1;
  out[i] = s.mean * s.scale; //! uninitialized-read out
}
//- an_out_parameter | in = randn(8); out = zeros(8) | 8 8
inline bool find_positive(float x, thread float& found) {
  //=> found = 0;
  if (x > 100) {
    found = x;
    return true;
  }
  return false;
}
kernel void an_out_parameter(device const float* in, device float* out, THREAD) {
  float found; //=> float found = 0;
  bool any = find_positive(in[i], found);
  out[i] = any ? 1 : found; //! uninitialized-read out
}
//- an_index | in = randn(8); out = zeros(8) | 8 8
kernel void an_index(device const float* in, device float* out, THREAD) {
  uint at; //=> uint at = 0;
  if (i > 100) at = 3;
  out[i] = in[at & 7]; //! uninitialized-read
}
//- a_template_reduction | in = randn(4, 8); out = zeros(4) | 4 4
template <typename T, int N> T largest(device const T* row) {
  T best; //=> T best = row[0];
  for (int k = 0; k < N; k++) best = max(best, row[k]);
  return best;
}
kernel void a_template_reduction(device const float* in, device float* out, THREAD) {
  out[i] = largest<float, 8>(in + 8 * i); //! uninitialized-read
}
//- stored_in_threadgroup_memory | in = randn(64); out = zeros(64) | 64 64
kernel void stored_in_threadgroup_memory(device const float* in, device float* out, THREAD) {
  threadgroup float buf[64];
  float v; //=> float v = 0;
  if (tid % 2) v = in[i];
  buf[tid] = v; //! uninitialized-read buf
  BARRIER;
  out[i] = buf[63 - tid];
}
//- a_sum_over_lanes | in = randn(20); out = zeros(32) | 32 32
kernel void a_sum_over_lanes(device const float* in, device float* out, THREAD) {
  float v; //=> float v = 0;
  if (i < 20) v = in[i];
  float total = simd_sum(v); //! uninitialized-read
  if (lane == 0) out[0] = total;
}
//- a_switch_without_default | in = randint(0, 4, (8,), dtype=int32); out = zeros(8) | 8 8
kernel void a_switch_without_default(device const int* in, device float* out, THREAD) {
  float v; //=> float v = 9;
  switch (in[i] + int(i)) {
    case 0: v = 1; break;
    case 1: v = 2; break;
  }
  out[i] = v; //! uninitialized-read out
}
//- an_output_read_first | in = randn(8); out = full((8,), nan) | 8 8
kernel void an_output_read_first(device const float* in, device float* out, THREAD) {
  out[i] += in[i]; //! uninitialized-read out => out[i] = in[i];
}
//- an_output_read_as_scratch | in = randn(8); out = full((8,), nan) | 8 1
kernel void an_output_read_as_scratch(device const float* in, device float* out, THREAD) {
  if (i == 100) out[i] = 0; //=> out[i] = 0;
  for (int k = 0; k < 4; k++) out[i] = out[i] + in[k]; //! uninitialized-read out
}
//- an_output_atomically | in = randn(8); out = full((1,), nan) | 8 8
kernel void an_output_atomically(device const float* in, device atomic_float* out, THREAD) {
  if (i == 100) atomic_store_explicit(out, 0, memory_order_relaxed); //=> if (i == 0) atomic_store_explicit(out, 0, memory_order_relaxed);
  threadgroup_barrier(mem_flags::mem_device);
  atomic_fetch_add_explicit(out, in[i], memory_order_relaxed); //! uninitialized-read out
}
//- a_value_that_another_lane_brings | in = randn(32); out = zeros(32) | 32 32
kernel void a_value_that_another_lane_brings(device const float* in, device float* out, THREAD) {
  float v; //=> float v = 0;
  if (lane < 8) v = in[i];
  v = simd_shuffle_xor(v, 16);
  out[i] = v; //! uninitialized-read out
}
//- a_bfloat | in = zeros(8, dtype=bfloat16); out = zeros(8, dtype=bfloat16) | 8 8
kernel void a_bfloat(device const bfloat* in, device bfloat* out, THREAD) {
  bfloat v; //=> bfloat v = 0;
  if (i > 2) v = in[i];
  out[i] = v; //! uninitialized-read out
}
