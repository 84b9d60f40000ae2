//- read | in = tensor([0, 1, 2, 4], dtype=int32); out = zeros(4, dtype=int32) | 4 4
kernel void read(device const int* in, device int* out, THREAD) {
  int a[4] = {1, 2, 3, 4};
  out[i] = a[in[i]]; //! array-index-out-of-bounds => out[i] = a[in[i] & 3];
}
//- negative | in = tensor([0, 1, -1, 3], dtype=int32); out = zeros(4, dtype=int32) | 4 4
kernel void negative(device const int* in, device int* out, THREAD) {
  int a[4] = {1, 2, 3, 4};
  out[i] = a[in[i]]; //! array-index-out-of-bounds => out[i] = a[abs(in[i])];
}
//- write_in_a_loop | out = zeros(4, dtype=int32) | 4 4
kernel void write_in_a_loop(device int* out, THREAD) {
  int a[8];
  for (int k = 0; k <= 8; k++) //=> for (int k = 0; k < 8; k++)
    a[k] = k; //! array-index-out-of-bounds
  out[i] = a[i];
}
//- program_scope_table | in = tensor([0, 1, 2, 3], dtype=int32); out = zeros(4) | 4 4
constant float table[3] = {1, 2, 3};
kernel void program_scope_table(device const int* in, device float* out, THREAD) {
  out[i] = table[in[i]]; //! array-index-out-of-bounds => out[i] = table[in[i] % 3];
}
//- array_in_a_structure | in = tensor([0, 1, 5, 3], dtype=int32); out = zeros(4) | 4 4
struct holder { float values[4]; float sum; };
kernel void array_in_a_structure(device const int* in, device float* out, THREAD) {
  holder h = {{1, 2, 3, 4}, 10};
  out[i] = h.values[in[i]]; //! array-index-out-of-bounds => out[i] = h.values[in[i] % 4];
}
//- two_dimensions | in = tensor([0, 1, 2, 3], dtype=int32); out = zeros(4) | 4 4
kernel void two_dimensions(device const int* in, device float* out, THREAD) {
  float a[2][3] = {{1, 2, 3}, {4, 5, 6}};
  out[i] = a[1][in[i]]; //! array-index-out-of-bounds => out[i] = a[1][in[i] % 3];
}
//- template_size | in = tensor([0, 1, 2, 3], dtype=int32); out = zeros(4) | 4 4
template <int N> float pick(int at) {
  float a[N];
  for (int k = 0; k < N; k++) a[k] = k;
  return a[at]; //! array-index-out-of-bounds => return a[at % N];
}
kernel void template_size(device const int* in, device float* out, THREAD) {
  out[i] = pick<3>(in[i]);
}
//- reference_to_an_array | in = tensor([0, 1, 2, 4], dtype=int32); out = zeros(4) | 4 4
inline float at_of(thread const float (&a)[4], int k) {
  return a[k]; //! array-index-out-of-bounds => return a[k & 3];
}
kernel void reference_to_an_array(device const int* in, device float* out, THREAD) {
  float a[4] = {1, 2, 3, 4};
  out[i] = at_of(a, in[i]);
}
//- metal_array | in = tensor([0, 1, 2, 4], dtype=int32); out = zeros(4) | 4 4
kernel void metal_array(device const int* in, device float* out, THREAD) {
  array<float, 4> a = {1, 2, 3, 4};
  out[i] = a[in[i]]; //! array-index-out-of-bounds => out[i] = a[in[i] & 3];
}
//- vector_component | in = tensor([0, 1, 2, 4], dtype=int32); out = zeros(4) | 4 4
kernel void vector_component(device const int* in, device float* out, THREAD) {
  float4 v = float4(1, 2, 3, 4);
  out[i] = v[in[i]]; //! array-index-out-of-bounds => out[i] = v[in[i] & 3];
}
