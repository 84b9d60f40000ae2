// The quick half of a checked launch: `-fsanitize=thread` makes a kernel call these before each
// access. They keep one word an element and say only whether a careful run has to look again: when
// an access leaves its buffer, or when two threads share an element that one of them writes.
#include <string.h>

#include "arena.h"
#include "run.h"
#include "worker.h"

namespace mkls {

[[noreturn]] void suspect(Worker* worker) {
  Run* run = worker->run;
  if (!run->stopped.exchange(true)) run->outcome->status = kSuspicious;
  siglongjmp(worker->escape, 1);
}

namespace {

// An element's word: 0, or the thread that accessed it, from 1, and whether it was written.
constexpr uint32_t kWritten = 1u << 31, kWho = kWritten - 1, kManyReaders = kWho, kAtomics = kWho - 1;

inline __attribute__((always_inline)) void screen_word(Worker* worker, const Slot& slot, uint32_t& word, Effect effect) {
  uint32_t me = running_thread(worker) + 1, who = word & kWho;
  if (effect >= kAtomicLoad) {
    worker->saw_atomics = true;
    if (word && who != kAtomics) suspect(worker);
    word = kAtomics | kWritten;
  } else if (effect == kWrite) {
    if (word && who != me) suspect(worker);
    word = me | kWritten;
  } else if (!word) {
    if (slot.undefined) suspect(worker);
    word = me;
  } else if (who != me && who != kManyReaders) {
    if (word & kWritten) suspect(worker);
    word = kManyReaders;
  }
}

inline __attribute__((always_inline)) void screen(const volatile void* address, uint64_t size, Effect effect) {
  Worker* worker = current_worker;
  if (!worker || worker->run->request->checked != kScreening) return;
  int index = slot_of(const_cast<const void*>(address));
  if (index < 0) {
    if (!(uintptr_t(address) >> 32)) suspect(worker);
    return;
  }
  const Slot& slot = slots[index];
  size_t at = static_cast<const volatile char*>(address) - slot.base;
  if (at < slot.valid_from || at + size > slot.valid_to || at > slot.valid_to) suspect(worker);
  if (slot.threadgroup) suspect(worker);
  if (!slot.words) {
    if (effect != kRead) suspect(worker);
    return;
  }
  unsigned granule = (1u << slot.granule_shift) - 1;
  if ((at | size) & granule || (slot.read_only && effect != kRead)) suspect(worker);
  for (size_t from = at >> slot.granule_shift, end = (at + size) >> slot.granule_shift; from < end; from++)
    screen_word(worker, slot, slot.words[from], effect);
}

}  // namespace

}  // namespace mkls

using namespace mkls;

extern "C" {

void __tsan_init(void) {}
void __tsan_func_entry(void*) {}
void __tsan_func_exit(void) {}
void __tsan_vptr_update(void*, void*) {}
void __tsan_vptr_read(void*) {}
void __tsan_read_range(void* p, uint64_t n) { screen(p, n, kRead); }
void __tsan_write_range(void* p, uint64_t n) { screen(p, n, kWrite); }

#define MKLS_ACCESS(n)                                               \
  void __tsan_read##n(void* p) { screen(p, n, kRead); }              \
  void __tsan_write##n(void* p) { screen(p, n, kWrite); }            \
  void __tsan_unaligned_read##n(void* p) { screen(p, n, kRead); }    \
  void __tsan_unaligned_write##n(void* p) { screen(p, n, kWrite); }  \
  void __tsan_read_write##n(void* p) { screen(p, n, kRead); screen(p, n, kWrite); } \
  void __tsan_unaligned_read_write##n(void* p) { __tsan_read_write##n(p); }
MKLS_ACCESS(1)
MKLS_ACCESS(2)
MKLS_ACCESS(4)
MKLS_ACCESS(8)
MKLS_ACCESS(16)

void* __tsan_memcpy(void* to, const void* from, uint64_t n) {
  screen(from, n, kRead);
  screen(to, n, kWrite);
  return memcpy(to, from, n);
}
void* __tsan_memmove(void* to, const void* from, uint64_t n) {
  screen(from, n, kRead);
  screen(to, n, kWrite);
  return memmove(to, from, n);
}
void* __tsan_memset(void* to, int value, uint64_t n) {
  screen(to, n, kWrite);
  return memset(to, value, n);
}

// Atomics. A checked launch has one worker, so plain operations are atomic enough.
#define MKLS_RMW(bits, T, name, expression)                          \
  T __tsan_atomic##bits##_##name(volatile T* p, T v, int) {          \
    screen(p, sizeof *p, kAtomicUpdate);                             \
    T old = *p;                                                      \
    *p = T(expression);                                              \
    return old;                                                      \
  }
#define MKLS_ATOMIC(bits, T)                                                                                    \
  T __tsan_atomic##bits##_load(const volatile T* p, int) { screen(p, sizeof *p, kAtomicLoad); return *p; }      \
  void __tsan_atomic##bits##_store(volatile T* p, T v, int) { screen(p, sizeof *p, kAtomicStore); *p = v; }     \
  MKLS_RMW(bits, T, exchange, v)                                                                                \
  MKLS_RMW(bits, T, fetch_add, old + v)                                                                         \
  MKLS_RMW(bits, T, fetch_sub, old - v)                                                                         \
  MKLS_RMW(bits, T, fetch_and, old & v)                                                                         \
  MKLS_RMW(bits, T, fetch_or, old | v)                                                                          \
  MKLS_RMW(bits, T, fetch_xor, old ^ v)                                                                         \
  MKLS_RMW(bits, T, fetch_nand, ~(old & v))                                                                     \
  T __tsan_atomic##bits##_compare_exchange_val(volatile T* p, T expected, T v, int, int) {                      \
    screen(p, sizeof *p, kAtomicUpdate);                                                                        \
    T old = *p;                                                                                                 \
    if (old == expected) *p = v;                                                                                \
    return old;                                                                                                 \
  }                                                                                                             \
  int __tsan_atomic##bits##_compare_exchange_strong(volatile T* p, T* expected, T v, int, int) {                \
    screen(p, sizeof *p, kAtomicUpdate);                                                                        \
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
