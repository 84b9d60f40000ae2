// One launch: what to run, how the threadgroups are shared out, and how it ended.
#pragma once
#include <atomic>

#include "mkls/runtime.h"

namespace mkls {

enum Checked : unsigned { kUnchecked, kDetailed, kScreening };
enum Status : int { kCompleted = 0, kCrashed = 1, kTimedOut = 2, kNoMemory = 3, kSuspicious = 4 };

// How a launch stopped early. Filled in once, by the first worker that stops.
struct Stop {
  int signal;
  const void* address;               // of the memory, for SIGSEGV
  const void* frames[8];             // innermost first
  int frame_count;
  unsigned thread[3], threadgroup[3];
  int stack_overflow;
};

}  // namespace mkls

extern "C" {

// The same structures exist in mkls/emulator/load.py.
struct mkls_request {
  mkls_entry entry;                  // nullptr: `plan` runs the kernel
  mkls_launch launch;
  unsigned long threadgroup_bytes[MKLS_BUFFERS];
  const mkls_plan* plan;             // how to run the kernel in phases, or nullptr
  unsigned cooperative;              // the kernel may wait: threads need stacks of their own
  unsigned cores;
  unsigned checked;                  // of enum Checked; implies one core
  unsigned stride;                   // run every stride-th threadgroup and the last one; 0, 1: all
  unsigned seed;                     // of the order in which threads run; 0: as they count
  double deadline_seconds;           // 0: none
};

struct mkls_outcome {
  int status;
  double seconds;
  mkls::Stop stop;
  unsigned saw_atomics;
};

}  // extern "C"

namespace mkls {

struct Run {
  const mkls_request* request;
  mkls_outcome* outcome;
  unsigned long group_count, chunk;  // threadgroups to run
  unsigned long all_groups;
  std::atomic<unsigned long> next_group;
  std::atomic<bool> stopped;
};

[[noreturn]] void suspect(struct Worker*);  // ends a screening run
void stop_run(Run*, Status, const Stop&);
void install_traps();
void remove_traps();
void stop_workers();                 // asks every running worker to stop where it is

}  // namespace mkls
