//- a_ticket | count = zeros(1, dtype=int32); out = zeros(64, dtype=int32) | 64 32
kernel void a_ticket(device atomic_int* count, device int* out, THREAD) {
  out[i] = atomic_fetch_add_explicit(count, 1, memory_order_relaxed); //! schedule-dependent out => out[i] = i; atomic_fetch_add_explicit(count, 1, memory_order_relaxed);
}
//- the_last_one_wins | out = zeros(1, dtype=int32) | 64 32
kernel void the_last_one_wins(device atomic_int* out, THREAD) {
  atomic_store_explicit(out, int(i), memory_order_relaxed); //! schedule-dependent out => atomic_fetch_max_explicit(out, int(i), memory_order_relaxed);
}
//- an_exchange | slot = zeros(1, dtype=int32); out = zeros(64, dtype=int32) | 64 64
kernel void an_exchange(device atomic_int* slot, device int* out, THREAD) {
  out[i] = atomic_exchange_explicit(slot, int(i) + 1, memory_order_relaxed); //! schedule-dependent out => out[i] = atomic_fetch_add_explicit(slot, 0, memory_order_relaxed);
}
//- a_peek_at_a_sum | in = arange(64, dtype=int32); sum = zeros(1, dtype=int32); out = zeros(64, dtype=int32) | 64 32
kernel void a_peek_at_a_sum(device const int* in, device atomic_int* sum, device int* out, THREAD) {
  atomic_fetch_add_explicit(sum, in[i], memory_order_relaxed);
  out[i] = atomic_load_explicit(sum, memory_order_relaxed); //! schedule-dependent out => out[i] = in[i];
}
//- the_first_to_come | lock = zeros(1, dtype=int32); out = zeros(1, dtype=int32) | 64 32
kernel void the_first_to_come(device atomic_int* lock, device atomic_int* out, THREAD) {
  if (atomic_fetch_add_explicit(lock, 1, memory_order_relaxed) == 0)
    atomic_store_explicit(out, int(i), memory_order_relaxed); //! schedule-dependent out => atomic_store_explicit(out, 5, memory_order_relaxed);
}
//- in_threadgroup_memory | in = arange(64, dtype=int32); out = zeros(64, dtype=int32) | 64 64
kernel void in_threadgroup_memory(device const int* in, device int* out, THREAD) {
  threadgroup atomic_int position;
  if (tid == 0) atomic_store_explicit(&position, 0, memory_order_relaxed);
  BARRIER;
  int at = atomic_fetch_add_explicit(&position, 1, memory_order_relaxed);
  out[i] = at * in[i]; //! schedule-dependent out => out[i] = in[i] + (at < 0);
}
//- a_running_product | out = ones(1, dtype=int32) | 8 4
kernel void a_running_product(device atomic_int* out, THREAD) {
  int old = atomic_load_explicit(out, memory_order_relaxed);
  while (!atomic_compare_exchange_weak_explicit(out, &old, old * 2 + int(i), memory_order_relaxed, memory_order_relaxed)) {} //! schedule-dependent out => while (!atomic_compare_exchange_weak_explicit(out, &old, old + int(i), memory_order_relaxed, memory_order_relaxed)) {}
}
//- float_sums_that_cancel | in = tensor([1e20, 1.0, -1e20, 1.0]); out = zeros(1) | 4 4
kernel void float_sums_that_cancel(device const float* in, device atomic_float* out, THREAD) {
  atomic_fetch_add_explicit(out, in[i], memory_order_relaxed); //! schedule-dependent out => atomic_fetch_add_explicit(out, in[i] > 0 ? 1.0f : 2.0f, memory_order_relaxed);
}
//- a_helper | count = zeros(1, dtype=int32); out = zeros(64, dtype=int32) | 64 32
inline int next_number(device atomic_int* count) {
  return atomic_fetch_add_explicit(count, 3, memory_order_relaxed);
}
kernel void a_helper(device atomic_int* count, device int* out, THREAD) {
  int number = next_number(count);
  out[i] = number; //! schedule-dependent out => out[number / 3] = 1;
}
