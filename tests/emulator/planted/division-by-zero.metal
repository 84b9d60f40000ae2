//- int | in = tensor([1, 0, 2, 3], dtype=int32); out = zeros(4, dtype=int32) | 4 4
kernel void int_(device const int* in, device int* out, THREAD) {
  out[i] = 100 / in[i]; //! division-by-zero => out[i] = in[i] ? 100 / in[i] : 0;
}
//- remainder | in = tensor([1, 0, 2, 3], dtype=int32); out = zeros(4, dtype=int32) | 4 4
kernel void remainder(device const int* in, device int* out, THREAD) {
  out[i] = 100 % in[i]; //! division-by-zero => out[i] = in[i] ? 100 % in[i] : 0;
}
//- unsigned_sizes | size = 0; out = zeros(4) | 4 4
kernel void unsigned_sizes(constant uint& size, device float* out, THREAD) {
  out[i] = i / size; //! division-by-zero => out[i] = i / max(size, 1u);
}
//- long | in = tensor([1, 0], dtype=int64); out = zeros(2, dtype=int64) | 2 2
kernel void long_(device const long* in, device long* out, THREAD) {
  out[i] = 7 / in[i]; //! division-by-zero => out[i] = 7 / (in[i] | 1);
}
//- vector | in = tensor([1, 2, 0, 3], dtype=int32); out = zeros(4, dtype=int32) | 1 1
kernel void vector(device const int4* in, device int4* out, THREAD) {
  out[i] = int4(100) / in[i]; //! division-by-zero => out[i] = int4(100) / (in[i] | 1);
}
//- template_helper | in = tensor([1, 0, 2, 3], dtype=int32); out = zeros(4, dtype=int32) | 4 4
template <typename T> T floor_divide(T a, T b) {
  return a / b; //! division-by-zero => return b == 0 ? 0 : a / b;
}
kernel void template_helper(device const int* in, device int* out, THREAD) {
  out[i] = floor_divide<int>(9, in[i]);
}
//- compound_assignment | in = tensor([1, 0, 2, 3], dtype=int32); out = ones(4, dtype=int32) | 4 4
kernel void compound_assignment(device const int* in, device int* out, THREAD) {
  out[i] /= in[i]; //! division-by-zero => out[i] /= in[i] | 1;
}
//- short | in = tensor([1, 0], dtype=int16); out = zeros(2, dtype=int16) | 2 2
kernel void short_(device const short* in, device short* out, THREAD) {
  out[i] = short(5) / in[i]; //! division-by-zero => out[i] = short(5) / short(in[i] | 1);
}
//- coordinates_in_a_loop | shape = [4, 0]; out = zeros(4) | 4 4
kernel void coordinates_in_a_loop(constant long* shape, device float* out, THREAD) {
  long rest = i;
  for (int d = 1; d >= 0; d--) {
    out[i] = rest % shape[d]; //! division-by-zero => out[i] = rest % max(shape[d], 1l);
  }
}
