// What `-fsanitize=thread` makes a checked kernel call. No sanitizer runtime is linked: these are ours.
#include <string.h>

#include "access.cc"

namespace mkls {

namespace {

enum Effect { kRead, kWrite, kAtomicLoad, kAtomicStore, kAtomicUpdate };

inline __attribute__((always_inline)) void on_access(const volatile void* address, uint32_t size, Effect effect,
                                                     const void* pc, void** frame) {
  Worker* worker = current_worker;
  if (!worker || !worker->run->request->checked) return;
  bool write = effect == kWrite || effect >= kAtomicStore, read = effect != kWrite && effect != kAtomicStore;
  judge(worker, {const_cast<const void*>(address), size, read, write, effect >= kAtomicLoad, pc, frame});
}

void on_range(const void* address, uint64_t size, bool write, const void* pc, void** frame) {
  Worker* worker = current_worker;
  if (!size || !worker || !worker->run->request->checked) return;
  judge(worker, {address, uint32_t(size), !write, write, false, pc, frame});
}

void check_alignment(const void* address, uint32_t size, const void* pc, void** frame) {
  Worker* worker = current_worker;
  if (!(uintptr_t(address) & (size - 1)) || !worker || !worker->run->request->checked) return;
  int slot = slot_of(address);
  if (slot < 0) return;
  int64_t offset = static_cast<const char*>(address) - slots[slot].base - int64_t(slots[slot].valid_from);
  report(worker, kMisaligned, slot, offset, size, pc, frame)->value = size;
}

}  // namespace

}  // namespace mkls

using namespace mkls;

#define MKLS_PC __builtin_return_address(0), static_cast<void**>(__builtin_frame_address(0))

extern "C" {

void __tsan_init(void) {}
void __tsan_func_entry(void*) {}
void __tsan_func_exit(void) {}
void __tsan_vptr_update(void*, void*) {}
void __tsan_vptr_read(void*) {}
void __tsan_read_range(void* p, uint64_t n) { on_range(p, n, false, MKLS_PC); }
void __tsan_write_range(void* p, uint64_t n) { on_range(p, n, true, MKLS_PC); }

#define MKLS_ACCESS(n)                                                                        \
  void __tsan_read##n(void* p) { check_alignment(p, n, MKLS_PC); on_access(p, n, kRead, MKLS_PC); } \
  void __tsan_write##n(void* p) { check_alignment(p, n, MKLS_PC); on_access(p, n, kWrite, MKLS_PC); } \
  void __tsan_unaligned_read##n(void* p) { on_access(p, n, kRead, MKLS_PC); }          \
  void __tsan_unaligned_write##n(void* p) { on_access(p, n, kWrite, MKLS_PC); }          \
  void __tsan_read_write##n(void* p) { on_access(p, n, kRead, MKLS_PC); on_access(p, n, kWrite, MKLS_PC); } \
  void __tsan_unaligned_read_write##n(void* p) { __tsan_read_write##n(p); }
MKLS_ACCESS(1)
MKLS_ACCESS(2)
MKLS_ACCESS(4)
MKLS_ACCESS(8)
MKLS_ACCESS(16)

void* __tsan_memcpy(void* to, const void* from, uint64_t n) {
  on_range(from, n, false, MKLS_PC);
  on_range(to, n, true, MKLS_PC);
  return memcpy(to, from, n);
}
void* __tsan_memmove(void* to, const void* from, uint64_t n) {
  on_range(from, n, false, MKLS_PC);
  on_range(to, n, true, MKLS_PC);
  return memmove(to, from, n);
}
void* __tsan_memset(void* to, int value, uint64_t n) {
  on_range(to, n, true, MKLS_PC);
  return memset(to, value, n);
}

// Atomics. A checked launch has one worker, so plain operations are atomic enough.
#define MKLS_ATOMIC_ACCESS(effect)            \
  check_alignment(const_cast<const void*>(static_cast<const volatile void*>(p)), sizeof *p, MKLS_PC); \
  on_access(p, sizeof *p, effect, MKLS_PC)
#define MKLS_RMW(bits, T, name, expression)                          \
  T __tsan_atomic##bits##_##name(volatile T* p, T v, int) {          \
    MKLS_ATOMIC_ACCESS(kAtomicUpdate);                                        \
    T old = *p;                                                      \
    *p = T(expression);                                              \
    return old;                                                      \
  }
#define MKLS_ATOMIC(bits, T)                                                                                    \
  T __tsan_atomic##bits##_load(const volatile T* p, int) { MKLS_ATOMIC_ACCESS(kAtomicLoad); return *p; }              \
  void __tsan_atomic##bits##_store(volatile T* p, T v, int) { MKLS_ATOMIC_ACCESS(kAtomicStore); *p = v; }               \
  MKLS_RMW(bits, T, exchange, v)                                                                                \
  MKLS_RMW(bits, T, fetch_add, old + v)                                                                         \
  MKLS_RMW(bits, T, fetch_sub, old - v)                                                                         \
  MKLS_RMW(bits, T, fetch_and, old & v)                                                                         \
  MKLS_RMW(bits, T, fetch_or, old | v)                                                                          \
  MKLS_RMW(bits, T, fetch_xor, old ^ v)                                                                         \
  MKLS_RMW(bits, T, fetch_nand, ~(old & v))                                                                     \
  T __tsan_atomic##bits##_compare_exchange_val(volatile T* p, T expected, T v, int, int) {                      \
    MKLS_ATOMIC_ACCESS(kAtomicUpdate);                                                                                   \
    T old = *p;                                                                                                 \
    if (old == expected) *p = v;                                                                                \
    return old;                                                                                                 \
  }                                                                                                             \
  int __tsan_atomic##bits##_compare_exchange_strong(volatile T* p, T* expected, T v, int, int) {                \
    MKLS_ATOMIC_ACCESS(kAtomicUpdate);                                                                                   \
    if (*p == *expected) { *p = v; return 1; }                                                                  \
    *expected = *p;                                                                                             \
    return 0;                                                                                                   \
  }                                                                                                             \
  int __tsan_atomic##bits##_compare_exchange_weak(volatile T* p, T* expected, T v, int a, int b) {              \
    return __tsan_atomic##bits##_compare_exchange_strong(p, expected, v, a, b);                                 \
  }
MKLS_ATOMIC(8, uint8_t)
MKLS_ATOMIC(16, uint16_t)
MKLS_ATOMIC(32, uint32_t)
MKLS_ATOMIC(64, uint64_t)
void __tsan_atomic_thread_fence(int) {}
void __tsan_atomic_signal_fence(int) {}

}  // extern "C"
