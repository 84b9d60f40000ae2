// Runs threadgroups whose kernel is cut into phases: no thread has a stack of its own, and the order
// in which threads run and meet is that of fibers (schedule.cc), threads with one state at a time.
#include "run.h"
#include "worker.h"

namespace mkls {

namespace {

constexpr unsigned kStates = MKLS_MAX_THREADS + 32;

// Each area starts at a place of its own in a page, so that equal offsets fall into different cache sets.
size_t behind(size_t bytes) { return ((bytes + 63) & ~size_t(63)) + 192; }

// Threads that meet apart from the others of their threadgroup: a simdgroup, or the whole group when
// nothing makes simdgroups meet. `state` is that of all its threads, MKLS_VARIES when they differ:
// only then `states` holds what each waits for.
struct Unit {
  unsigned first, last;
  unsigned short state;
};

struct Phases {
  const mkls_plan& plan;
  const mkls_group& group;
  char *kept, *exchange, *private_memory;
  Unit units[kMaxSimdgroups];
  unsigned unit_count;
  alignas(64) unsigned short states[kStates];

  explicit Phases(Worker* worker)
      : plan(*worker->run->request->plan),
        group(worker->group),
        kept(worker->phase_memory),
        exchange(kept + behind(plan.kept_bytes)),
        private_memory(exchange + behind(plan.exchange_bytes)) {}

  bool fits() const { return behind(plan.kept_bytes) + behind(plan.exchange_bytes) + plan.private_bytes <= kPhaseBytes; }

  void run(unsigned phase, unsigned begin, unsigned end, unsigned active) {
    plan.run(&group, kept, private_memory, exchange, states, phase, begin, end, active);
  }

  bool waits_for_simdgroup(unsigned state) const { return state < MKLS_VARIES && plan.wait[state].meets; }
  bool waits_for_threadgroup(unsigned state) const { return state < MKLS_VARIES && !plan.wait[state].meets; }

  // Where the threads that have the same state as thread `first` end. Looks at 32 of them at a time.
  unsigned stretch_end(unsigned first, unsigned last) const {
    typedef unsigned short block __attribute__((ext_vector_type(32)));
    typedef bool mask __attribute__((ext_vector_type(32)));
    const block same = states[first];
    for (; first < last; first += 32) {
      block next;
      __builtin_memcpy(&next, states + first, sizeof next);
      unsigned others = __builtin_bit_cast(unsigned, __builtin_convertvector(next != same, mask));
      if (others) {
        first += __builtin_ctz(others);
        break;
      }
    }
    return first < last ? first : last;
  }

  void find_state(Unit& unit) { unit.state = stretch_end(unit.first, unit.last) == unit.last ? states[unit.first] : MKLS_VARIES; }

  void run_all(Unit& unit, unsigned phase, unsigned active) {
    run(phase, unit.first, unit.last, active);
    unit.state = plan.wait[phase].next;
    if (unit.state == MKLS_VARIES) find_state(unit);
  }

  void run_some(unsigned phase, unsigned begin, unsigned end, unsigned active) {
    run(phase, begin, end, active);
    const unsigned short next = plan.wait[phase].next;
    if (next != MKLS_VARIES)
      for (unsigned i = begin; i < end; i++) states[i] = next;
  }

  void combine(unsigned phase, unsigned first, unsigned lanes) {
    const mkls_wait& wait = plan.wait[phase];
    char* slots = exchange + wait.outgoing + size_t(first) * wait.size;
    if (wait.incoming != wait.outgoing)
      __builtin_memcpy(slots, exchange + wait.incoming + size_t(first) * wait.size, size_t(wait.size) * MKLS_SIMD_WIDTH);
    if (wait.combine) wait.combine(slots, lanes);
  }

  // Lanes that are behind go first: those that wait for the earliest place.
  bool meet_some(Unit& unit) {
    unsigned phase = MKLS_ENDED, lanes = 0;
    for (unsigned i = unit.first; i < unit.last; i++)
      if (states[i] < phase && waits_for_simdgroup(states[i])) phase = states[i];
    if (phase == MKLS_ENDED) return false;
    for (unsigned i = unit.first; i < unit.last; i++) lanes |= unsigned(states[i] == phase) << (i - unit.first);
    combine(phase, unit.first, lanes);
    for (unsigned rest = lanes; rest;) {
      unsigned begin = __builtin_ctz(rest), above = rest >> begin;
      unsigned count = ~above ? __builtin_ctz(~above) : MKLS_SIMD_WIDTH;
      run_some(phase, unit.first + begin, unit.first + begin + count, lanes);
      rest = begin + count < MKLS_SIMD_WIDTH ? rest >> (begin + count) << (begin + count) : 0;
    }
    find_state(unit);
    return true;
  }

  // Until every lane of a simdgroup waits at a barrier or has ended.
  void settle(Unit& unit) {
    const unsigned all = ~0u >> (MKLS_SIMD_WIDTH - (unit.last - unit.first));
    for (;;) {
      if (waits_for_simdgroup(unit.state)) {
        combine(unit.state, unit.first, all);
        run_all(unit, unit.state, all);
      } else if (unit.state != MKLS_VARIES || !meet_some(unit)) {
        return;
      }
    }
  }

  // Lets go on who waits at a barrier, whichever it is; false when nobody does.
  bool pass_barrier(Unit& unit) {
    if (unit.state != MKLS_VARIES) {
      if (!waits_for_threadgroup(unit.state)) return false;
      run_all(unit, unit.state, 0);
      return true;
    }
    bool passed = false;
    for (unsigned begin = unit.first, end; begin < unit.last; begin = end) {
      end = stretch_end(begin, unit.last);
      if (!waits_for_threadgroup(states[begin])) continue;
      run_some(states[begin], begin, end, 0);
      passed = true;
    }
    find_state(unit);
    return passed;
  }

  void divide() {
    const unsigned threads = group.threads, size = plan.meets ? unsigned(MKLS_SIMD_WIDTH) : threads;
    unit_count = 0;
    for (unsigned first = 0; first < threads; first += size)
      units[unit_count++] = {first, first + size < threads ? first + size : threads, 0};
  }

  void run_group() {
    divide();
    for (unsigned i = 0; i < unit_count; i++) {
      run_all(units[i], 0, 0);
      if (plan.meets) settle(units[i]);
    }
    for (bool going = true; going;) {
      going = false;
      for (unsigned i = 0; i < unit_count; i++) {
        going |= pass_barrier(units[i]);
        if (plan.meets) settle(units[i]);
      }
    }
  }
};

}  // namespace

void run_in_phases(Worker* worker) {
  worker->fiber = &worker->native;
  Phases phases(worker);
  if (!phases.fits()) {
    Stop stop{};
    stop.stack_overflow = 1;
    return stop_run(worker->run, kCrashed, stop);
  }
  do phases.run_group();
  while (begin_next_group(worker));
}

}  // namespace mkls
