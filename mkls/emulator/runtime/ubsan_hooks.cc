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
struct Overflow {
  Location location;
  const Type* type;
};
struct Conversion {
  Location location;
  const Type *from, *to;
  unsigned char kind;
};

// The worker whose reports are wanted; a screening run ends here and is done again with care.
Worker* reporting_worker() {
  Worker* worker = current_worker;
  if (!worker || !worker->run->request->checked) return nullptr;
  if (worker->run->request->checked == kScreening) suspect(worker);
  return worker;
}

unsigned bits_of(const Type* type) { return 1u << (type->info >> 1); }
bool is_signed(const Type* type) { return type->info & 1; }

int64_t signed_value(const Type* type, uintptr_t raw) {
  unsigned bits = bits_of(type);
  if (bits >= 64 || !is_signed(type)) return int64_t(raw);
  return int64_t(raw << (64 - bits)) >> (64 - bits);
}

void note(Kind kind, int64_t value, const void* pc, void** frame) {
  if (Worker* worker = reporting_worker()) {
    Report* made = report(worker, kind, -1, 0, 0, pc, frame);
    if (made->count == 1) made->value = value;
  }
}

// A small negative number in unsigned arithmetic is no overflow: it comes back when it is added to.
bool is_small_negative(const Type* type, uintptr_t value) { return !is_signed(type) && uint32_t(value) > 0xffff0000u; }

void overflow(const Overflow* data, int64_t exact, uintptr_t a, uintptr_t b, const void* pc, void** frame) {
  const Type* type = data->type;
  if (type->kind != 0 || bits_of(type) != 32) return;
  if (is_small_negative(type, a) || is_small_negative(type, b)) return;
  note(kIntegerOverflow, exact, pc, frame);
}

}  // namespace

}  // namespace mkls

using namespace mkls;

extern "C" {

// An index of a threadgroup variable is judged where the memory is accessed, with its slot.
void __ubsan_handle_out_of_bounds(OutOfBounds* data, uintptr_t index) {
  if (strstr(data->array->name, "mkls_type_")) return;
  if (const char* name = strstr(data->array->name, "mkls_row_")) {  // within the variable, perhaps
    if (Worker* worker = reporting_worker()) worker->wrong_index_of = name + strlen("mkls_row_");
    return;
  }
  note(kArrayIndex, signed_value(data->index, index), MKLS_PC);
  if (Worker* worker = reporting_worker()) end_thread(worker);
}
void __ubsan_handle_divrem_overflow(void*, uintptr_t, uintptr_t divisor) {
  if (divisor == 0) note(kDivisionByZero, 0, MKLS_PC);
}
void __ubsan_handle_shift_out_of_bounds(void*, uintptr_t, uintptr_t amount) { note(kShiftOutOfRange, int64_t(amount), MKLS_PC); }
void __ubsan_handle_type_mismatch_v1(Mismatch* data, uintptr_t address) {
  uint32_t alignment = 1u << data->log_alignment;
  if (!(address % alignment)) return;
  if (Worker* worker = reporting_worker()) {
    (void)worker;
    check_alignment(reinterpret_cast<void*>(address), alignment, MKLS_PC);
  }
}
void __ubsan_handle_alignment_assumption(void*, uintptr_t, uintptr_t, uintptr_t) {}

#define MKLS_OVERFLOW(name, op)                                                                     \
  void __ubsan_handle_##name##_overflow(Overflow* data, uintptr_t a, uintptr_t b) {                 \
    overflow(data, signed_value(data->type, a) op signed_value(data->type, b), a, b, MKLS_PC);      \
  }
MKLS_OVERFLOW(add, +)
MKLS_OVERFLOW(mul, *)
void __ubsan_handle_sub_overflow(Overflow* data, uintptr_t a, uintptr_t b) {
  if (is_signed(data->type)) overflow(data, signed_value(data->type, a) - signed_value(data->type, b), a, b, MKLS_PC);
}
void __ubsan_handle_negate_overflow(Overflow*, uintptr_t) {}

// A 64-bit number that loses its upper half on the way to an address.
void __ubsan_handle_implicit_conversion(Conversion* data, uintptr_t from, uintptr_t) {
  if (bits_of(data->from) == 64 && bits_of(data->to) == 32 && int64_t(from) != int32_t(from) && (from >> 32))
    note(kIntegerOverflow, int64_t(from), MKLS_PC);
}

void mkls_wrong_index(long index) {
  note(kArrayIndex, index, MKLS_PC);
  if (Worker* worker = reporting_worker()) end_thread(worker);
}
void mkls_absent_lane(unsigned lane) { note(kAbsentLane, lane, MKLS_PC); }
void mkls_division_by_zero(void) { note(kDivisionByZero, 0, MKLS_PC); }

}  // extern "C"
