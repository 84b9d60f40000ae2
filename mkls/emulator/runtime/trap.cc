// Signals that a kernel raises: they end the launch, never the process. A signal that no kernel
// raised goes to whoever handled it before.
#include <signal.h>
#if defined(__APPLE__)
#include <sys/ucontext.h>
#else
#include <ucontext.h>
#endif

#include "run.h"
#include "worker.h"

namespace mkls {

void signal_workers(int signal);
#if defined(__linux__) && defined(__x86_64__)
bool emulate_division(greg_t* registers);
#endif

namespace {

constexpr int kStopSignal = SIGURG;  // ignored by default, so a late one does no harm
constexpr int kSignals[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, kStopSignal};
constexpr int kSignalCount = sizeof kSignals / sizeof *kSignals;
struct sigaction previous[kSignalCount];

struct Registers {
  uintptr_t pc;
  void** frame;
};

Registers registers_of(void* context) {
  ucontext_t* machine = static_cast<ucontext_t*>(context);
#if defined(__linux__) && defined(__x86_64__)
  return {uintptr_t(machine->uc_mcontext.gregs[REG_RIP]), reinterpret_cast<void**>(machine->uc_mcontext.gregs[REG_RBP])};
#elif defined(__linux__) && defined(__aarch64__)
  return {uintptr_t(machine->uc_mcontext.pc), reinterpret_cast<void**>(machine->uc_mcontext.regs[29])};
#elif defined(__APPLE__) && defined(__aarch64__)
  return {uintptr_t(machine->uc_mcontext->__ss.__pc), reinterpret_cast<void**>(machine->uc_mcontext->__ss.__fp)};
#elif defined(__APPLE__)
  return {uintptr_t(machine->uc_mcontext->__ss.__rip), reinterpret_cast<void**>(machine->uc_mcontext->__ss.__rbp)};
#endif
}

bool on_stack(const Worker* worker, const void* address) {
  const char* at = static_cast<const char*>(address);
  if (worker->fiber == &worker->native) return true;
  return at >= worker->fiber->top - kStackStride && at < worker->fiber->top;
}

void walk(const Worker* worker, Registers registers, Stop* stop) {
  stop->frames[stop->frame_count++] = reinterpret_cast<void*>(registers.pc + 1);  // others are return addresses
  void** frame = registers.frame;
  while (stop->frame_count < 8 && frame && uintptr_t(frame) % 8 == 0 && on_stack(worker, frame)) {
    if (worker->fiber == &worker->native) break;  // no bounds known: do not follow
    stop->frames[stop->frame_count++] = frame[1];
    void** outer = static_cast<void**>(frame[0]);
    if (outer <= frame) break;
    frame = outer;
  }
}

bool in_guard_page(const Worker* worker, const void* address) {
  const char* at = static_cast<const char*>(address);
  if (at < worker->stacks || at >= worker->stacks + kStackStride * kMaxFibers) return false;
  return size_t(at - worker->stacks) % kStackStride < kPage;
}

void locate(const Worker* worker, Stop* stop) {
  const mkls_group& group = worker->group;
  unsigned index = worker->run->request->cooperative ? worker->cursor.thread : 0;
  unsigned within[3] = {index % group.size[0], index / group.size[0] % group.size[1],
                        index / (group.size[0] * group.size[1])};
  for (int axis = 0; axis < 3; axis++) {
    stop->threadgroup[axis] = group.position[axis];
    stop->thread[axis] = group.position[axis] * group.launch->group_size[axis] + within[axis];
  }
}

// An integer division by zero has a value on a GPU: as on arm64, quotient 0 and remainder unchanged.
bool skip_division(void* context) {
#if defined(__linux__) && defined(__x86_64__)
  return emulate_division(static_cast<ucontext_t*>(context)->uc_mcontext.gregs);
#else
  (void)context;
  return false;
#endif
}

void pass_on(int signal, siginfo_t* info, void* context) {
  for (int i = 0; i < kSignalCount; i++) {
    if (kSignals[i] != signal) continue;
    const struct sigaction& old = previous[i];
    if (old.sa_flags & SA_SIGINFO) return old.sa_sigaction(signal, info, context);
    if (old.sa_handler == SIG_IGN) return;
    if (old.sa_handler != SIG_DFL) return old.sa_handler(signal);
    if (signal == kStopSignal) return;
    ::signal(signal, SIG_DFL);  // returning repeats the fault, which now ends the process
  }
}

void on_signal(int signal, siginfo_t* info, void* context) {
  Worker* worker = current_worker;
  if (!worker) return pass_on(signal, info, context);
  if (signal == SIGFPE && skip_division(context)) return;
  Stop stop{};
  stop.signal = signal == kStopSignal ? 0 : signal;
  stop.address = info->si_addr;
#if defined(SI_KERNEL)
  if (info->si_code == SI_KERNEL) stop.address = reinterpret_cast<void*>(~uintptr_t(0));  // not told
#endif
  stop.stack_overflow = signal == SIGSEGV && in_guard_page(worker, info->si_addr);
  walk(worker, registers_of(context), &stop);
  locate(worker, &stop);
  stop_run(worker->run, signal == kStopSignal ? kTimedOut : kCrashed, stop);
  siglongjmp(worker->escape, 1);
}

}  // namespace

void stop_workers() { signal_workers(kStopSignal); }

void install_traps() {
  struct sigaction action{};
  action.sa_sigaction = on_signal;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER;
  for (int i = 0; i < kSignalCount; i++) sigaction(kSignals[i], &action, &previous[i]);
}

void remove_traps() {
  for (int i = 0; i < kSignalCount; i++) sigaction(kSignals[i], &previous[i], nullptr);
}

}  // namespace mkls
