#include "arena.h"

#include <sys/mman.h>

namespace mkls {

Slot slots[kSlots];

namespace {

constexpr size_t kLargest = size_t(256) << 30, kSmallest = size_t(1) << 30;
char* arena;
size_t slot_bytes;
int slot_shift;

size_t whole_pages(size_t bytes) { return (bytes + 16383) & ~size_t(16383); }

char* middle_of(int index) { return arena + size_t(index) * slot_bytes + slot_bytes / 2; }

void unmap(Slot& slot) {
  if (slot.mapped)
    mmap(slot.base, slot.mapped, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0);
  if (slot.cells) munmap(slot.cells, slot.cell_bytes);
  slot.mapped = slot.cell_bytes = 0;
  slot.cells = nullptr;
}

// Pages that stray accesses opened are given back, so that the next launch starts clean.
void forget_strays(int index) {
  Slot& slot = slots[index];
  if (!slot.stray_pages) return;
  char* low = arena + size_t(index) * slot_bytes;
  mmap(low, slot_bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0);
  slot.mapped = 0;
  slot.stray_pages = 0;
}

}  // namespace

bool reserve_arena() {
  for (size_t bytes = kLargest; !arena && bytes >= kSmallest; bytes /= 2) {
    void* memory = mmap(nullptr, bytes * kSlots, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED) continue;
    arena = static_cast<char*>(memory);
    slot_bytes = bytes;
    slot_shift = __builtin_ctzll(bytes);
  }
  return arena != nullptr;
}

bool prepare_slot(int index, size_t size) {
  Slot& slot = slots[index];
  forget_strays(index);
  unmap(slot);
  slot.base = middle_of(index);
  slot.size = size;
  slot.valid_from = 0;
  slot.valid_to = size;
  slot.read_only = false;
  slot.threadgroup = index >= kBufferSlots;
  slot.mapped = whole_pages(size ? size : 1);
  if (slot.mapped > slot_bytes / 2 || mprotect(slot.base, slot.mapped, PROT_READ | PROT_WRITE) != 0) return false;
  slot.cell_bytes = whole_pages((size / kCellBytes + 1) * sizeof(Cell));
  void* cells = mmap(nullptr, slot.cell_bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  slot.cells = cells == MAP_FAILED ? nullptr : static_cast<Cell*>(cells);
  return slot.cells != nullptr;
}

int slot_of(const void* address) {
  size_t offset = static_cast<const char*>(address) - arena;
  return arena && offset < slot_bytes * kSlots ? int(offset >> slot_shift) : -1;
}

bool open_stray_page(Slot& slot, const void* address, size_t size) {
  constexpr int kMaxStrayPages = 64;
  uintptr_t first = uintptr_t(address) & ~uintptr_t(16383);
  uintptr_t last = (uintptr_t(address) + size + 16383) & ~uintptr_t(16383);
  uintptr_t from = uintptr_t(slot.base), to = from + slot.mapped;
  if (first >= from && last <= to) return true;
  if (slot.stray_pages >= kMaxStrayPages) return false;
  slot.stray_pages++;
  return mprotect(reinterpret_cast<void*>(first), last - first, PROT_READ | PROT_WRITE) == 0;
}

void forget_variables() {
  for (int i = kFirstVariableSlot; i < kSlots; i++) slots[i].key = nullptr;
}

void* checked_threadgroup_memory(mkls_threadgroup_variable* variable) {
  for (int i = kFirstVariableSlot; i < kSlots; i++) {
    Slot& slot = slots[i];
    if (slot.key == variable) return slot.base;
    if (slot.key) continue;
    if (!prepare_slot(i, variable->size)) return nullptr;
    slot.key = variable;
    slot.name = variable->name;
    slot.line = variable->line;
    slot.item = variable->item;
    return slot.base;
  }
  return nullptr;
}

void* checked_threadgroup_buffer(int index, size_t size) {
  int slot = kBufferSlots + index;
  return prepare_slot(slot, size) ? slots[slot].base : nullptr;
}

}  // namespace mkls

using namespace mkls;

extern "C" {

// Makes room for a storage of `size` bytes; the kernels' arguments lie between the two bounds.
void* mkls_checked_buffer(int index, size_t size, size_t valid_from, size_t valid_to, int read_only) {
  if (index < 0 || index >= kBufferSlots || !reserve_arena() || !prepare_slot(index, size)) return nullptr;
  Slot& slot = slots[index];
  slot.valid_from = valid_from;
  slot.valid_to = valid_to;
  slot.read_only = read_only;
  return slot.base;
}

const char* mkls_slot_name(int index) { return index >= 0 && index < kSlots ? slots[index].name : nullptr; }

// Bytes of the arguments' extent that no thread wrote, and whether any thread wrote or read there.
size_t mkls_unwritten_bytes(int index, int* wrote, int* read) {
  const Slot& slot = slots[index];
  size_t missing = 0;
  *wrote = *read = 0;
  for (size_t at = slot.valid_from; at < slot.valid_to; at++) {
    const Cell& cell = slot.cells[at / kCellBytes];
    bool written = cell.written >> (at % kCellBytes) & 1;
    missing += !written;
    *wrote |= written;
    *read |= cell.reader != 0;
  }
  return missing;
}

}

extern "C" {
size_t mkls_slot_size(int index) { return index >= 0 && index < mkls::kSlots ? mkls::slots[index].valid_to : 0; }
unsigned mkls_slot_item(int index) { return index >= 0 && index < mkls::kSlots ? mkls::slots[index].item : 0; }
}
