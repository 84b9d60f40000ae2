// Which bytes of the threads' own memory hold a value. A byte of the stacks has a byte of shadow,
// not zero where nothing was stored yet, and each four bytes the number of the variable they are of.
#pragma once
#include <stdint.h>

#include "worker.h"

namespace mkls {

struct Metadata {
  void* shadow;
  uint32_t* origin;
};

// A variable that begins without a value: its name and where its life begins.
struct Origin {
  const char* name;
  const void* pc;
};

constexpr size_t kParameterShadow = 800;  // the first part of a context

bool reserve_value_shadow(const Worker*);
void* value_context(const Worker*);       // shadows of parameters and results, of the running fiber
bool on_stacks(const Worker*, const void* address);
Metadata stack_metadata(const Worker*, const void* address);
bool is_exchanged(const Worker*, const void* address);  // a value that another lane brought
Metadata exchanged_metadata(const Worker*, const void* address);
void exchange_shadow(const Worker*, unsigned lane, const void* value, unsigned size, bool as_is);
uint32_t origin_number(const char* name, const void* pc);
const Origin* origin_of(uint32_t number);
void forget_origins();
void without_value(Worker*, int slot, int64_t offset, uint32_t origin, const void* pc, void** frame);
void settle_stored(void** frame);         // judges the value of the last store into a buffer

}  // namespace mkls
