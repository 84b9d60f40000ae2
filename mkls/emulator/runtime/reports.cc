#include "reports.h"

#include "arena.h"
#include "run.h"

namespace mkls {

namespace {

constexpr int kMaxReports = 128;
Report reports[kMaxReports];
int report_count;
Report lost;  // takes what no longer fits

int walk(const Fiber* fiber, const void* pc, void** frame, const void** out) {
  int count = 0;
  out[count++] = pc;
  const char* low = fiber->top - kStackStride;
  while (count < kFrames && reinterpret_cast<char*>(frame) >= low && reinterpret_cast<char*>(frame) < fiber->top) {
    void** outer = static_cast<void**>(frame[0]);
    if (outer <= frame || reinterpret_cast<char*>(outer) >= fiber->top) break;
    out[count++] = outer[1];
    frame = outer;
  }
  return count;
}

}  // namespace

namespace {
mkls_launch last_launch;
uintptr_t last_entry;
}  // namespace

void remember_launch(const mkls_request* request) {
  last_launch = request->launch;
  last_entry = uintptr_t(request->entry);
}

// A kernel lies in one library, smaller than 2 GiB: the upper half is that of its entry, or next to it.
const void* whole_pc(uint32_t low) {
  uintptr_t pc = (last_entry & ~uintptr_t(0xffffffff)) | low;
  if (pc > last_entry + (1ul << 31)) pc -= 1ul << 32;
  if (pc + (1ul << 31) < last_entry) pc += 1ul << 32;
  return reinterpret_cast<const void*>(pc);
}

void position_of(const Worker*, uint32_t linear, uint32_t out[3]) { position_in_launch(linear, out); }

void position_in_launch(uint32_t linear, uint32_t out[3]) {
  const mkls_launch& launch = last_launch;
  const unsigned* size = launch.group_size;
  uint32_t per_group = size[0] * size[1] * size[2], group = linear / per_group, within = linear % per_group;
  uint32_t place[3] = {within % size[0], within / size[0] % size[1], within / size[0] / size[1]};
  for (int axis = 0; axis < 3; axis++) {
    out[axis] = group % launch.groups[axis] * size[axis] + place[axis];
    group /= launch.groups[axis];
  }
}

Report* report(Worker* worker, Kind kind, int slot, int64_t offset, uint32_t size, const void* pc, void** frame,
               const void* other_pc) {
  for (int i = 0; i < report_count; i++) {
    Report& known = reports[i];
    if (known.kind == kind && known.slot == slot && known.frames[0] == pc && known.other_pc == other_pc) {
      known.count++;
      return &known;
    }
  }
  if (report_count == kMaxReports) return &lost;
  Report& made = reports[report_count++];
  made = Report{};
  made.kind = kind;
  made.slot = slot;
  made.offset = offset;
  made.size = size;
  made.count = 1;
  made.other_pc = other_pc;
  made.lane = worker->cursor.thread % MKLS_SIMD_WIDTH;
  position_of(worker, running_thread(worker), made.thread);
  for (int axis = 0; axis < 3; axis++) made.threadgroup[axis] = worker->group.position[axis];
  made.frame_count = walk(worker->fiber, pc, frame, made.frames);
  return &made;
}

void forget_reports() { report_count = 0; }

}  // namespace mkls

extern "C" {
int mkls_report_count(void) { return mkls::report_count; }
const mkls::Report* mkls_report_at(int index) { return &mkls::reports[index]; }
}
