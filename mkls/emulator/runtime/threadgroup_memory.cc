// Where `threadgroup` variables live: each gets an offset into every worker's block when it is first
// used. When half of the block is given away, the next launch starts a new generation from zero.
#include <atomic>

#include "arena.h"
#include "run.h"
#include "worker.h"

namespace mkls {

namespace {
constexpr unsigned long kCapacity = kThreadgroupBytes / 2;
std::atomic_flag placing = ATOMIC_FLAG_INIT;
unsigned long used;
std::atomic<unsigned long> generation{1};
}  // namespace

void begin_threadgroup_memory() {
  if (used <= kCapacity / 2) return;
  used = 0;
  generation++;
}

unsigned long place_variable(mkls_threadgroup_variable* variable) {
  while (placing.test_and_set(std::memory_order_acquire)) {}
  unsigned long place = __atomic_load_n(&variable->place, __ATOMIC_RELAXED);
  if (place >> 32 != generation) {
    unsigned long alignment = variable->alignment < 16 ? 16 : variable->alignment;
    used = (used + alignment - 1) & ~(alignment - 1);
    place = generation << 32 | used;
    used += variable->size;
    if (used > kCapacity) place = generation << 32;  // more than 32 MiB: no GPU would run it either
    __atomic_store_n(&variable->place, place, __ATOMIC_RELEASE);
  }
  placing.clear(std::memory_order_release);
  return place;
}

}  // namespace mkls

extern "C" void* mkls_threadgroup_memory(mkls_threadgroup_variable* variable) {
  if (mkls::current_worker->run->request->checked)
    if (void* memory = mkls::checked_threadgroup_memory(variable)) return memory;
  unsigned long place = __atomic_load_n(&variable->place, __ATOMIC_ACQUIRE);
  if (place >> 32 != mkls::generation.load(std::memory_order_relaxed)) place = mkls::place_variable(variable);
  return mkls::current_worker->threadgroup_memory + (place & 0xffffffffu);
}
