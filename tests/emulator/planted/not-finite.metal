//- a_root | in = tensor([1.0, -1.0, 4.0]); out = zeros(3) | 3 3
kernel void a_root(device const float* in, device float* out, THREAD) {
  out[i] = sqrt(in[i]); //! not-finite out => out[i] = sqrt(max(in[i], 0.0f));
}
//- a_logarithm | in = tensor([1.0, 0.0, 4.0]); out = zeros(3) | 3 3
kernel void a_logarithm(device const float* in, device float* out, THREAD) {
  out[i] = log(in[i]); //! not-finite out => out[i] = log(max(in[i], 1e-10f));
}
//- a_quotient | in = tensor([1.0, 0.0, 4.0]); out = zeros(3) | 3 3
kernel void a_quotient(device const float* in, device float* out, THREAD) {
  out[i] = 1 / in[i]; //! not-finite out => out[i] = 1 / (in[i] + 1);
}
//- a_half_overflow | in = tensor([1.0, 300.0, 4.0]); out = zeros(3, dtype=float16) | 3 3
kernel void a_half_overflow(device const float* in, device half* out, THREAD) {
  out[i] = half(in[i] * 300); //! not-finite out => out[i] = half(in[i]);
}
//- an_exponential | in = tensor([1.0, 100.0, 4.0]); out = zeros(3) | 3 3
kernel void an_exponential(device const float* in, device float* out, THREAD) {
  out[i] = exp(in[i]); //! not-finite out => out[i] = exp(min(in[i], 80.0f));
}
//- a_mean_of_nothing | size = 0; out = zeros(3) | 3 3
kernel void a_mean_of_nothing(constant int& size, device float* out, THREAD) {
  out[i] = 0.0f / size; //! not-finite out => out[i] = size ? 0.0f / size : 0;
}
//- a_helper | in = tensor([1.0, -1.0, 4.0]); out = zeros(3) | 3 3
template <typename T> void normalise(device T* out, uint at, T x) {
  out[at] = x / (x + 1); //! not-finite out => out[at] = x / (abs(x) + 1);
}
kernel void a_helper(device const float* in, device float* out, THREAD) {
  normalise<float>(out, i, in[i]);
}
//- a_vector | in = tensor([1.0, 2.0, -3.0, 4.0]); out = zeros(4) | 1 1
kernel void a_vector(device const float4* in, device float4* out, THREAD) {
  out[i] = rsqrt(in[i]); //! not-finite out => out[i] = rsqrt(abs(in[i]));
}
//- infinity_minus_infinity | in = tensor([1.0, 2.0, 1e38]); out = zeros(3) | 3 3
kernel void infinity_minus_infinity(device const float* in, device float* out, THREAD) {
  float big = in[i] * 10;
  out[i] = big - big; //! not-finite out => out[i] = in[i] - in[i];
}
