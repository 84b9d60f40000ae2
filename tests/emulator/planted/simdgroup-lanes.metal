//- down_at_the_end | in = randn(20); out = zeros(20) | 20 20
kernel void down_at_the_end(device const float* in, device float* out, THREAD) {
  out[i] = simd_shuffle_down(in[i], 1); //! simdgroup-lanes => out[i] = simd_shuffle_down(in[i], 0);
}
//- a_lane_that_went_elsewhere | in = randn(32); out = zeros(32) | 32 32
kernel void a_lane_that_went_elsewhere(device const float* in, device float* out, THREAD) {
  float v = in[i];
  if (lane < 16) v = simd_broadcast(v, 20); //! simdgroup-lanes => v = simd_broadcast(v, 20);
  out[i] = v;
}
//- xor_in_half_a_simdgroup | in = randn(32); out = zeros(32) | 32 32
kernel void xor_in_half_a_simdgroup(device const float* in, device float* out, THREAD) {
  float v = in[i];
  if (lane < 16) v += simd_shuffle_xor(v, 16); //! simdgroup-lanes => v += simd_shuffle_xor(v, 16);
  out[i] = v;
}
//- a_reduction_in_a_partial_simdgroup | in = randn(24); out = zeros(1) | 24 24
kernel void a_reduction_in_a_partial_simdgroup(device const float* in, device float* out, THREAD) {
  float v = in[i];
  for (ushort s = 16; s > 0; s /= 2)
    v += simd_shuffle_down(v, s); //! simdgroup-lanes => v += lane + s < n ? v : 0;
  if (lane == 0) out[0] = v;
}
//- a_shuffle_by_data | in = arange(32, dtype=int32); out = zeros(20, dtype=int32) | 20 20
kernel void a_shuffle_by_data(device const int* in, device int* out, THREAD) {
  out[i] = simd_shuffle(in[i], ushort(in[i] + 5)); //! simdgroup-lanes => out[i] = simd_shuffle(in[i], ushort((in[i] + 5) % 20));
}
//- rotated | in = randn(20); out = zeros(20) | 20 20
kernel void rotated(device const float* in, device float* out, THREAD) {
  out[i] = simd_shuffle_rotate_down(in[i], 4); //! simdgroup-lanes => out[i] = simd_shuffle_rotate_down(in[i], 0);
}
//- after_a_return | in = randn(32); out = zeros(32) | 32 32
kernel void after_a_return(device const float* in, device float* out, THREAD) {
  if (lane >= 24) return; //=>
  out[i] = simd_broadcast(in[i], 30); //! simdgroup-lanes
}
//- in_a_loop_that_lanes_leave | in = randn(32); out = zeros(32) | 32 32
kernel void in_a_loop_that_lanes_leave(device const float* in, device float* out, THREAD) {
  float v = in[i];
  for (uint k = 0; k < lane % 4 + 1; k++) //=> for (uint k = 0; k < 4; k++)
    v += simd_shuffle_xor(v, 1); //! simdgroup-lanes
  out[i] = v;
}
//- of_a_quadgroup | in = randn(18); out = zeros(18) | 18 18
kernel void of_a_quadgroup(device const float* in, device float* out, THREAD) {
  out[i] = quad_broadcast(in[i], 3); //! simdgroup-lanes => out[i] = quad_broadcast(in[i], 0);
}
//- a_template_helper | in = randn(32); out = zeros(32) | 32 32
template <typename T> T from_next(T v) {
  return simd_shuffle(v, 31); //! simdgroup-lanes => return simd_shuffle(v, 3);
}
kernel void a_template_helper(device const float* in, device float* out, THREAD) {
  if (lane < 8) out[i] = from_next<float>(in[i]);
}
