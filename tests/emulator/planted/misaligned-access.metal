//- atomic | out = zeros(64, dtype=int8) | 1 1
kernel void atomic(device char* out, THREAD) {
  atomic_fetch_add_explicit((device atomic_int*)(out + 2), 1, memory_order_relaxed); //! misaligned-access out => atomic_fetch_add_explicit((device atomic_int*)(out + 4), 1, memory_order_relaxed);
}
//- float4_of_floats | in = randn(65); out = zeros(64) | 16 16
kernel void float4_of_floats(device const float* in, device float* out, THREAD) {
  float4 v = *(device const float4*)(in + 4 * i + 1); //! misaligned-access in => float4 v = *(device const float4*)(in + 4 * i);
  out[4 * i] = v.x;
}
//- a_slice_that_starts_oddly | in = randn(70)[1:65]; out = zeros(16) | 16 16
kernel void a_slice_that_starts_oddly(device const float4* in, device float* out, THREAD) {
  out[i] = in[i].x; //! misaligned-access in => out[i] = ((device const float*)in)[4 * i];
}
//- float4_written | out = zeros(65) | 16 16
kernel void float4_written(device float* out, THREAD) {
  *(device float4*)(out + 4 * i + 1) = float4(1); //! misaligned-access out => *(device float4*)(out + 4 * i) = float4(1);
}
//- half4 | in = zeros(66, dtype=float16); out = zeros(16) | 16 16
kernel void half4_(device const half* in, device float* out, THREAD) {
  half4 v = *(device const half4*)(in + 4 * i + 2); //! misaligned-access in => half4 v = *(device const half4*)(in + 4 * i);
  out[i] = v.x;
}
//- a_long_in_bytes | in = zeros(64, dtype=uint8); out = zeros(4, dtype=int64) | 4 4
kernel void a_long_in_bytes(device const uchar* in, device long* out, THREAD) {
  out[i] = *(device const long*)(in + 8 * i + 4); //! misaligned-access in => out[i] = *(device const long*)(in + 8 * i);
}
//- a_float_in_bytes | in = zeros(64, dtype=uint8); out = zeros(8) | 8 8
kernel void a_float_in_bytes(device const uchar* in, device float* out, THREAD) {
  out[i] = *(device const float*)(in + 4 * i + 1); //! misaligned-access in => out[i] = *(device const float*)(in + 4 * i);
}
//- packed_data_as_float3 | in = randn(64); out = zeros(8) | 8 8
kernel void packed_data_as_float3(device const float* in, device float* out, THREAD) {
  float3 v = *(device const float3*)(in + 3 * i); //! misaligned-access in => float3 v = float3(*(device const packed_float3*)(in + 3 * i));
  out[i] = v.x + v.y + v.z;
}
//- threadgroup_memory | in = randn(64); out = zeros(64) | 16 16
kernel void threadgroup_memory(device const float* in, device float* out, THREAD) {
  threadgroup float buf[80];
  for (uint k = 0; k < 5; k++) buf[5 * tid + k] = in[i];
  BARRIER;
  float4 v = *(threadgroup float4*)(buf + 5 * tid); //! misaligned-access buf => float4 v = *(threadgroup float4*)(buf + 4 * tid);
  out[i] = v.x;
}
//- helper_that_loads_four | in = randn(66); out = zeros(16) | 16 16
template <typename T> float sum_of_four(device const T* p) {
  const device vec<T, 4>& v = *reinterpret_cast<device const vec<T, 4>*>(p); //! misaligned-access in => const device packed_vec<T, 4>& v = *reinterpret_cast<device const packed_vec<T, 4>*>(p);
  return v.x + v.y;
}
kernel void helper_that_loads_four(device const float* in, device float* out, THREAD) {
  out[i] = sum_of_four<float>(in + 4 * i + 2);
}
