//- an_index | index = tensor([0, 3, 9, 1], dtype=int32); errors = zeros(16384, dtype=uint8); out = zeros(4) | 4 4
kernel void an_index(device const int* index, device c10::metal::ErrorMessages* errors, device float* out, THREAD) {
  if (index[i] >= 5) { //=> if (index[i] >= 50) {
    TORCH_REPORT_ERROR(errors, "index is out of range"); //! device-error errors
    return;
  }
  out[i] = index[i];
}
//- a_negative_value | in = tensor([1.0, -3.0]); errors = zeros(16384, dtype=uint8) | 2 2
kernel void a_negative_value(device const float* in, device c10::metal::ErrorMessages* errors, THREAD) {
  if (in[i] < 0) //=> if (in[i] < -5)
    TORCH_REPORT_ERROR(errors, "a negative value"); //! device-error errors
}
//- in_a_helper | in = tensor([1.0, -3.0]); errors = zeros(16384, dtype=uint8) | 2 2
inline void expect_positive(float x, device c10::metal::ErrorMessages* errors) {
  if (x < 0) //=> if (x < -5)
    TORCH_REPORT_ERROR(errors, "expected a positive value"); //! device-error errors
}
kernel void in_a_helper(device const float* in, device c10::metal::ErrorMessages* errors, THREAD) {
  expect_positive(in[i], errors);
}
//- many_times | in = arange(16, dtype=int32); errors = zeros(16384, dtype=uint8) | 16 16
kernel void many_times(device const int* in, device c10::metal::ErrorMessages* errors, THREAD) {
  if (in[i] > 3) //=> if (in[i] > 30)
    TORCH_REPORT_ERROR(errors, "too large"); //! device-error errors
}
//- in_a_loop | in = arange(16, dtype=int32); errors = zeros(16384, dtype=uint8) | 1 1
kernel void in_a_loop(device const int* in, device c10::metal::ErrorMessages* errors, THREAD) {
  for (int k = 0; k < 16; k++)
    if (in[k] == 7) TORCH_REPORT_ERROR(errors, "seven"); //! device-error errors => if (in[k] == 70) TORCH_REPORT_ERROR(errors, "seven");
}
//- with_a_number | in = arange(4, dtype=int32); errors = zeros(16384, dtype=uint8) | 4 4
kernel void with_a_number(device const int* in, device c10::metal::ErrorMessages* errors, THREAD) {
  if (in[i] == 2) TORCH_REPORT_ERROR(errors, "element ", i, " is bad"); //! device-error errors => if (in[i] == 20) TORCH_REPORT_ERROR(errors, "element ", i, " is bad");
}
//- from_two_groups | in = arange(64, dtype=int32); errors = zeros(16384, dtype=uint8) | 64 32
kernel void from_two_groups(device const int* in, device c10::metal::ErrorMessages* errors, THREAD) {
  if (tid == 0) TORCH_REPORT_ERROR(errors, "first of a group"); //! device-error errors => if (tid == 100) TORCH_REPORT_ERROR(errors, "first of a group");
}
//- a_template | in = tensor([1.0, -3.0]); errors = zeros(16384, dtype=uint8) | 2 2
template <typename T> T checked_root(T x, device c10::metal::ErrorMessages* errors) {
  if (x < 0) { //=> if (x < -100) {
    TORCH_REPORT_ERROR(errors, "no root"); //! device-error errors
    return 0;
  }
  return x;
}
kernel void a_template(device const float* in, device c10::metal::ErrorMessages* errors, THREAD) {
  (void)checked_root<float>(in[i], errors);
}
