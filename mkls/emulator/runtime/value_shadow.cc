#include "value_shadow.h"

#include <string.h>
#include <sys/mman.h>

namespace mkls {

namespace {

constexpr size_t kStackBytes = kStackStride * kMaxFibers, kContextBytes = 8192;
constexpr uint32_t kMaxOrigins = 1 << 14;  // a power of two
const Worker* owner;
char *shadows, *origins, *contexts;
Origin known[kMaxOrigins];
uint32_t numbers[kMaxOrigins];  // a hash table over `known`
uint32_t known_count;

char* reserve_shadow(size_t bytes) {
  void* memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  return memory == MAP_FAILED ? nullptr : static_cast<char*>(memory);
}

}  // namespace

bool reserve_value_shadow(const Worker* worker) {
  owner = worker;
  if (!shadows) shadows = reserve_shadow(kStackBytes);
  if (!origins) origins = reserve_shadow(kStackBytes);
  if (!contexts) contexts = reserve_shadow(kContextBytes * (kMaxFibers + 1));
  return shadows && origins && contexts;
}

void* value_context(const Worker* worker) {
  size_t index = worker->fiber == &worker->native ? kMaxFibers : size_t(worker->fiber - worker->fibers);
  return contexts + index * kContextBytes;
}

bool on_stacks(const Worker* worker, const void* address) {
  return worker == owner && size_t(static_cast<const char*>(address) - worker->stacks) < kStackBytes;
}

Metadata stack_metadata(const Worker* worker, const void* address) {
  size_t offset = static_cast<const char*>(address) - worker->stacks;
  return {shadows + offset, reinterpret_cast<uint32_t*>(origins + (offset & ~size_t(3)))};
}

namespace {
alignas(16) char exchanged_shadow[MKLS_SIMD_WIDTH * MKLS_SLOT_BYTES];
uint32_t exchanged_origins[sizeof exchanged_shadow / 4];
}  // namespace

namespace {
bool has_shadow(const Metadata& value, unsigned size) {
  for (unsigned i = 0; i < size; i++)
    if (static_cast<const char*>(value.shadow)[i]) return true;
  return false;
}
}  // namespace

bool is_exchanged(const Worker* worker, const void* address) {
  return size_t(static_cast<const char*>(address) - worker->slots) < sizeof worker->slots;
}

Metadata exchanged_metadata(const Worker* worker, const void* address) {
  size_t offset = static_cast<const char*>(address) - worker->slots;
  return {exchanged_shadow + offset, exchanged_origins + offset / 4};
}

void exchange_shadow(const Worker* worker, unsigned lane, const void* value, unsigned size, bool as_is) {
  Metadata target = exchanged_metadata(worker, worker->slots + lane * size);
  memset(target.shadow, 0, size);
  if (!as_is || !on_stacks(worker, value)) return;
  Metadata source = stack_metadata(worker, value);
  memcpy(target.shadow, source.shadow, size);
  // Lanes share a word of origins when their values are small: those with a value name none.
  if (has_shadow(source, size)) memcpy(target.origin, source.origin, (size + 3) & ~3u);
}

uint32_t origin_number(const char* name, const void* pc) {
  uint32_t at = uint32_t((uintptr_t(pc) * 0x9e3779b97f4a7c15ull) >> 50) % kMaxOrigins;
  for (; numbers[at]; at = (at + 1) % kMaxOrigins)
    if (known[numbers[at] - 1].pc == pc && known[numbers[at] - 1].name == name) return numbers[at];
  if (known_count == kMaxOrigins / 2) return 0;
  known[known_count++] = {name, pc};
  return numbers[at] = known_count;
}

const Origin* origin_of(uint32_t number) { return number && number <= known_count ? &known[number - 1] : nullptr; }

void forget_origins() {
  memset(numbers, 0, sizeof numbers);
  known_count = 0;
}

}  // namespace mkls
