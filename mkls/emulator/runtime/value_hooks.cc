// What `-fsanitize=kernel-memory` makes a checked kernel call: before each load and store it asks
// where the shadow of the memory is. That shows every access, and values that nobody gave.
#include <string.h>

#include "arena.h"
#include "reports.h"
#include "run.h"
#include "value_shadow.h"

namespace mkls {

namespace {

alignas(64) char no_shadow[4096];            // of memory whose every byte has a value
alignas(64) uint32_t no_origin[1024];
alignas(64) char lost_shadow[4096];          // where the shadow of what is stored elsewhere goes

// A store into a buffer: the kernel tells the value's shadow only after it asked where to put it.
struct StoredValue {
  Slot* slot;
  const void* address;
  uint32_t size;
  const void* pc;
  unsigned thread;
  alignas(16) char shadow[64];
  uint32_t origins[16];
} stored;

struct {
  const volatile void* address;
  Effect effect;
} atomic;

Effect effect_of(const void* address, Effect plain) {
  if (atomic.address != address) return plain;
  atomic.address = nullptr;
  return atomic.effect;
}

bool is_padding(const Slot& slot, size_t at, size_t size, size_t word) {
  size_t from_end = size / 4 - word;
  if (slot.padding == kNoPadding) return false;
  if (slot.padding == kFourthComponent) return (at / 4 + word) % 4 == 3;
  return from_end == 1 || (at / 4 + word) % 2 == 0;  // of a structure: at its end, or before eight bytes
}

}  // namespace

void without_value(Worker* worker, int slot, int64_t offset, uint32_t origin, const void* pc, void** frame) {
  const Origin* from = origin_of(origin);
  Report* made = report(worker, kNoValue, slot, offset, 0, pc, frame, from ? from->pc : nullptr);
  if (made->count == 1) made->text = from ? from->name : nullptr;
}

void settle_stored(void** frame) {
  if (!stored.slot) return;
  Slot* slot = stored.slot;
  stored.slot = nullptr;
  uint32_t byte = 0;
  while (byte < stored.size && !stored.shadow[byte]) byte++;
  if (byte == stored.size) return;
  Worker* worker = current_worker;
  int64_t offset = static_cast<const char*>(stored.address) - slot->base - int64_t(slot->valid_from);
  unsigned thread = worker->cursor.thread;
  worker->cursor.thread = stored.thread;
  without_value(worker, int(slot - slots), offset + (byte & ~3u), stored.origins[byte / 4], stored.pc, frame);
  worker->cursor.thread = thread;
}

namespace {

Worker* watched_worker(void** frame) {
  Worker* worker = current_worker;
  if (!worker || worker->run->request->checked != kDetailed) return nullptr;
  if (stored.slot) settle_stored(frame);
  return worker;
}

Metadata shadow_of_load(const void* address, uint64_t size, const void* pc, void** frame) {
  Worker* worker = watched_worker(frame);
  if (worker && on_stacks(worker, address)) return stack_metadata(worker, address);
  if (worker) access(worker, address, uint32_t(size), effect_of(address, kRead), pc, frame);
  return {no_shadow, no_origin};
}

Metadata shadow_of_store(void* address, uint64_t size, const void* pc, void** frame) {
  Worker* worker = watched_worker(frame);
  if (worker && on_stacks(worker, address)) return stack_metadata(worker, address);
  if (!worker) return {lost_shadow, no_origin};
  access(worker, address, uint32_t(size), effect_of(address, kWrite), pc, frame);
  int slot = slot_of(address);
  if (slot < 0 || size > sizeof stored.shadow) return {lost_shadow, reinterpret_cast<uint32_t*>(lost_shadow)};
  stored.slot = &slots[slot];
  stored.address = address;
  stored.size = uint32_t(size);
  stored.pc = pc;
  stored.thread = worker->cursor.thread;
  memset(stored.shadow, 0, size);
  return {stored.shadow, stored.origins};
}

void set_shadow(void* address, uint64_t size, int value, uint32_t origin) {
  Worker* worker = current_worker;
  if (!worker || !on_stacks(worker, address)) return;
  Metadata metadata = stack_metadata(worker, address);
  memset(metadata.shadow, value, size);
  if (!value) return;
  for (uint64_t i = 0; i < (size + 3) / 4; i++) metadata.origin[i] = origin;
}

// A structure may hold padding that never got a value: only whole words that are none are reported.
void store_copied(Worker* worker, void* to, const Metadata& from, uint64_t size, const void* pc, void** frame) {
  int index = slot_of(to);
  if (index < 0) return;
  const Slot& slot = slots[index];
  size_t at = static_cast<char*>(to) - slot.base - slot.valid_from;
  const char* shadow = static_cast<const char*>(from.shadow);
  if (size < 4 && shadow[0] && shadow[size - 1]) return without_value(worker, index, int64_t(at), *from.origin, pc, frame);
  for (size_t word = 0; word < size / 4; word++) {
    const char* bytes = shadow + word * 4;
    if (!(bytes[0] && bytes[1] && bytes[2] && bytes[3]) || is_padding(slot, at, size, word)) continue;
    return without_value(worker, index, int64_t(at + word * 4), from.origin[word], pc, frame);
  }
}

// Whether such a copy is wrong, the alignment of its type has to say, which the reader of the report knows.
void note_alignment(Worker* worker, const void* address, uint64_t size, const void* pc, void** frame) {
  uint64_t unit = size & -size;
  unit = unit > 16 ? 16 : unit;
  if (!(uintptr_t(address) & (unit - 1))) return;
  int slot = slot_of(address);
  if (slot < 0) return;
  int64_t offset = static_cast<const char*>(address) - slots[slot].base - int64_t(slots[slot].valid_from);
  Report* made = report(worker, kMisalignedCopy, slot, offset, uint32_t(size), pc, frame);
  if (made->count == 1) made->value = int64_t(uintptr_t(address) & -uintptr_t(address));
}

void copied(void* to, const void* from, uint64_t size, const void* pc, void** frame) {
  Worker* worker = watched_worker(frame);
  if (!worker || !size) return;
  bool from_stack = on_stacks(worker, from), to_stack = on_stacks(worker, to);
  if (to_stack && is_exchanged(worker, from)) {
    Metadata source = exchanged_metadata(worker, from), target = stack_metadata(worker, to);
    memcpy(target.shadow, source.shadow, size);
    memcpy(target.origin, source.origin, (size + 3) & ~uint64_t(3));
    return;
  }
  if (!from_stack) note_alignment(worker, from, size, pc, frame);
  if (!to_stack) note_alignment(worker, to, size, pc, frame);
  if (!from_stack) access(worker, from, uint32_t(size), kRead, pc, frame);
  if (!to_stack) access(worker, to, uint32_t(size), kWrite, pc, frame);
  if (to_stack && from_stack) {
    Metadata source = stack_metadata(worker, from), target = stack_metadata(worker, to);
    memmove(target.shadow, source.shadow, size);
    memmove(target.origin, source.origin, (size + 3) & ~uint64_t(3));
  } else if (to_stack) {
    memset(stack_metadata(worker, to).shadow, 0, size);
  } else if (from_stack) {
    store_copied(worker, to, stack_metadata(worker, from), size, pc, frame);
  }
}

}  // namespace

}  // namespace mkls

using namespace mkls;

extern "C" {

void* __msan_get_context_state(void) {
  static char nowhere[8192];
  Worker* worker = current_worker;
  return worker && worker->run->request->checked == kDetailed ? value_context(worker) : nowhere;
}

#define MKLS_METADATA(n)                                                                                     \
  Metadata __msan_metadata_ptr_for_load_##n(void* p) { return shadow_of_load(p, n, MKLS_PC); }              \
  Metadata __msan_metadata_ptr_for_store_##n(void* p) { return shadow_of_store(p, n, MKLS_PC); }
MKLS_METADATA(1)
MKLS_METADATA(2)
MKLS_METADATA(4)
MKLS_METADATA(8)
#undef MKLS_METADATA
Metadata __msan_metadata_ptr_for_load_n(void* p, uint64_t n) { return shadow_of_load(p, n, MKLS_PC); }
Metadata __msan_metadata_ptr_for_store_n(void* p, uint64_t n) { return shadow_of_store(p, n, MKLS_PC); }

void __msan_poison_alloca(void* p, uint64_t n, const char* name) {
  set_shadow(p, n, 0xff, origin_number(name, __builtin_return_address(0)));
}
void __msan_unpoison_alloca(void* p, uint64_t n) { set_shadow(p, n, 0, 0); }
uint32_t __msan_chain_origin(uint32_t origin) { return origin; }
void __msan_warning(uint32_t origin) {
  void** frame = static_cast<void**>(__builtin_frame_address(0));
  if (Worker* worker = watched_worker(frame)) without_value(worker, -1, 0, origin, __builtin_return_address(0), frame);
}
void __msan_instrument_asm_store(void*, uint64_t) {}

void* __msan_memcpy(void* to, const void* from, uint64_t n) {
  copied(to, from, n, MKLS_PC);
  return memcpy(to, from, n);
}
void* __msan_memmove(void* to, const void* from, uint64_t n) {
  copied(to, from, n, MKLS_PC);
  return memmove(to, from, n);
}
void* __msan_memset(void* to, int value, uint64_t n) {
  void** frame = static_cast<void**>(__builtin_frame_address(0));
  Worker* worker = watched_worker(frame);
  if (worker && n) {
    if (on_stacks(worker, to)) set_shadow(to, n, 0, 0);
    else access(worker, to, uint32_t(n), kWrite, __builtin_return_address(0), frame);
  }
  return memset(to, value, n);
}

// The shim announces an atomic operation; the next access of that address is it.
void mkls_atomic_access(const volatile void* address, unsigned size, unsigned effect) {
  Worker* worker = watched_worker(static_cast<void**>(__builtin_frame_address(0)));
  if (!worker) return;
  check_alignment(const_cast<const void*>(address), size, MKLS_PC);
  atomic = {address, Effect(effect)};
}

}  // extern "C"
