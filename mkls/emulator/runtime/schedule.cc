// Who runs next. A simdgroup runs until all its lanes wait at a barrier or have ended, then the next
// one does; when every simdgroup has stopped, the barrier opens. No clock, no chance: the order of
// a threadgroup's threads is a function of the kernel and its data.
#include "reports.h"
#include "run.h"
#include "value_shadow.h"
#include "worker.h"

namespace mkls {

namespace {

constexpr int kMaxSiteFrames = 12;
constexpr int kSwitchFrame = 128;  // about what a parked thread has on its stack below the frame

// Two lanes stand at the same place when their whole call chains agree.
uint64_t site_of(const Fiber* fiber, void** frame) {
  uint64_t hash = 1469598103934665603ull;
  for (int depth = 0; depth < kMaxSiteFrames; depth++) {
    hash = (hash ^ reinterpret_cast<uint64_t>(frame[1])) * 1099511628211ull;
    void** outer = static_cast<void**>(frame[0]);
    if (outer <= frame || reinterpret_cast<char*>(outer) >= fiber->top) break;
    frame = outer;
  }
  return hash;
}

unsigned lane_of(unsigned thread) { return thread % MKLS_SIMD_WIDTH; }

void open_simdgroup(Worker* worker, unsigned index) {
  Simdgroup& group = worker->simdgroups[index];
  worker->simdgroup = index;
  if (group.opened) return;
  group.opened = true;
  if (worker->run->request->seed) {
    unsigned left = worker->group.threads - index * MKLS_SIMD_WIDTH;
    group.unstarted = left < MKLS_SIMD_WIDTH ? (1u << left) - 1 : ~0u;
    return;
  }
  unsigned first = index * MKLS_SIMD_WIDTH, last = first + MKLS_SIMD_WIDTH;
  worker->cursor.next = first;
  worker->cursor.end = last < worker->group.threads ? last : worker->group.threads;
}

// A seed turns the order of simdgroups and of lanes around, or begins it in the middle.
unsigned simdgroup_at(const Worker* worker, unsigned turn) {
  unsigned seed = worker->run->request->seed, count = worker->simdgroup_count;
  if (seed % 2) turn = count - 1 - turn;
  return (turn + seed / 2) % count;
}

void enter_simdgroup(Worker* worker, unsigned turn) {
  worker->turn = turn;
  open_simdgroup(worker, simdgroup_at(worker, turn));
}

unsigned next_lane(const Worker* worker, unsigned lanes) {
  unsigned seed = worker->run->request->seed;
  if (seed % 2) return 31 - __builtin_clz(lanes);
  unsigned later = lanes & (~0u << (seed / 2 * 5 % 32));
  return __builtin_ctz(later ? later : lanes);
}

bool start_next_lane(Worker* worker, Simdgroup& group) {
  if (!group.unstarted) return false;
  unsigned lane = next_lane(worker, group.unstarted);
  group.unstarted &= ~(1u << lane);
  worker->cursor.next = worker->simdgroup * MKLS_SIMD_WIDTH + lane;
  worker->cursor.end = worker->cursor.next + 1;
  return true;
}

// Diverged lanes meet again when those that are behind go first: deepest call, then lowest address.
bool is_behind(const Fiber* a, const Fiber* b) {
  long depth_a = a->top - reinterpret_cast<char*>(a->frame);
  long depth_b = b->top - reinterpret_cast<char*>(b->frame);
  return depth_a != depth_b ? depth_a > depth_b : a->pc < b->pc;
}

unsigned lanes_to_resolve(const Simdgroup& group) {
  const Fiber* pick = nullptr;
  for (unsigned rest = group.exchanging; rest; rest &= rest - 1) {
    const Fiber* fiber = group.fibers[__builtin_ctz(rest)];
    if (!pick || (fiber->site != pick->site && is_behind(fiber, pick))) pick = fiber;
  }
  unsigned lanes = 0;
  for (unsigned rest = group.exchanging; rest; rest &= rest - 1) {
    unsigned lane = __builtin_ctz(rest);
    if (group.fibers[lane]->site == pick->site) lanes |= 1u << lane;
  }
  return lanes;
}

void copy_value(char* slot, const Fiber* fiber) {
  if (fiber->size == 4)
    __builtin_memcpy(slot, fiber->value, 4);
  else
    __builtin_memcpy(slot, fiber->value, fiber->size);
}

// Every thread of a simdgroup must reach a simdgroup barrier.
void check_meeting(Worker* worker, Simdgroup& group, unsigned lanes) {
  unsigned first = worker->simdgroup * MKLS_SIMD_WIDTH, left = worker->group.threads - first;
  unsigned all = left < MKLS_SIMD_WIDTH ? (1u << left) - 1 : ~0u;
  unsigned missing = __builtin_popcount(all & ~lanes & ~group.stopped);
  const Fiber* waiting = group.fibers[__builtin_ctz(lanes)];
  if (!missing || !waiting->barrier) return;
  Fiber* running = worker->fiber;
  unsigned thread = worker->cursor.thread;
  worker->fiber = const_cast<Fiber*>(waiting);
  worker->cursor.thread = waiting->thread;
  Report* made = report(worker, kBarrierDivergence, -1, 0, 0, waiting->pc, waiting->frame);
  if (made->count == 1) made->value = missing, made->size = MKLS_SIMD_WIDTH;
  worker->fiber = running;
  worker->cursor.thread = thread;
}

// What lanes add up must have been given a value.
void check_value(Worker* worker, const void* value, unsigned size, void** frame, const void* pc) {
  if (!on_stacks(worker, value)) return;
  Metadata shadow = stack_metadata(worker, value);
  for (unsigned i = 0; i < size; i++)
    if (static_cast<const char*>(shadow.shadow)[i]) return without_value(worker, -1, 0, shadow.origin[i / 4], pc, frame);
}

void resolve_exchange(Worker* worker, Simdgroup& group) {
  unsigned lanes = lanes_to_resolve(group);
  mkls_combine combine = nullptr;
  bool orders = true;
  for (unsigned rest = lanes; rest; rest &= rest - 1) {
    unsigned lane = __builtin_ctz(rest);
    Fiber* fiber = group.fibers[lane];
    if (fiber->size) copy_value(worker->slots + lane * fiber->size, fiber);
    if (worker->run->request->checked) exchange_shadow(worker, lane, fiber->value, fiber->size, !fiber->combine);
    fiber->active = lanes;
    combine = fiber->combine;
    orders = fiber->orders;
  }
  if (combine) combine(worker->slots, lanes);
  if (worker->run->request->checked) check_meeting(worker, group, lanes);
  if (orders) group.clock = ++worker->clock;
  group.exchanging &= ~lanes;
  group.runnable |= lanes;
}

// Every thread of a threadgroup must reach a barrier, and all the same one.
void check_barrier(Worker* worker) {
  unsigned waiting = 0;
  const Fiber *first = nullptr, *odd = nullptr;
  for (unsigned i = 0; i < worker->simdgroup_count; i++) {
    const Simdgroup& group = worker->simdgroups[i];
    for (unsigned rest = group.at_barrier; rest; rest &= rest - 1, waiting++) {
      const Fiber* fiber = group.fibers[__builtin_ctz(rest)];
      if (!first) first = fiber;
      else if (!odd && fiber->site != first->site) odd = fiber;
    }
  }
  unsigned missing = worker->group.threads - waiting - worker->ended_early;
  if (!first || (!missing && !odd)) return;
  Fiber* running = worker->fiber;
  unsigned thread = worker->cursor.thread;
  worker->fiber = const_cast<Fiber*>(first);
  worker->cursor.thread = first->thread;
  Report* made = report(worker, kBarrierDivergence, -1, 0, 0, first->pc, first->frame, odd ? odd->pc : nullptr);
  if (made->count == 1) {
    made->value = missing;
    if (odd) position_of(worker, worker->first_thread + odd->thread, made->other_thread);
  }
  worker->fiber = running;
  worker->cursor.thread = thread;
}

// `mem_flags` of MSL; which memory the barrier that all wait at orders.
constexpr unsigned kDeviceMemory = 1, kThreadgroupMemory = 2;
unsigned flags_of_barrier(const Worker* worker) {
  for (unsigned i = 0; i < worker->simdgroup_count; i++)
    if (unsigned waiting = worker->simdgroups[i].at_barrier) return worker->simdgroups[i].fibers[__builtin_ctz(waiting)]->flags;
  return kDeviceMemory | kThreadgroupMemory;
}

bool open_barrier(Worker* worker) {
  bool opened = false;
  if (worker->run->request->checked) check_barrier(worker);
  unsigned flags = flags_of_barrier(worker);
  worker->clock++;
  if (flags & kThreadgroupMemory) worker->barrier_clock = worker->clock;
  if (flags & kDeviceMemory) worker->device_clock = worker->clock;
  for (unsigned i = 0; i < worker->simdgroup_count; i++) {
    Simdgroup& group = worker->simdgroups[i];
    opened |= group.at_barrier != 0;
    group.runnable |= group.at_barrier;
    group.at_barrier = 0;
  }
  worker->turn = 0;
  worker->simdgroup = simdgroup_at(worker, 0);
  return opened;
}

// What is known of a thread that stops here. `with_site`: whom it stops with depends on where it is.
inline __attribute__((always_inline)) Simdgroup& park(Worker* worker, void** frame, const void* pc, bool with_site) {
  Fiber* self = worker->fiber;
  self->thread = worker->cursor.thread;
  if (with_site) {
    self->frame = frame;
    self->pc = pc;
    self->site = site_of(self, frame);
  }
  Simdgroup& group = worker->simdgroups[worker->simdgroup];
  unsigned lane = lane_of(self->thread);
  group.fibers[lane] = self;
  group.stack_pointers[lane] = static_cast<char*>(__builtin_frame_address(0)) - kSwitchFrame;
  return group;
}

inline __attribute__((always_inline)) void let_others_run(Worker* worker) {
  Fiber* self = worker->fiber;
  Fiber* next = pick_fiber(worker);
  if (!next) next = take_fiber(worker);
  enter_fiber(worker, next);
  worker->cursor.thread = self->thread;
}

inline __attribute__((always_inline)) void meet(Worker* worker, Simdgroup& group, bool orders) {
  Fiber* self = worker->fiber;
  self->size = 0;
  self->combine = nullptr;
  self->orders = self->barrier = orders;
  group.exchanging |= 1u << lane_of(worker->cursor.thread);
  let_others_run(worker);
}

// The lane after the next one will be wanted soon: by then its stack should be in the cache.
inline void fetch_ahead(const Simdgroup& group, unsigned runnable) {
  if (!runnable) return;
  const char* stack = static_cast<const char*>(group.stack_pointers[__builtin_ctz(runnable)]);
  __builtin_prefetch(group.fibers[__builtin_ctz(runnable)]);
  for (int line = 0; line < 4; line++) __builtin_prefetch(stack + line * 64);
}

}  // namespace

// nullptr: a fiber without a thread should start those that `cursor` names.
Fiber* pick_fiber(Worker* worker) {
  for (;;) {
    Simdgroup& group = worker->simdgroups[worker->simdgroup];
    if (group.runnable) {
      unsigned lane = worker->run->request->seed ? next_lane(worker, group.runnable) : __builtin_ctz(group.runnable);
      group.runnable &= ~(1u << lane);
      fetch_ahead(group, group.runnable & (group.runnable - 1));
      return group.fibers[lane];
    }
    if (worker->cursor.next < worker->cursor.end || start_next_lane(worker, group)) return nullptr;
    if (group.exchanging) {
      resolve_exchange(worker, group);
    } else if (worker->turn + 1 < worker->simdgroup_count) {
      enter_simdgroup(worker, worker->turn + 1);
    } else if (!open_barrier(worker)) {
      if (!begin_next_group(worker)) return &worker->native;
    }
  }
}

void reset_group(Worker* worker) {
  worker->simdgroup_count = (worker->group.threads + MKLS_SIMD_WIDTH - 1) / MKLS_SIMD_WIDTH;
  for (unsigned i = 0; i < worker->simdgroup_count; i++) {
    Simdgroup& group = worker->simdgroups[i];
    group.clock = 0;
    group.runnable = group.exchanging = group.at_barrier = group.unstarted = group.stopped = 0;
    group.opened = false;
  }
  worker->barrier_clock = worker->device_clock = ++worker->clock;
  enter_simdgroup(worker, 0);
}

}  // namespace mkls

using namespace mkls;

extern "C" {

#define MKLS_HERE static_cast<void**>(__builtin_frame_address(0)), __builtin_return_address(0)

__attribute__((noinline)) void mkls_threadgroup_barrier(unsigned flags) {
  Worker* worker = current_worker;
  Simdgroup& group = park(worker, MKLS_HERE, worker->run->request->checked);
  worker->fiber->flags = flags;
  group.at_barrier |= 1u << lane_of(worker->cursor.thread);
  let_others_run(worker);
}

__attribute__((noinline)) const char* mkls_simd_exchange(const void* value, unsigned size, mkls_combine combine) {
  Worker* worker = current_worker;
  Fiber* self = worker->fiber;
  Simdgroup& group = park(worker, MKLS_HERE, true);
  if (combine && worker->run->request->checked) check_value(worker, value, size, MKLS_HERE);
  self->value = value;
  self->size = size;
  self->combine = combine;
  self->orders = true;
  self->barrier = false;
  group.exchanging |= 1u << lane_of(worker->cursor.thread);
  let_others_run(worker);
  return worker->slots;
}

unsigned mkls_active_lanes(void) { return current_worker->fiber->active; }

__attribute__((noinline)) void mkls_simdgroup_barrier(unsigned) {
  Worker* worker = current_worker;
  meet(worker, park(worker, MKLS_HERE, true), true);
}

__attribute__((noinline)) void mkls_lockstep(void) {
  Worker* worker = current_worker;
  meet(worker, park(worker, MKLS_HERE, true), false);
}

unsigned mkls_lane(void) { return lane_of(current_worker->cursor.thread); }

}  // extern "C"
