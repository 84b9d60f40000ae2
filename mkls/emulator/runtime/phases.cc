// Runs threadgroups whose kernel is cut into phases: no thread has a stack of its own, and the order
// in which threads run and meet is that of fibers (schedule.cc), threads with one state at a time.
#include "run.h"
#include "worker.h"

namespace mkls {

namespace {

constexpr unsigned kStates = MKLS_MAX_THREADS + 32;

// Each area starts at a place of its own in a page, so that equal offsets fall into different cache sets.
size_t behind(size_t bytes) { return ((bytes + 63) & ~size_t(63)) + 192; }

struct Phases {
  const mkls_plan& plan;
  const mkls_group& group;
  char *kept, *exchange, *private_memory;
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

  bool waits_for_simdgroup(unsigned state) const { return state != MKLS_ENDED && plan.wait[state].meets; }
  bool waits_for_threadgroup(unsigned state) const { return state != MKLS_ENDED && !plan.wait[state].meets; }

  // Whether threads first to last all wait for one phase, or have all ended.
  bool agree(unsigned first, unsigned last) const {
    unsigned short differences = 0, state = states[first];
    for (unsigned i = first; i < last; i++) differences |= states[i] ^ state;
    return !differences;
  }

  void combine(unsigned phase, unsigned first, unsigned lanes) {
    const mkls_wait& wait = plan.wait[phase];
    if (wait.combine) wait.combine(exchange + wait.offset + size_t(first) * wait.size, lanes);
  }

  // Runs those of the threads that wait for `phase`, each stretch of neighbours in one loop.
  void run_stretches(unsigned phase, unsigned first, unsigned last, unsigned active) {
    for (unsigned i = first; i < last;) {
      unsigned begin = i;
      while (i < last && states[i] == phase) i++;
      if (i > begin)
        run(phase, begin, i, active);
      else
        i++;
    }
  }

  // Lanes that are behind go first: those that wait for the earliest place.
  bool meet_some(unsigned first, unsigned last) {
    unsigned phase = MKLS_ENDED, lanes = 0;
    for (unsigned i = first; i < last; i++)
      if (states[i] < phase && waits_for_simdgroup(states[i])) phase = states[i];
    if (phase == MKLS_ENDED) return false;
    for (unsigned i = first; i < last; i++) lanes |= unsigned(states[i] == phase) << (i - first);
    combine(phase, first, lanes);
    run_stretches(phase, first, last, lanes);
    return true;
  }

  // Until every lane of a simdgroup waits at a barrier or has ended.
  void settle(unsigned first, unsigned last) {
    const unsigned all = ~0u >> (MKLS_SIMD_WIDTH - (last - first));
    for (;;) {
      unsigned state = states[first];
      if (agree(first, last)) {
        if (!waits_for_simdgroup(state)) return;
        combine(state, first, all);
        run(state, first, last, all);
      } else if (!meet_some(first, last)) {
        return;
      }
    }
  }

  // Lets go on who waits at a barrier, whichever it is; false when nobody does.
  bool pass_barrier(unsigned first, unsigned last) {
    if (agree(first, last)) {
      unsigned state = states[first];
      if (!waits_for_threadgroup(state)) return false;
      run(state, first, last, 0);
      return true;
    }
    bool passed = false;
    for (unsigned i = first; i < last;) {
      unsigned begin = i, state = states[i];
      while (i < last && states[i] == state) i++;
      if (!waits_for_threadgroup(state)) continue;
      run(state, begin, i, 0);
      passed = true;
    }
    return passed;
  }

  void run_group() {
    const unsigned threads = group.threads, unit = plan.meets ? unsigned(MKLS_SIMD_WIDTH) : threads;
    bool going = true;
    for (bool start = true; going; start = false) {
      going = start;
      for (unsigned first = 0; first < threads; first += unit) {
        unsigned last = first + unit < threads ? first + unit : threads;
        if (start)
          run(0, first, last, 0);
        else
          going |= pass_barrier(first, last);
        if (plan.meets) settle(first, last);
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
