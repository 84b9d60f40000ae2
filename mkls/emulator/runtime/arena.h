// The memory of a checked launch: every buffer lies in the middle of its own large slot of reserved
// address space, so that any stray index still tells which argument it strayed from.
#pragma once
#include <stddef.h>
#include <stdint.h>

#include "mkls/runtime.h"

namespace mkls {

constexpr int kBufferSlots = MKLS_BUFFERS;            // storages of arguments
constexpr int kThreadgroupBufferSlots = MKLS_BUFFERS; // [[threadgroup(n)]]
constexpr int kVariableSlots = 64;                    // declared threadgroup variables
constexpr int kSlots = kBufferSlots + kThreadgroupBufferSlots + kVariableSlots;
constexpr int kFirstVariableSlot = kBufferSlots + kThreadgroupBufferSlots;
constexpr size_t kCellBytes = 4;

enum Marks : uint8_t { kAtomicWrite = 1, kAtomicRead = 2, kSeveralWriters = 4 };
enum Padding : int { kNoPadding, kFourthComponent, kStructure };  // of what an argument points to

// The last accesses to four bytes. Threads count from 1; 0 is nobody. Program counters are the low
// halves: all of a launch lie in one library.
struct Cell {
  uint32_t writer, write_clock, write_pc;
  uint32_t reader, read_clock, read_pc;
  uint32_t other_reader, other_clock, other_pc;  // a second reader, so that one is not the next writer
  uint32_t group;                                // threadgroup memory: whose bytes these are
  uint8_t write_bytes, read_bytes, other_bytes, written;
  uint8_t marks;
};

struct Slot {
  char* base;              // first byte of the storage
  size_t size;             // bytes that are mapped
  size_t valid_from, valid_to;  // the arguments' extent within the storage
  size_t mapped;
  Cell* cells;
  size_t cell_bytes;
  uint32_t* words;         // of a screening run: one for each element, for what may be written
  size_t word_bytes;
  unsigned granule_shift;  // log2 of an element's bytes
  bool read_only, threadgroup;
  bool undefined;          // begins without values: an output
  int padding;
  int stray_pages;         // made accessible so that a thread could go on
  const char* name;        // of a threadgroup variable
  unsigned line, item;     // and the size of its elements
  const void* key;
};

extern Slot slots[kSlots];

bool reserve_arena();
bool prepare_slot(int index, size_t size);
int slot_of(const void* address);      // -1: not in the arena
bool open_stray_page(Slot&, const void* address, size_t size);
void forget_variables();               // before a launch
void* checked_threadgroup_memory(mkls_threadgroup_variable*);
void* checked_threadgroup_buffer(int index, size_t size);

const void* whole_pc(uint32_t low);                       // of a place in the kernel that runs
void position_in_launch(uint32_t linear, uint32_t out[3]);

}  // namespace mkls
