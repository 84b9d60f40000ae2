// Signals that a kernel raises: they end the launch, never the process. A signal that no kernel
// raised goes to whoever handled it before.
#include <signal.h>
#if defined(__APPLE__)
#include <sys/ucontext.h>
#else
#include <ucontext.h>
#endif

#include "arena.h"
#include "reports.h"
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

// The thread that faulted goes on in `function`, which never returns.
void go_on_in(void* context, void (*function)()) {
  ucontext_t* machine = static_cast<ucontext_t*>(context);
#if defined(__linux__) && defined(__x86_64__)
  greg_t* registers = machine->uc_mcontext.gregs;
  registers[REG_RSP] = ((registers[REG_RSP] - 256) & ~greg_t(15)) - 8;
  registers[REG_RIP] = greg_t(function);
#elif defined(__linux__) && defined(__aarch64__)
  machine->uc_mcontext.sp &= ~15ull;
  machine->uc_mcontext.pc = uintptr_t(function);
#elif defined(__APPLE__) && defined(__aarch64__)
  machine->uc_mcontext->__ss.__sp &= ~15ull;
  machine->uc_mcontext->__ss.__pc = uintptr_t(function);
#elif defined(__APPLE__)
  machine->uc_mcontext->__ss.__rsp = ((machine->uc_mcontext->__ss.__rsp - 256) & ~15ull) - 8;
  machine->uc_mcontext->__ss.__rip = uintptr_t(function);
#endif
}

void end_running_thread() { end_thread(current_worker); }

bool is_write_fault(void* context) {
#if defined(__linux__) && defined(__x86_64__)
  return static_cast<ucontext_t*>(context)->uc_mcontext.gregs[REG_ERR] & 2;
#else
  (void)context;
  return false;
#endif
}

// A checked kernel is asked about a load after it happened: a stray one gets a page to read from.
bool explain_fault(Worker* worker, const void* address, void* context) {
  if (worker->run->request->checked != kDetailed || worker->fiber == &worker->native) return false;
  if (in_guard_page(worker, address)) return false;
  bool told = address != reinterpret_cast<void*>(~uintptr_t(0));
  int slot = told ? slot_of(address) : -1;
  if (slot >= 0 && open_stray_page(slots[slot], address, 1)) return true;
  Registers registers = registers_of(context);
  const void* pc = reinterpret_cast<const void*>(registers.pc + 1);
  int64_t offset = slot < 0 ? 0 : static_cast<const char*>(address) - slots[slot].base - int64_t(slots[slot].valid_from);
  bool nil = told && slot < 0 && !(uintptr_t(address) >> 32), write = told && is_write_fault(context);
  report(worker, nil ? kNilBuffer : write ? kOutOfBoundsWrite : kOutOfBoundsRead, slot, offset, 1, pc, registers.frame)->is_write = write;
  go_on_in(context, end_running_thread);
  return true;
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
  if ((signal == SIGSEGV || signal == SIGBUS) && explain_fault(worker, stop.address, context)) return;
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
