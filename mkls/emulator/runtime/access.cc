// Judges every access of a checked kernel: inside its buffer, initialised, and ordered against the
// accesses of other threads by a barrier, a simdgroup exchange, or by both being atomic.
#include <string.h>

#include "arena.h"
#include "reports.h"
#include "run.h"
#include "value_shadow.h"

namespace mkls {

enum Effect { kRead, kWrite, kAtomicLoad, kAtomicStore, kAtomicUpdate };

struct Access {
  const void* address;
  uint32_t size;
  bool read, write, atomic;
  const void* pc;
  void** frame;
};

namespace {

// A second write whose value is not known yet: it is judged when the store has happened.
struct Pending {
  Report* report;
  const void* address;
  uint32_t size;
  char before[16];
} pending;

bool ordered(const Worker* worker, uint32_t other, uint32_t clock, const Slot& slot) {
  uint32_t per_group = worker->group_threads, me = running_thread(worker);
  if (other / per_group != me / per_group) return false;
  if (clock < (slot.threadgroup ? worker->barrier_clock : worker->device_clock)) return true;
  uint32_t simdgroup = other % per_group / MKLS_SIMD_WIDTH;
  return simdgroup == worker->simdgroup && clock < worker->simdgroups[simdgroup].clock;
}

Report* race(Worker* worker, const Access& access, int slot, uint32_t other, uint32_t other_pc, bool other_write) {
  int64_t offset = static_cast<const char*>(access.address) - slots[slot].base - int64_t(slots[slot].valid_from);
  Report* made = report(worker, kDataRace, slot, offset, access.size, access.pc, access.frame, whole_pc(other_pc));
  if (made->count == 1) {
    position_of(worker, other, made->other_thread);
    made->is_write = access.write;
    made->other_is_write = other_write;
  }
  return made;
}

void judge_later(Report* made, const Access& access) {
  if (made->count != 1 || access.size > sizeof pending.before) return;
  pending.report = made;
  pending.address = access.address;
  pending.size = access.size;
  memcpy(pending.before, access.address, access.size);
}

void check_order(Worker* worker, const Access& access, int slot, Cell& cell, unsigned bytes, uint32_t me) {
  bool both_atomic = access.atomic && (cell.marks & kAtomicWrite);
  if (cell.writer && cell.writer != me && (cell.write_bytes & bytes) && !both_atomic &&
      !ordered(worker, cell.writer - 1, cell.write_clock, slots[slot])) {
    Report* made = race(worker, access, slot, cell.writer - 1, cell.write_pc, true);
    if (access.write && !access.atomic) judge_later(made, access);
    return;
  }
  if (!access.write || (access.atomic && (cell.marks & kAtomicRead))) return;
  if (cell.reader && cell.reader != me && (cell.read_bytes & bytes) && !ordered(worker, cell.reader - 1, cell.read_clock, slots[slot]))
    race(worker, access, slot, cell.reader - 1, cell.read_pc, false);
  else if (cell.other_reader && cell.other_reader != me && (cell.other_bytes & bytes) &&
           !ordered(worker, cell.other_reader - 1, cell.other_clock, slots[slot]))
    race(worker, access, slot, cell.other_reader - 1, cell.other_pc, false);
}

void remember(Worker* worker, const Access& access, Cell& cell, unsigned bytes, uint32_t me) {
  uint32_t pc = uint32_t(uintptr_t(access.pc));
  if (access.write) {
    bool same = cell.writer == me && cell.write_clock == worker->clock;
    if (cell.writer && cell.writer != me) cell.marks |= kSeveralWriters;
    cell.write_bytes = uint8_t(same ? cell.write_bytes | bytes : bytes);
    cell.writer = me;
    cell.write_clock = worker->clock;
    cell.write_pc = pc;
    cell.written |= bytes;
    cell.marks = uint8_t(access.atomic ? cell.marks | kAtomicWrite : cell.marks & ~kAtomicWrite);
  }
  if (!access.read) return;
  if (cell.reader != me) {
    cell.other_reader = cell.reader;
    cell.other_clock = cell.read_clock;
    cell.other_pc = cell.read_pc;
    cell.other_bytes = cell.read_bytes;
    cell.read_bytes = 0;
  }
  cell.reader = me;
  cell.read_clock = worker->clock;
  cell.read_pc = pc;
  cell.read_bytes |= bytes;
  cell.marks = uint8_t(access.atomic ? cell.marks | kAtomicRead : cell.marks & ~kAtomicRead);
}

// Threadgroup memory belongs to one threadgroup at a time: what another left there is nothing.
void claim(Worker* worker, Cell& cell) {
  if (cell.group == worker->group_serial) return;
  cell = Cell{};
  cell.group = worker->group_serial;
}

// A row of a threadgroup array ends before the array does.
void judge_index(Worker* worker, const Access& access, int index, int64_t offset) {
  const char *name = slots[index].name, *wrong = worker->wrong_index_of;
  if (!slots[index].threadgroup || !name || strncmp(wrong, name, strlen(name)) != 0) return;
  if (wrong[strlen(name)] != '\'') return;  // the name of a type ends in a quotation mark
  worker->wrong_index_of = nullptr;
  report(worker, access.write ? kOutOfBoundsWrite : kOutOfBoundsRead, index, offset, access.size, access.pc, access.frame)->value = -1;
}

void out_of_bounds(Worker* worker, const Access& access, int index, int64_t offset) {
  Kind kind = access.write ? kOutOfBoundsWrite : kOutOfBoundsRead;
  worker->wrong_index_of = nullptr;
  report(worker, kind, index, offset, access.size, access.pc, access.frame);
  if (!open_stray_page(slots[index], access.address, access.size)) end_thread(worker);
}

}  // namespace

void settle_pending() {
  if (!pending.report) return;
  if (memcmp(pending.before, pending.address, pending.size) == 0) pending.report->kind = kSameValueRace;
  pending.report = nullptr;
}

void judge(Worker* worker, const Access& access) {
  if (__builtin_expect(pending.report != nullptr, 0)) settle_pending();
  int index = slot_of(access.address);
  if (index < 0) {
    if (uintptr_t(access.address) >> 32) return;  // the runtime's, or a constant of the program
    report(worker, kNilBuffer, -1, int64_t(access.address), access.size, access.pc, access.frame)->is_write = access.write;
    end_thread(worker);
  }
  Slot& slot = slots[index];
  size_t at = static_cast<const char*>(access.address) - slot.base;
  if (__builtin_expect(at < slot.valid_from || at + access.size > slot.valid_to || at > slot.size, 0))
    return out_of_bounds(worker, access, index, int64_t(at - slot.valid_from));
  if (__builtin_expect(worker->wrong_index_of != nullptr, 0)) judge_index(worker, access, index, int64_t(at));
  if (access.write && slot.read_only)
    report(worker, kReadOnlyWrite, index, int64_t(at - slot.valid_from), access.size, access.pc, access.frame);
  uint32_t me = running_thread(worker) + 1;
  for (size_t from = at, end = at + access.size; from < end;) {
    size_t next = (from / kCellBytes + 1) * kCellBytes;
    size_t to = next < end ? next : end;
    unsigned bytes = ((1u << (to - from)) - 1) << (from % kCellBytes);
    Cell& cell = slot.cells[from / kCellBytes];
    if (slot.threadgroup) {
      claim(worker, cell);
      if (access.read && (cell.written & bytes) != bytes) {
        report(worker, kUninitialised, index, int64_t(at), access.size, access.pc, access.frame);
        cell.written |= bytes;
      }
    } else if (slot.undefined && access.read && (cell.written & bytes) != bytes) {
      report(worker, kUninitialised, index, int64_t(at - slot.valid_from), access.size, access.pc, access.frame);
      cell.written |= bytes;
    }
    check_order(worker, access, index, cell, bytes, me);
    remember(worker, access, cell, bytes, me);
    from = to;
  }
}

void access(Worker* worker, const void* address, uint32_t size, Effect effect, const void* pc, void** frame) {
  bool write = effect == kWrite || effect >= kAtomicStore, read = effect != kWrite && effect != kAtomicStore;
  if (effect >= kAtomicLoad) worker->saw_atomics = true;
  judge(worker, {address, size, read, write, effect >= kAtomicLoad, pc, frame});
}

void check_alignment(const void* address, uint32_t size, const void* pc, void** frame) {
  Worker* worker = current_worker;
  if (!(uintptr_t(address) & (size - 1)) || !worker || !worker->run->request->checked) return;
  int slot = slot_of(address);
  if (slot < 0) return;
  int64_t offset = static_cast<const char*>(address) - slots[slot].base - int64_t(slots[slot].valid_from);
  report(worker, kMisaligned, slot, offset, size, pc, frame)->value = size;
}

}  // namespace mkls

#define MKLS_PC __builtin_return_address(0), static_cast<void**>(__builtin_frame_address(0))
