// A worker takes threadgroups from the run and executes them one after the other.
#include "worker.h"

#include <signal.h>
#include <stdlib.h>
#include <sys/mman.h>

#include "arena.h"
#include "run.h"
#include "value_shadow.h"

namespace mkls {

MKLS_THREAD_LOCAL_DEFINITION Worker* current_worker;

namespace {

char* reserve(size_t bytes) {
  void* memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  return memory == MAP_FAILED ? nullptr : static_cast<char*>(memory);
}

void place_group(Worker* worker, unsigned long index) {
  mkls_group& group = worker->group;
  const mkls_launch& launch = *group.launch;
  unsigned long rest = index;
  group.threads = 1;
  for (int axis = 0; axis < 3; axis++) {
    group.position[axis] = unsigned(rest % launch.groups[axis]);
    rest /= launch.groups[axis];
    unsigned left = launch.grid[axis] - group.position[axis] * launch.group_size[axis];
    group.size[axis] = left < launch.group_size[axis] ? left : launch.group_size[axis];
    group.threads *= group.size[axis];
  }
  worker->group_serial++;
  worker->group_threads = launch.group_size[0] * launch.group_size[1] * launch.group_size[2];
  worker->first_thread = unsigned(index) * worker->group_threads;
  worker->ended_early = 0;
}

// The order of threadgroups is a choice of the run; a checked one may take some of them only.
unsigned long group_at(const Run* run, unsigned long turn) {
  const mkls_request* request = run->request;
  if (request->stride > 1) return turn + 1 == run->group_count ? run->all_groups - 1 : turn * request->stride;
  if (!request->seed) return turn;
  if (request->seed % 2) turn = run->group_count - 1 - turn;
  return (turn + request->seed / 2 * 7) % run->group_count;
}

bool take_groups(Worker* worker) {
  Run* run = worker->run;
  if (run->stopped.load(std::memory_order_relaxed)) return false;
  unsigned long first = run->next_group.fetch_add(run->chunk, std::memory_order_relaxed);
  if (first >= run->group_count) return false;
  unsigned long last = first + run->chunk;
  worker->next_group = first;
  worker->last_group = last < run->group_count ? last : run->group_count;
  return true;
}

void place_threadgroup_buffers(Worker* worker) {
  size_t offset = kThreadgroupBytes / 2;  // declared variables live in the lower half
  for (int i = 0; i < MKLS_BUFFERS; i++) {
    size_t size = worker->run->request->threadgroup_bytes[i];
    if (size && worker->run->request->checked) {
      worker->group.threadgroup_buffers[i] = checked_threadgroup_buffer(i, size);
      continue;
    }
    worker->group.threadgroup_buffers[i] = size ? worker->threadgroup_memory + offset : nullptr;
    offset += (size + 255) & ~size_t(255);
  }
}

void run_on_fibers(Worker* worker) {
  worker->fiber = &worker->native;
  enter_fiber(worker, take_fiber(worker));
}

void run_in_place(Worker* worker) {
  mkls_entry entry = worker->run->request->entry;
  worker->fiber = &worker->native;
  do {
    worker->cursor.next = 0;
    worker->cursor.end = worker->group.threads;
    entry(&worker->group, &worker->cursor);
  } while (begin_next_group(worker));
}

}  // namespace

void run_entry(Worker* worker) {
  bool detailed = worker->run->request->checked == kDetailed;
  if (detailed) __builtin_memset(value_context(worker), 0, kParameterShadow);  // arguments have values
  worker->run->request->entry(&worker->group, &worker->cursor);
  if (detailed) settle_stored(nullptr);
}

Worker* make_worker() {
  Worker* worker = static_cast<Worker*>(aligned_alloc(64, sizeof(Worker)));
  if (!worker) return nullptr;
  __builtin_memset(static_cast<void*>(worker), 0, sizeof(Worker));
  worker->stacks = reserve(kStackStride * kMaxFibers);
  worker->threadgroup_memory = reserve(kThreadgroupBytes);
  worker->signal_stack = reserve(64 << 10);
  worker->phase_memory = reserve(kPhaseBytes);
  if (!worker->phase_memory || !worker->stacks || !worker->threadgroup_memory || !worker->signal_stack) return nullptr;
#if defined(MADV_NOHUGEPAGE)
  madvise(worker->stacks, kStackStride * kMaxFibers, MADV_NOHUGEPAGE);
#endif
  reset_fibers(worker);
  return worker;
}

bool begin_next_group(Worker* worker) {
  if (worker->next_group >= worker->last_group && !take_groups(worker)) return false;
  place_group(worker, group_at(worker->run, worker->next_group++));
  if (worker->run->request->cooperative) reset_group(worker);
  return true;
}

void run_worker(Worker* worker) {
  stack_t signal_stack{}, old_stack{};
  signal_stack.ss_sp = worker->signal_stack;
  signal_stack.ss_size = 64 << 10;
  sigaltstack(&signal_stack, &old_stack);
  worker->group.launch = &worker->run->request->launch;
  worker->next_group = worker->last_group = 0;
  place_threadgroup_buffers(worker);
  current_worker = worker;
  if (!sigsetjmp(worker->escape, 1)) {
    if (begin_next_group(worker)) {
      if (worker->run->request->plan)
        run_in_phases(worker);
      else if (worker->run->request->cooperative)
        run_on_fibers(worker);
      else
        run_in_place(worker);
    }
  } else {
    reset_fibers(worker);
  }
  current_worker = nullptr;
  sigaltstack(&old_stack, nullptr);
}

}  // namespace mkls
