// What a checked launch found. The same structure exists in mkls/emulator/raw_reports.py.
#pragma once
#include <stdint.h>

#include "run.h"
#include "worker.h"

namespace mkls {

enum Kind : int {
  kOutOfBoundsRead = 1,
  kOutOfBoundsWrite,
  kArrayIndex,
  kNilBuffer,
  kReadOnlyWrite,
  kMisaligned,
  kUninitialised,
  kDataRace,
  kSameValueRace,
  kBarrierDivergence,
  kAbsentLane,
  kDivisionByZero,
  kShiftOutOfRange,
  kNoValue,
  kIntegerOverflow,
  kMisalignedCopy,  // to be judged by the type's alignment
};

constexpr int kFrames = 12;

struct Report {
  int kind, slot;
  int64_t offset;                  // bytes from the first valid byte of the slot
  int64_t value;                   // an index, a lane, a count: depends on the kind
  uint32_t size, count;
  uint32_t thread[3], threadgroup[3], other_thread[3];
  uint32_t lane, is_write, other_is_write;
  const void* frames[kFrames];     // return addresses, innermost first
  int frame_count;
  const void* other_pc;
  const char* text;                // a name
};

Report* report(Worker*, Kind, int slot, int64_t offset, uint32_t size, const void* pc, void** frame,
               const void* other_pc = nullptr);
void remember_launch(const mkls_request*);
void forget_reports();
void position_of(const Worker*, uint32_t linear, uint32_t out[3]);  // of a thread of any threadgroup

}  // namespace mkls
