//- all_write_one | out = zeros(1) | 64 64
kernel void all_write_one(device float* out, THREAD) {
  out[0] = 1; //! same-value-race out => if (i == 0) out[0] = 1;
}
//- a_flag | in = arange(64, dtype=int32); found = zeros(1, dtype=int32) | 64 32
kernel void a_flag(device const int* in, device int* found, THREAD) {
  if (in[i] > 3) *found = 1; //! same-value-race found => if (in[i] > 3) atomic_store_explicit((device atomic_int*)found, 1, memory_order_relaxed);
}
//- threadgroup_flag | in = arange(64, dtype=int32); out = zeros(64, dtype=int32) | 64 64
kernel void threadgroup_flag(device const int* in, device int* out, THREAD) {
  threadgroup int any;
  if (tid == 0) any = 0;
  BARRIER;
  if (in[i] > 3) any = 1; //! same-value-race any => if (in[i] == 3) any = 1;
  BARRIER;
  out[i] = any;
}
//- the_result_of_a_group | in = randn(64); out = zeros(2) | 64 32
kernel void the_result_of_a_group(device const float* in, device float* out, THREAD) {
  float total = simd_sum(in[i]);
  out[group] = total; //! same-value-race out => if (lane == 0) out[group] = total;
}
//- a_vector | out = zeros(4) | 8 8
kernel void a_vector(device float4* out, THREAD) {
  *out = float4(1, 2, 3, 4); //! same-value-race out => if (i == 0) *out = float4(1, 2, 3, 4);
}
//- a_helper | out = zeros(4, dtype=int32) | 8 8
inline void clear(device int* p) {
  for (int k = 0; k < 4; k++) p[k] = 7; //! same-value-race out => for (int k = 0; k < 0; k++) p[k] = 7;
}
kernel void a_helper(device int* out, THREAD) {
  clear(out);
}
//- a_byte | out = zeros(4, dtype=uint8) | 8 8
kernel void a_byte(device uchar* out, THREAD) {
  out[1] = 255; //! same-value-race out => if (i == 0) out[1] = 255;
}
//- duplicates | index = tensor([0, 1, 1, 2], dtype=int32); out = zeros(4) | 4 4
kernel void duplicates(device const int* index, device float* out, THREAD) {
  out[index[i]] = 2.5f; //! same-value-race out => out[i] = 2.5f;
}
