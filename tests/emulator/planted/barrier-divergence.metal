//- half_a_threadgroup | in = randn(32); out = zeros(32) | 32 32
kernel void half_a_threadgroup(device const float* in, device float* out, THREAD) {
  if (tid < 16) { //=> if (n > 16) {
    BARRIER; //! barrier-divergence
  }
  out[i] = in[i];
}
//- two_barriers_at_once | in = randn(32); out = zeros(32) | 32 32
kernel void two_barriers_at_once(device const float* in, device float* out, THREAD) {
  if (tid < 16) { //=> if (n < 16) {
    BARRIER; //! barrier-divergence
  } else {
    BARRIER;
  }
  out[i] = in[i];
}
//- an_early_return | in = randn(20); out = zeros(20) | 32 32
kernel void an_early_return(device const float* in, device float* out, THREAD) {
  if (i >= 20) return; //=>
  BARRIER; //! barrier-divergence
  if (i < 20) out[i] = in[i];
}
//- a_loop_of_different_length | in = randn(64); out = zeros(64) | 64 64
kernel void a_loop_of_different_length(device const float* in, device float* out, THREAD) {
  for (uint k = 0; k < tid / 16 + 1; k++) { //=> for (uint k = 0; k < 4; k++) {
    BARRIER; //! barrier-divergence
  }
  out[i] = in[i];
}
//- a_break | in = arange(64, dtype=int32); out = zeros(64, dtype=int32) | 64 64
kernel void a_break(device const int* in, device int* out, THREAD) {
  for (int k = 0; k < 4; k++) {
    if (in[i] == k) break; //=> if (k == 3) break;
    BARRIER; //! barrier-divergence
  }
  out[i] = in[i];
}
//- in_a_helper | in = randn(64); out = zeros(64) | 64 64
inline void wait_here() {
  BARRIER; //! barrier-divergence
}
kernel void in_a_helper(device const float* in, device float* out, THREAD) {
  if (lane < 8) wait_here(); //=> wait_here();
  out[i] = in[i];
}
//- one_simdgroup_only | in = randn(64); out = zeros(64) | 64 64
kernel void one_simdgroup_only(device const float* in, device float* out, THREAD) {
  if (tid < 32) { //=> {
    BARRIER; //! barrier-divergence
  }
  out[i] = in[i];
}
//- a_condition_from_memory | in = arange(64, dtype=int32); out = zeros(64, dtype=int32) | 64 64
kernel void a_condition_from_memory(device const int* in, device int* out, THREAD) {
  if (in[i] % 2 == 0) { //=> if (in[0] % 2 == 0) {
    BARRIER; //! barrier-divergence
  }
  out[i] = in[i];
}
//- a_simdgroup_barrier | in = randn(32); out = zeros(32) | 32 32
kernel void a_simdgroup_barrier(device const float* in, device float* out, THREAD) {
  if (lane < 16) { //=> {
    simdgroup_barrier(mem_flags::mem_threadgroup); //! barrier-divergence
  }
  out[i] = in[i];
}
//- a_simdgroup_barrier_after_a_return | in = randn(20); out = zeros(20) | 32 32
kernel void a_simdgroup_barrier_after_a_return(device const float* in, device float* out, THREAD) {
  if (i >= 20) return; //=>
  simdgroup_barrier(mem_flags::mem_threadgroup); //! barrier-divergence
  if (i < 20) out[i] = in[i];
}
//- a_switch | in = randn(64); out = zeros(64) | 64 64
kernel void a_switch(device const float* in, device float* out, THREAD) {
  switch (tid / 32) { //=> switch (n / 32) {
    case 0: BARRIER; break; //! barrier-divergence
    default: out[i] = in[i];
  }
}
