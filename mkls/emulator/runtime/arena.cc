#include "arena.h"

#include <string.h>
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
  slot.mapped = 0;
}

void forget_cells(Slot& slot) {
  if (slot.cells) munmap(slot.cells, slot.cell_bytes);
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

void* fresh_pages(size_t bytes) {
  void* memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  return memory == MAP_FAILED ? nullptr : memory;
}

bool is_written(const Slot& slot, size_t at, size_t size) {
  if (slot.words) {
    for (size_t i = at >> slot.granule_shift; i <= (at + size - 1) >> slot.granule_shift; i++)
      if (!(slot.words[i] >> 31)) return false;
    return true;
  }
  for (size_t byte = at; byte < at + size; byte++)
    if (!(slot.cells[byte / kCellBytes].written >> (byte % kCellBytes) & 1)) return false;
  return true;
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
  bool fits = index < kBufferSlots && slot.mapped == whole_pages(size ? size : 1) && !slot.stray_pages;
  forget_strays(index);
  if (!fits) unmap(slot);
  forget_cells(slot);
  slot.base = middle_of(index);
  slot.size = size;
  slot.valid_from = 0;
  slot.valid_to = size;
  slot.read_only = false;
  slot.threadgroup = index >= kBufferSlots;
  slot.undefined = false;
  slot.padding = kStructure;
  slot.mapped = whole_pages(size ? size : 1);
  slot.words = nullptr;
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
  memset(slot.base, 0, valid_from);  // stray reads find the same in every run
  memset(slot.base + valid_to, 0, slot.mapped - valid_to);
  return slot.base;
}

void mkls_describe_buffer(int index, int undefined, int padding) {
  slots[index].undefined = undefined;
  slots[index].padding = padding;
}

// Forgets what earlier launches did to a buffer; `granule` says how a screening run looks at it:
// log2 of the bytes that a word stands for, or -1 when no argument may write there.
int mkls_begin_buffer(int index, int granule) {
  Slot& slot = slots[index];
  size_t cells = whole_pages((slot.size / kCellBytes + 1) * sizeof(Cell));
  if (slot.cells) munmap(slot.cells, slot.cell_bytes);
  slot.cells = static_cast<Cell*>(fresh_pages(cells));
  slot.cell_bytes = cells;
  if (granule < 0) return slot.words = nullptr, slot.cells != nullptr;
  size_t words = whole_pages(((slot.size >> granule) + 1) * sizeof(uint32_t));
  static uint32_t* kept[kBufferSlots];
  if (slot.word_bytes < words) {
    if (kept[index]) munmap(kept[index], slot.word_bytes);
    kept[index] = static_cast<uint32_t*>(fresh_pages(words));
    slot.word_bytes = words;
  } else {
    memset(kept[index], 0, words);
  }
  slot.words = kept[index];
  slot.granule_shift = unsigned(granule);
  return slot.words && slot.cells;
}

const char* mkls_slot_name(int index) { return index >= 0 && index < kSlots ? slots[index].name : nullptr; }

// Elements of `size` bytes between two offsets that were not written whole; `first` is the first.
size_t mkls_unwritten(int index, size_t from, size_t to, size_t size, size_t* first) {
  size_t missing = 0;
  for (size_t at = from; at + size <= to; at += size) {
    if (is_written(slots[index], slots[index].valid_from + at, size)) continue;
    if (!missing++) *first = (at - from) / size;
  }
  return missing;
}

// Who wrote the cell at an offset last: the thread, from 1, and where; 0 when nobody did.
uint32_t mkls_writer(int index, size_t offset, const void** pc, uint32_t position[3]) {
  const Slot& slot = slots[index];
  const Cell& cell = slot.cells[(slot.valid_from + offset) / kCellBytes];
  if (!cell.writer) return 0;
  *pc = whole_pc(cell.write_pc);
  position_in_launch(cell.writer - 1, position);
  return cell.writer;
}

// The last writers of `count` elements of `size` bytes; the upper bit says that there were several.
void mkls_writers(int index, size_t from, size_t size, size_t count, uint32_t* out) {
  const Slot& slot = slots[index];
  for (size_t i = 0; i < count; i++) {
    const Cell& cell = slot.cells[(slot.valid_from + from + i * size) / kCellBytes];
    out[i] = cell.writer | (cell.marks & kSeveralWriters ? 1u << 31 : 0);
  }
}

}

extern "C" {
size_t mkls_slot_size(int index) { return index >= 0 && index < mkls::kSlots ? mkls::slots[index].valid_to : 0; }
unsigned mkls_slot_item(int index) { return index >= 0 && index < mkls::kSlots ? mkls::slots[index].item : 0; }
}
