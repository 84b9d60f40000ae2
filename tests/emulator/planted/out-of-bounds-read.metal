//- past_the_end | in = randn(64); out = zeros(64) | 64 64
kernel void past_the_end(device const float* in, device float* out, THREAD) {
  out[i] = in[i + 1]; //! out-of-bounds-read in => out[i] = in[min(i + 1, 63u)];
}
//- before_the_start | in = randn(64); out = zeros(64) | 64 64
kernel void before_the_start(device const float* in, device float* out, THREAD) {
  out[i] = in[int(i) - 1]; //! out-of-bounds-read in => out[i] = in[max(int(i) - 1, 0)];
}
//- unsigned_wrap | in = randn(64); out = zeros(64) | 64 64
kernel void unsigned_wrap(device const float* in, device float* out, THREAD) {
  out[i] = in[i - 1]; //! out-of-bounds-read in => out[i] = in[i ? i - 1 : 0];
}
//- size_t_wrap | in = randn(64); out = zeros(64) | 64 32
kernel void size_t_wrap(device const float* in, device float* out, THREAD) {
  size_t at = size_t(i) - 2;
  out[i] = in[at]; //! out-of-bounds-read in => out[i] = in[i < 2 ? i : at];
}
//- tail_of_a_group | in = randn(100); out = zeros(100) | 128 32
kernel void tail_of_a_group(device const float* in, device float* out, THREAD) {
  float v = in[i]; //! out-of-bounds-read in => float v = i < 100 ? in[i] : 0;
  if (i < 100) out[i] = v;
}
//- vector_at_the_end | in = randn(62); out = zeros(16) | 16 16
kernel void vector_at_the_end(device const float4* in, device float* out, THREAD) {
  out[i] = in[i].w; //! out-of-bounds-read in => out[i] = i < 15 ? in[i].w : 0;
}
//- two_dimensions | in = randn(8, 10); out = zeros(10, 8) | 10,8 5,4
kernel void two_dimensions(device const float* in, device float* out, uint2 p [[thread_position_in_grid]]) {
  out[p.x * 8 + p.y] = in[p.y * 11 + p.x]; //! out-of-bounds-read in => out[p.x * 8 + p.y] = in[p.y * 10 + p.x];
}
//- strides_in_bytes_of_constants | in = randn(32); strides = [4, 3]; out = zeros(32) | 32 32
kernel void strides_in_bytes_of_constants(device const float* in, constant long* strides, device float* out, THREAD) {
  out[i] = in[(i / 4) * strides[0] + (i % 4) * strides[1]]; //! out-of-bounds-read in => out[i] = in[(i / 4) * strides[0] + (i % 4) * (strides[1] - 2)];
}
//- too_few_bytes | size = 5; out = zeros(4, dtype=int32) | 4 4
kernel void too_few_bytes(constant int* size, device int* out, THREAD) {
  out[i] = size[2]; //! out-of-bounds-read size => out[i] = size[1];
}
//- a_scalar_read_as_a_vector | size = 5; out = zeros(4) | 4 4
kernel void a_scalar_read_as_a_vector(constant uint4& size, device float* out, THREAD) {
  out[i] = size.w; //! out-of-bounds-read size => out[i] = size.y;
}
//- indices_from_memory | in = randn(10); index = tensor([0, 3, 10, 9], dtype=int32); out = zeros(4) | 4 4
kernel void indices_from_memory(device const float* in, device const int* index, device float* out, THREAD) {
  out[i] = in[index[i]]; //! out-of-bounds-read in => out[i] = index[i] < 10 ? in[index[i]] : 0;
}
//- a_loop_one_too_long | in = randn(8, 16); out = zeros(8) | 8 8
kernel void a_loop_one_too_long(device const float* in, device float* out, THREAD) {
  float total = 0;
  for (int c = 0; c <= 16; c++) //=> for (int c = 0; c < 16; c++)
    total += in[i * 16 + c]; //! out-of-bounds-read in
  out[i] = total;
}
//- a_helper_by_reference | in = randn(16); out = zeros(16) | 16 16
inline float second_of(device const float& first) {
  return (&first)[1]; //! out-of-bounds-read in => return (&first)[0];
}
kernel void a_helper_by_reference(device const float* in, device float* out, THREAD) {
  out[i] = second_of(in[i]);
}
//- reinterpreted | in = randn(16); out = zeros(16, dtype=int64) | 16 16
kernel void reinterpreted(device const float* in, device long* out, THREAD) {
  out[i] = ((device const long*)in)[i]; //! out-of-bounds-read in => out[i] = ((device const long*)in)[i / 2];
}
//- a_member_function | in = randn(16); out = zeros(16) | 16 16
template <typename T> struct row_reader {
  device const T* data;
  int stride;
  T operator()(int at) const {
    return data[at * stride]; //! out-of-bounds-read in => return data[at * (stride - 1)];
  }
};
kernel void a_member_function(device const float* in, device float* out, THREAD) {
  row_reader<float> read{in, 2};
  out[i] = read(i);
}
//- an_atomic_load | in = zeros(4, dtype=int32); out = zeros(8, dtype=int32) | 8 8
kernel void an_atomic_load(device atomic_int* in, device int* out, THREAD) {
  out[i] = atomic_load_explicit(in + i, memory_order_relaxed); //! out-of-bounds-read in => out[i] = atomic_load_explicit(in + i % 4, memory_order_relaxed);
}
//- threadgroup_array | in = randn(64); out = zeros(64) | 64 64
kernel void threadgroup_array(device const float* in, device float* out, THREAD) {
  threadgroup float buf[64];
  buf[tid] = in[i];
  BARRIER;
  out[i] = buf[tid + 1]; //! out-of-bounds-read buf => out[i] = buf[(tid + 1) % 64];
}
//- a_slice | in = randn(100)[10:42]; out = zeros(32) | 32 32
kernel void a_slice(device const float* in, device float* out, THREAD) {
  out[i] = in[i + 1]; //! out-of-bounds-read in => out[i] = in[i];
}
//- a_structure_copied | in = randn(15); out = zeros(16) | 4 4
struct four { float a, b, c, d; };
kernel void a_structure_copied(device const four* in, device four* out, THREAD) {
  four x = in[i]; //! out-of-bounds-read in => four x = in[min(i, 2u)];
  out[i] = x;
}
//- the_row_of_a_tile | in = randn(64); out = zeros(64) | 64 64
kernel void the_row_of_a_tile(device const float* in, device float* out, THREAD) {
  threadgroup float tile[8][8];
  tile[tid / 8][tid % 8] = in[i];
  BARRIER;
  out[i] = tid < 50 ? tile[tid / 8][tid % 8 + 1] : 0; //! out-of-bounds-read tile => out[i] = tile[tid / 8][(tid + 1) % 8];
}
