//- left | in = tensor([1, 32, 2, 3], dtype=int32); out = zeros(4, dtype=int32) | 4 4
kernel void left(device const int* in, device int* out, THREAD) {
  out[i] = 1 << in[i]; //! shift-out-of-range => out[i] = 1 << (in[i] & 31);
}
//- right | in = tensor([1, 40, 2, 3], dtype=int32); out = zeros(4, dtype=int32) | 4 4
kernel void right(device const int* in, device int* out, THREAD) {
  out[i] = 1000 >> in[i]; //! shift-out-of-range => out[i] = 1000 >> min(in[i], 31);
}
//- negative_amount | in = tensor([1, -1, 2, 3], dtype=int32); out = zeros(4, dtype=int32) | 4 4
kernel void negative_amount(device const int* in, device int* out, THREAD) {
  out[i] = 8 >> in[i]; //! shift-out-of-range => out[i] = 8 >> abs(in[i]);
}
//- unsigned | in = tensor([1, 33, 2, 3], dtype=int32); out = zeros(4, dtype=int32) | 4 4
kernel void unsigned_(device const uint* in, device uint* out, THREAD) {
  out[i] = 1u << in[i]; //! shift-out-of-range => out[i] = in[i] < 32 ? 1u << in[i] : 0;
}
//- long | in = tensor([1, 64], dtype=int64); out = zeros(2, dtype=int64) | 2 2
kernel void long_(device const long* in, device long* out, THREAD) {
  out[i] = 1l << in[i]; //! shift-out-of-range => out[i] = 1l << (in[i] & 63);
}
//- compound_assignment | in = tensor([1, 32, 2, 3], dtype=int32); out = ones(4, dtype=int32) | 4 4
kernel void compound_assignment(device const int* in, device int* out, THREAD) {
  out[i] <<= in[i]; //! shift-out-of-range => out[i] <<= in[i] & 31;
}
//- mask_of_a_lane | in = arange(64, dtype=int32); out = zeros(64, dtype=int32) | 64 64
kernel void mask_of_a_lane(device const int* in, device uint* out, THREAD) {
  out[i] = (1u << tid) - 1; //! shift-out-of-range => out[i] = (1u << lane) - 1;
}
//- template_helper | in = tensor([1, 32, 2, 3], dtype=int32); out = zeros(4, dtype=int32) | 4 4
template <typename T> T scaled(T x, int by) {
  return x << by; //! shift-out-of-range => return by < 32 ? x << by : 0;
}
kernel void template_helper(device const int* in, device int* out, THREAD) {
  out[i] = scaled<int>(3, in[i]);
}
//- in_a_loop | out = zeros(4, dtype=int32) | 4 4
kernel void in_a_loop(device int* out, THREAD) {
  int mask = 0;
  for (int b = 0; b <= 32; b++) //=> for (int b = 0; b < 32; b++)
    mask |= 1 << b; //! shift-out-of-range
  out[i] = mask;
}
