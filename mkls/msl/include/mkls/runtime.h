// The binary interface between a compiled kernel and the emulator's runtime.
// Included by the shim (freestanding) and by mkls/emulator/runtime/*.cc: plain C++17, no other header.
#pragma once
#pragma clang system_header

// A position that must be reached by every lane once: the optimiser may neither copy the call, nor
// merge two, nor make it depend on more conditions, so that a barrier stays one barrier.
#define MKLS_CONVERGENT __attribute__((convergent, noduplicate, nomerge))
// For library functions that lead there: calls of them must not be merged before they are inlined.
#define MKLS_WAITING inline __attribute__((always_inline, nodebug, convergent, nomerge))
#undef MKLS_INLINE
#define MKLS_INLINE inline __attribute__((always_inline, nodebug))

extern "C" {

enum { MKLS_BUFFERS = 32, MKLS_SIMD_WIDTH = 32, MKLS_SLOT_BYTES = 64, MKLS_MAX_THREADS = 1024 };

// What all threadgroups of one launch share.
struct mkls_launch {
  void* buffers[MKLS_BUFFERS];   // [[buffer(n)]]
  unsigned grid[3];              // threads
  unsigned group_size[3];        // threads of a full threadgroup
  unsigned groups[3];            // threadgroups
};

// The threadgroup that a worker runs at the moment.
struct mkls_group {
  const mkls_launch* launch;
  void* threadgroup_buffers[MKLS_BUFFERS];  // [[threadgroup(n)]]
  unsigned position[3];
  unsigned size[3];              // threads; smaller than group_size at the edge of the grid
  unsigned threads;              // size[0] * size[1] * size[2]
};

// The threads that nobody has started yet; `thread` is the one that runs now.
struct mkls_cursor {
  unsigned next, end, thread;
};

typedef void (*mkls_entry)(const mkls_group*, mkls_cursor*);

// Turns the values that the active lanes brought into the values that they take away.
// Lane i has slots[i * size of a value]; only lanes of `active` hold one.
typedef void (*mkls_combine)(char* slots, unsigned active);

// How a kernel runs in phases: mkls/emulator/phases writes these tables.
// Runs one phase of the threads `begin` to `end`, which all wait for it. If the table says that what
// follows varies, `states[thread]` becomes the number of the phase for which the thread waits then,
// MKLS_ENDED when it has ended.
enum { MKLS_ENDED = 0xffff, MKLS_VARIES = 0xfffe };
typedef void (*mkls_phase)(const mkls_group*, char* kept, char* private_memory, char* exchange,
                           unsigned short* states, unsigned phase, unsigned begin, unsigned end, unsigned active);
struct mkls_wait {
  unsigned long outgoing, incoming;  // in `exchange`: of what thread 0 takes, and of what it brings
  mkls_combine combine;
  unsigned size;                 // bytes of a value
  unsigned short meets, next;    // whether it is for the simdgroup alone; what follows this phase
};
struct mkls_plan {
  mkls_phase run;
  unsigned long kept_bytes, private_bytes, exchange_bytes;
  unsigned waits, meets;         // whether any wait is for the simdgroup alone
  mkls_wait wait[1];
};

// One `threadgroup` variable of the source; constant initialised, filled in by the runtime.
struct mkls_threadgroup_variable {
  unsigned long size;
  unsigned alignment, line, item;  // `item`: bytes of an element, for an array
  const char* name;
  unsigned long place;           // generation << 32 | offset
};

MKLS_CONVERGENT void mkls_threadgroup_barrier(unsigned flags);
MKLS_CONVERGENT void mkls_simdgroup_barrier(unsigned flags);
MKLS_CONVERGENT void mkls_lockstep(void);  // lanes meet, and no memory is ordered
// Returns all lanes' values, which stay until this lane's next exchange.
MKLS_CONVERGENT const char* mkls_simd_exchange(const void* value, unsigned size, mkls_combine combine);
unsigned mkls_active_lanes(void);  // those that took part in the exchange just before
unsigned mkls_lane(void);          // thread_index_in_simdgroup of the running thread
// The same for all threads that a call of an entry runs: may be called once for all of them.
__attribute__((const)) void* mkls_threadgroup_memory(mkls_threadgroup_variable*);

#if defined(MKLS_CHECKED)
// Library functions and vector operators divide an integer by zero: a finding, and the result is 0.
void mkls_division_by_zero(void);
#define MKLS_DIV_ZERO() mkls_division_by_zero()
// A component of a vector or an element of an array that does not exist: a finding.
void mkls_wrong_index(long index);
#define MKLS_INDEX(index, count) \
  ((unsigned long)(index) < (unsigned long)(count) ? (void)0 : mkls_wrong_index(long(index)))
#else
#define MKLS_INDEX(index, count) ((void)0)
#endif

}  // extern "C"
