//- read | bias = None; out = zeros(8) | 8 8
kernel void read(device const float* bias, device float* out, THREAD) {
  out[i] = bias[i]; //! nil-buffer => out[i] = bias ? bias[i] : 0;
}
//- write | mask = None; out = zeros(8) | 8 8
kernel void write(device float* mask, device float* out, THREAD) {
  out[i] = 1;
  mask[i] = 2; //! nil-buffer => if (mask) mask[i] = 2;
}
//- constant_reference | scale = None; out = zeros(8) | 8 8
kernel void constant_reference(constant float& scale, device float* out, THREAD) {
  out[i] = scale; //! nil-buffer => out[i] = 1;
}
//- in_a_helper | bias = None; out = zeros(8) | 8 8
template <typename T> T biased(device const T* bias, uint at, T x) {
  return x + bias[at]; //! nil-buffer => return bias ? x + bias[at] : x;
}
kernel void in_a_helper(device const float* bias, device float* out, THREAD) {
  out[i] = biased<float>(bias, i, 1.0f);
}
//- atomic | counter = None; out = zeros(8) | 8 8
kernel void atomic(device atomic_int* counter, device float* out, THREAD) {
  out[i] = 1;
  atomic_fetch_add_explicit(counter, 1, memory_order_relaxed); //! nil-buffer => if (counter) atomic_fetch_add_explicit(counter, 1, memory_order_relaxed);
}
//- vector | bias = None; out = zeros(32) | 8 8
kernel void vector(device const float4* bias, device float4* out, THREAD) {
  out[i] = bias[i] * 2; //! nil-buffer => out[i] = 2;
}
//- one_branch_only | bias = None; flag = tensor([0, 0, 1, 0], dtype=int32); out = zeros(4) | 4 4
kernel void one_branch_only(device const float* bias, device const int* flag, device float* out, THREAD) {
  float x = 0;
  if (flag[i]) x = bias[i]; //! nil-buffer => if (flag[i]) x = 1;
  out[i] = x;
}
//- structure | params = None; out = zeros(4) | 4 4
struct parameters { int n; float scale; };
kernel void structure(constant parameters& params, device float* out, THREAD) {
  out[i] = params.scale; //! nil-buffer => out[i] = 2;
}
//- far_from_the_start | weight = None; out = zeros(4) | 4 4
kernel void far_from_the_start(device const float* weight, device float* out, THREAD) {
  out[i] = weight[i + 100000]; //! nil-buffer => out[i] = 1;
}
