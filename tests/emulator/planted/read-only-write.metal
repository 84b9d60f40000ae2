//- bytes | value = 5; out = zeros(8) | 8 8
kernel void bytes(device long* value, device float* out, THREAD) {
  if (i == 0) *value = 7; //! read-only-write value => if (i == 0 && out == nullptr) *value = 7;
  out[i] = 1;
}
//- list | sizes = [1, 2, 3]; out = zeros(8) | 8 8
kernel void list(device long* sizes, device float* out, THREAD) {
  out[i] = sizes[1];
  if (i == 1) sizes[2] = 0; //! read-only-write sizes => if (i == 100) sizes[2] = 0;
}
//- a_float | value = 1.5; out = zeros(8) | 1 1
kernel void a_float(device float* value, device float* out, THREAD) {
  *value += 1; //! read-only-write value => out[0] = *value;
}
//- const_cast_away | value = 5; out = zeros(8) | 1 1
kernel void const_cast_away(constant long* value, device float* out, THREAD) {
  *(device long*)value = 1; //! read-only-write value => out[0] = *value;
}
//- atomic | value = 5; out = zeros(8) | 8 8
kernel void atomic(device atomic_int* value, device float* out, THREAD) {
  atomic_fetch_add_explicit(value, 1, memory_order_relaxed); //! read-only-write value => out[i] = atomic_load_explicit(value, memory_order_relaxed);
}
//- through_a_reference | value = 5; out = zeros(8) | 1 1
inline void increment(device long& x) {
  x++; //! read-only-write value => (void)x;
}
kernel void through_a_reference(device long& value, device float* out, THREAD) {
  increment(value);
  out[i] = 1;
}
//- vector_component | size = [1, 2]; out = zeros(8) | 1 1
kernel void vector_component(device long2* size, device float* out, THREAD) {
  size->y = 3; //! read-only-write size => out[0] = size->y;
}
//- scratch_in_an_input | size = 8; out = zeros(8) | 8 8
template <typename T> void swap_out(device T* a, device float* b, uint at) {
  b[at] = 1;
  if (at == 7) a[0] = T(b[at]) + 2; //! read-only-write size => if (at == 7) b[at] = 0;
}
kernel void scratch_in_an_input(device int* size, device float* out, THREAD) {
  swap_out<int>(size, out, i);
}
