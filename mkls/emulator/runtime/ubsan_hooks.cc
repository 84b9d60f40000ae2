// What a few checks of `-fsanitize=undefined` make a checked kernel call.
#include <string.h>

#include "reports.h"
#include "run.h"

namespace mkls {

namespace {

struct Location {
  const char* file;
  uint32_t line, column;
};
struct Type {
  uint16_t kind, info;
  char name[1];
};
struct OutOfBounds {
  Location location;
  const Type *array, *index;
};
struct Mismatch {
  Location location;
  const Type* type;
  unsigned char log_alignment, check_kind;
};

Worker* checked_worker() {
  Worker* worker = current_worker;
  return worker && worker->run->request->checked ? worker : nullptr;
}

int64_t signed_value(const Type* type, uintptr_t raw) {
  unsigned bits = 1u << (type->info >> 1);
  if (bits >= 64 || !(type->info & 1)) return int64_t(raw);
  return int64_t(raw << (64 - bits)) >> (64 - bits);
}

void note(Kind kind, int64_t value, const void* pc, void** frame) {
  if (Worker* worker = checked_worker()) {
    Report* made = report(worker, kind, -1, 0, 0, pc, frame);
    if (made->count == 1) made->value = value;
  }
}

}  // namespace

}  // namespace mkls

using namespace mkls;

extern "C" {

// An index of a threadgroup variable is judged where the memory is accessed, with its slot.
void __ubsan_handle_out_of_bounds(OutOfBounds* data, uintptr_t index) {
  if (strstr(data->array->name, "mkls_type_")) return;
  note(kArrayIndex, signed_value(data->index, index), MKLS_PC);
  if (Worker* worker = checked_worker()) end_thread(worker);
}
void __ubsan_handle_divrem_overflow(void*, uintptr_t, uintptr_t divisor) {
  if (divisor == 0) note(kDivisionByZero, 0, MKLS_PC);
}
void __ubsan_handle_shift_out_of_bounds(void*, uintptr_t, uintptr_t amount) { note(kShiftOutOfRange, int64_t(amount), MKLS_PC); }
void __ubsan_handle_type_mismatch_v1(Mismatch* data, uintptr_t address) {
  uint32_t alignment = 1u << data->log_alignment;
  if (address % alignment) check_alignment(reinterpret_cast<void*>(address), alignment, MKLS_PC);
}
void __ubsan_handle_alignment_assumption(void*, uintptr_t, uintptr_t, uintptr_t) {}

void mkls_absent_lane(unsigned lane) { note(kAbsentLane, lane, MKLS_PC); }
void mkls_division_by_zero(void) { note(kDivisionByZero, 0, MKLS_PC); }

}  // extern "C"
