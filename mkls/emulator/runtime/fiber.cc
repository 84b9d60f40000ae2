// Stacks for threads that wait. They are made when first needed and kept for the worker's life.
#include <sys/mman.h>

#include "switch_stack.h"
#include "worker.h"

namespace mkls {

// Leaves the running fiber; returns when somebody enters it again.
inline __attribute__((always_inline)) void enter_fiber(Worker* worker, Fiber* next) {
  Fiber* self = worker->fiber;
  if (next == self) return;
  worker->fiber = next;
  switch_stack(&self->stack_pointer, next->stack_pointer);
}

namespace {

// Stack tops at equal distance would share a cache set; this spreads them over 64 KiB.
size_t colour(size_t index) { return ((index & 15) << 12) + ((index * 320) & 4095); }

void run_threads() {
  Worker* worker = current_worker;
  for (;;) {
    run_entry(worker);
    Fiber* self = worker->fiber;
    Fiber* next = pick_fiber(worker);
    if (next == nullptr) continue;  // unstarted threads are left: this fiber starts them
    release_fiber(worker, self);
    enter_fiber(worker, next);
  }
}

void make_stack(Worker* worker, Fiber* fiber) {
  size_t index = fiber - worker->fibers;
  char* low = worker->stacks + index * kStackStride;
  mprotect(low, kPage, PROT_NONE);
  fiber->top = low + kStackStride - colour(index) - 64;
  fiber->fresh = true;
}

}  // namespace

void reset_fibers(Worker* worker) {
  worker->free_count = 0;
  for (int i = kMaxFibers - 1; i >= 0; i--) {
    worker->fibers[i].fresh = true;
    worker->free[worker->free_count++] = &worker->fibers[i];
  }
}

Fiber* take_fiber(Worker* worker) {
  Fiber* fiber = worker->free[--worker->free_count];
  if (!fiber->top) make_stack(worker, fiber);
  if (fiber->fresh) {
    fiber->stack_pointer = first_frame(fiber->top, run_threads);
    fiber->fresh = false;
  }
  return fiber;
}

void release_fiber(Worker* worker, Fiber* fiber) { worker->free[worker->free_count++] = fiber; }

void end_thread(Worker* worker) {
  Fiber* self = worker->fiber;
  self->fresh = true;
  worker->ended_early++;
  worker->simdgroups[worker->simdgroup].stopped |= 1u << worker->cursor.thread % MKLS_SIMD_WIDTH;
  Fiber* next = pick_fiber(worker);
  if (!next) next = take_fiber(worker);
  release_fiber(worker, self);
  enter_fiber(worker, next);
  __builtin_unreachable();
}

}  // namespace mkls
