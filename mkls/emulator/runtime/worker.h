// The state of one worker thread: the threadgroup it runs, its fibers and what each lane waits for.
#pragma once
#include <setjmp.h>
#include <stddef.h>
#include <stdint.h>

#include "mkls/runtime.h"

namespace mkls {

constexpr size_t kPage = 16384;  // a multiple of the page size of every supported machine
constexpr size_t kStackStride = 256 << 10;
constexpr int kMaxFibers = MKLS_MAX_THREADS + 1;
constexpr int kMaxSimdgroups = MKLS_MAX_THREADS / MKLS_SIMD_WIDTH;
constexpr size_t kPhaseBytes = size_t(512) << 20;
constexpr size_t kThreadgroupBytes = size_t(64) << 20;

// A stack on which threads run back to back until one has to wait; from then on it is that thread's.
struct Fiber {
  void* stack_pointer;
  char* top;           // nullptr: the stack does not exist yet
  bool fresh;          // the next switch must start at the first frame
  unsigned thread;     // while the thread waits
  uint64_t site;       // identity of the place where it waits
  const void* pc;      // where it waits
  void** frame;
  const void* value;   // what a simdgroup function brought, on the fiber's own stack
  unsigned size;
  mkls_combine combine;
  unsigned active;     // lanes that took part
  bool orders;         // whether what it waits for orders memory
  bool barrier;        // whether that is a simdgroup barrier
  unsigned flags;      // of the threadgroup barrier: which memory it orders
};

struct Simdgroup {
  unsigned runnable, exchanging, at_barrier;  // masks of lanes
  unsigned clock;                             // of the last exchange
  bool opened;
  unsigned unstarted;                         // lanes, in a seeded run
  unsigned stopped;                           // lanes that a finding ended
  Fiber* fibers[MKLS_SIMD_WIDTH];
  void* stack_pointers[MKLS_SIMD_WIDTH];  // of those, close together: to fetch ahead
};

struct Run;

struct Worker {
  Run* run;
  mkls_group group;
  mkls_cursor cursor;
  Simdgroup simdgroups[kMaxSimdgroups];
  unsigned simdgroup_count, simdgroup;  // how many, and which one runs
  unsigned turn;                        // how many of them ran since the last barrier
  Fiber* fiber;                         // the one that runs
  Fiber* free[kMaxFibers];
  int free_count;
  Fiber native;                         // the thread's own stack
  Fiber fibers[kMaxFibers];
  char* stacks;
  char* threadgroup_memory;
  char* phase_memory;                   // what threads keep between phases
  char* signal_stack;
  alignas(64) char slots[MKLS_SIMD_WIDTH * MKLS_SLOT_BYTES];
  sigjmp_buf escape;
  unsigned long next_group, last_group; // the share taken from the run and not yet run
  // For checked launches: a clock that every synchronisation advances, and identities.
  unsigned clock, barrier_clock, device_clock;  // the last barrier for threadgroup and for device memory
  unsigned group_serial;                // counts threadgroups
  unsigned first_thread, group_threads; // linear index of the threadgroup's first thread; its full size
  const char* wrong_index_of;           // begins with a threadgroup variable's name: about to be accessed
  bool saw_atomics;                     // the order of threads may show
  unsigned ended_early;                 // threads stopped by a finding: a barrier must not wait for them
};

// The linear index over the whole grid of the thread that runs.
inline unsigned running_thread(const Worker* worker) { return worker->first_thread + worker->cursor.thread; }

#if defined(__APPLE__)
#define MKLS_THREAD_LOCAL extern thread_local
#define MKLS_THREAD_LOCAL_DEFINITION thread_local
#else
#define MKLS_THREAD_LOCAL extern thread_local __attribute__((tls_model("initial-exec")))
#define MKLS_THREAD_LOCAL_DEFINITION thread_local __attribute__((tls_model("initial-exec")))
#endif

// The worker of this thread while it runs kernel code, else nullptr.
MKLS_THREAD_LOCAL Worker* current_worker;

Worker* make_worker();
void run_entry(Worker*);             // runs the threads that `cursor` names
void run_worker(Worker*);            // returns when the run has no threadgroup left
bool begin_next_group(Worker*);      // false when there is none
void reset_group(Worker*);           // all lanes unstarted

void run_in_phases(Worker*);         // the threadgroups of a run, by its plan
void reset_fibers(Worker*);
Fiber* take_fiber(Worker*);
void release_fiber(Worker*, Fiber*);
Fiber* pick_fiber(Worker*);          // whoever can go on
[[noreturn]] void end_thread(Worker*);  // the running thread stops here; its stack is dropped

}  // namespace mkls
