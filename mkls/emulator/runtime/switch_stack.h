// Leaves one stack and continues on another.
//
// Inlined, and a jump instead of a call and a return: processors predict returns with a stack of
// their own, and threads that all stop at one barrier keep that stack right only if the switch
// itself leaves it alone. Compiled without a red zone, because it pushes.
#pragma once

namespace mkls {

inline __attribute__((always_inline)) void switch_stack(void** save, void* load) {
#if defined(__x86_64__)
  __asm__ volatile(
      "pushq %%rbp\n"
      "leaq 1f(%%rip), %%rcx\n"
      "pushq %%rcx\n"
      "movq %%rsp, (%0)\n"
      "movq %1, %%rsp\n"
      "popq %%rcx\n"
      "jmpq *%%rcx\n"
      "1:\n"
      "popq %%rbp\n"
      : "+D"(save), "+S"(load)
      :
      : "rax", "rbx", "rcx", "rdx", "r8", "r9", "r10", "r11", "r12", "r13", "r14", "r15", "cc", "memory",
        "xmm0", "xmm1", "xmm2", "xmm3", "xmm4", "xmm5", "xmm6", "xmm7", "xmm8", "xmm9", "xmm10", "xmm11",
        "xmm12", "xmm13", "xmm14", "xmm15");
#elif defined(__aarch64__)
  register void** save_ __asm__("x0") = save;
  register void* load_ __asm__("x1") = load;
  __asm__ volatile(
      "adr x9, 1f\n"
      "stp x29, x9, [sp, #-16]!\n"
      "mov x10, sp\n"
      "str x10, [x0]\n"
      "mov sp, x1\n"
      "ldp x29, x9, [sp], #16\n"
      "br x9\n"
      "1:\n"
      : "+r"(save_), "+r"(load_)
      :
      : "x2", "x3", "x4", "x5", "x6", "x7", "x8", "x9", "x10", "x11", "x12", "x13", "x14", "x15", "x16", "x17",
        "x19", "x20", "x21", "x22", "x23", "x24", "x25", "x26", "x27", "x28", "x30", "cc", "memory",
        "v0", "v1", "v2", "v3", "v4", "v5", "v6", "v7", "v8", "v9", "v10", "v11", "v12", "v13", "v14", "v15",
        "v16", "v17", "v18", "v19", "v20", "v21", "v22", "v23", "v24", "v25", "v26", "v27", "v28", "v29",
        "v30", "v31");
#else
#error "the emulator's fibers know x86-64 and arm64 only"
#endif
}

// Writes what the first switch to a new stack takes from it; returns the stack pointer to switch to.
// `start` must never return.
inline void* first_frame(char* top, void (*start)()) {
  void** frame = reinterpret_cast<void**>(top);
#if defined(__x86_64__)
  *--frame = nullptr;  // where a return address would be
  *--frame = reinterpret_cast<void*>(start);
#else
  *--frame = reinterpret_cast<void*>(start);
  *--frame = nullptr;  // the frame pointer
#endif
  return frame;
}

}  // namespace mkls
