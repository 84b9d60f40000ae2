//- one_short_at_the_tail | in = randn(64); out = full((64,), nan) | 64 32
kernel void one_short_at_the_tail(device const float* in, device float* out, THREAD) { //! unwritten-output out
  if (i < 63) out[i] = in[i]; //=> if (i < 64) out[i] = in[i];
}
//- the_first_is_skipped | in = randn(64); out = full((64,), nan) | 64 32
kernel void the_first_is_skipped(device const float* in, device float* out, THREAD) { //! unwritten-output out
  if (i == 0) return; //=> if (i == 100) return;
  out[i] = in[i];
}
//- no_else | in = randn(64); out = full((64,), nan) | 64 32
kernel void no_else(device const float* in, device float* out, THREAD) { //! unwritten-output out
  if (in[i] > 0) out[i] = in[i]; //=> out[i] = in[i] > 0 ? in[i] : 0;
}
//- four_at_a_time_without_the_rest | in = randn(62); out = full((62,), nan) | 16 16
kernel void four_at_a_time_without_the_rest(device const float* in, device float* out, THREAD) { //! unwritten-output out
  if (4 * i + 3 < 62) for (int k = 0; k < 4; k++) out[4 * i + k] = in[4 * i + k]; //=> for (uint k = 0; k < 4 && 4 * i + k < 62; k++) out[4 * i + k] = in[4 * i + k];
}
//- a_loop_one_too_short | in = randn(8, 8); out = full((8, 8), nan) | 8 8
kernel void a_loop_one_too_short(device const float* in, device float* out, THREAD) { //! unwritten-output out
  for (int c = 0; c < 7; c++) out[8 * i + c] = in[8 * i + c]; //=> for (int c = 0; c < 8; c++) out[8 * i + c] = in[8 * i + c];
}
//- a_wrong_stride | in = randn(32); out = full((32,), nan) | 16 16
kernel void a_wrong_stride(device const float* in, device float* out, THREAD) { //! unwritten-output out
  out[2 * i] = in[2 * i]; //=> out[2 * i] = in[2 * i]; out[2 * i + 1] = in[2 * i + 1];
}
//- one_component | in = randn(16); out = full((64,), nan) | 16 16
kernel void one_component(device const float* in, device float4* out, THREAD) { //! unwritten-output out
  out[i].x = in[i]; //=> out[i] = float4(in[i]);
  out[i].y = in[i];
  out[i].w = in[i];
}
//- a_half_output | in = randn(64); out = full((64,), nan, dtype=float16) | 64 16
kernel void a_half_output(device const float* in, device half* out, THREAD) { //! unwritten-output out
  if (tid != 5) out[i] = half(in[i]); //=> out[i] = half(in[i]);
}
//- in_a_helper | in = randn(64); out = full((64,), nan) | 64 64
template <typename T> void store_unless_zero(device T* out, uint at, T value) {
  if (at % 8) out[at] = value; //=> out[at] = value;
}
kernel void in_a_helper(device const float* in, device float* out, THREAD) { //! unwritten-output out
  store_unless_zero<float>(out, i, in[i]);
}
//- one_of_two_outputs | in = randn(8); values = full((8,), nan); other = full((8,), nan) | 8 8
kernel void one_of_two_outputs(device const float* in, device float* values, device float* other, THREAD) { //! unwritten-output other
  values[i] = in[i];
  if (i < 4) other[i] = in[i]; //=> other[i] = in[i];
}
//- nothing_at_all | in = randn(8); out = full((8,), nan) | 8 8
kernel void nothing_at_all(device const float* in, device float* out, THREAD) { //! unwritten-output out
  float v = in[i] * 2; //=> float v = in[i] * 2; out[i] = v;
  (void)v;
}
