//- rows_times_columns | in = randn(64); columns = 268435456; out = zeros(64) | 64 64
kernel void rows_times_columns(device const float* in, constant uint& columns, device float* out, THREAD) {
  uint at = i * columns; //! integer-overflow => uint at = i * (columns >> 28);
  out[i] = in[at];
}
//- signed_product | in = randn(64); stride = 1073741824; out = zeros(64) | 64 64
kernel void signed_product(device const float* in, constant int& stride, device float* out, THREAD) {
  int at = int(i) * stride; //! integer-overflow => int at = int(i);
  out[i] = in[at & 63];
}
//- widened_too_late | in = randn(8); stride = 1073741824; out = zeros(8) | 8 8
kernel void widened_too_late(device const float* in, constant uint& stride, device float* out, THREAD) {
  size_t at = i * stride; //! integer-overflow => size_t at = size_t(i) * stride & 7;
  out[i] = in[at & 7]; //=> out[i] = in[at];
}
//- a_sum | in = randn(16); start = 4294967290; out = zeros(8) | 8 8
kernel void a_sum(device const float* in, constant uint& start, device float* out, THREAD) {
  uint at = start + 0u; //=> uint at = 0;
  at = (at - 1000000u) + (i + 1000006u); //! integer-overflow => at = at + i;
  out[i] = in[at];
}
//- in_a_helper | in = randn(16); ld = 2147483648; out = zeros(16) | 16 16
inline uint offset_of(uint row, uint column, uint ld) {
  return row * ld + column; //! integer-overflow => return row + column;
}
kernel void in_a_helper(device const float* in, constant uint& ld, device float* out, THREAD) {
  out[i] = in[offset_of(i, 1, ld) & 15]; //=> out[i] = in[offset_of(i, 1, ld) % 16];
}
//- a_64_bit_offset_cut | in = randn(16); base = 4294967296; out = zeros(16) | 16 16
kernel void a_64_bit_offset_cut(device const float* in, constant long& base, device float* out, THREAD) {
  uint at = base + i; //! integer-overflow => uint at = (base & 1) + i;
  out[i] = in[at];
}
//- strides_in_a_loop | in = randn(16); strides = [1073741824, 1]; out = zeros(16) | 16 16
kernel void strides_in_a_loop(device const float* in, constant long* strides, device float* out, THREAD) {
  int at = 0;
  int rest = int(i);
  for (int d = 0; d < 2; d++) {
    at += (rest % 4) * int(strides[d]); //! integer-overflow => at += (rest % 4) * (d == 1);
    rest /= 4;
  }
  out[i] = in[at];
}
//- a_write | ld = 2147483648; out = zeros(16) | 16 16
kernel void a_write(constant uint& ld, device float* out, THREAD) {
  uint at = (i / 2) * 2 * ld + i; //! integer-overflow => uint at = i;
  out[at] = 1;
}
//- a_pointer_moved | in = randn(16); ld = 1073741824; out = zeros(16) | 16 16
template <typename T> device const T* row_of(device const T* base, uint row, uint ld) {
  return base + row * 4 * ld; //! integer-overflow => return base + row * 1;
}
kernel void a_pointer_moved(device const float* in, constant uint& ld, device float* out, THREAD) {
  out[i] = row_of<float>(in, i, ld)[0];
}
//- a_hash_may_wrap | in = randn(16); out = zeros(16) | 16 16
kernel void a_hash_may_wrap(device const float* in, device float* out, THREAD) {
  uint h = i * 2654435761u;
  h ^= h >> 16;
  h *= 2246822519u;
  int at = int(i) * 1000000000; //! integer-overflow => int at = int(i);
  out[i] = in[h % 16] + in[uint(at) % 13];
}
