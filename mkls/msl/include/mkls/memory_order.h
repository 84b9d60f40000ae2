// MSL 4.8, 6.9.1 and 6.15.1: memory orders, scopes and flags of barriers and atomics.
#pragma once
#pragma clang system_header
#include <metal_config>
#include <metal_types>

namespace metal {

enum memory_order : int {
  memory_order_relaxed = __ATOMIC_RELAXED,
  memory_order_acquire = __ATOMIC_ACQUIRE,
  memory_order_release = __ATOMIC_RELEASE,
  memory_order_acq_rel = __ATOMIC_ACQ_REL,
  memory_order_seq_cst = __ATOMIC_SEQ_CST,
};

enum thread_scope : int {
  thread_scope_thread,
  thread_scope_simdgroup,
  thread_scope_threadgroup,
  thread_scope_device,
  thread_scope_system,
};

}  // namespace metal

// In a namespace of its own, where only argument-dependent lookup finds the operators: see mkls/msl/__init__.py.
namespace mkls_mem_flags {

enum class mem_flags : uint {
  mem_none = 0,
  mem_device = 1,
  mem_threadgroup = 2,
  mem_texture = 4,
  mem_threadgroup_imageblock = 8,
  mem_object_data = 16,
  mem_device_and_threadgroup = mem_device | mem_threadgroup,
};

MKLS_INLINE constexpr mem_flags operator|(mem_flags a, mem_flags b) { return mem_flags(uint(a) | uint(b)); }
MKLS_INLINE constexpr mem_flags operator&(mem_flags a, mem_flags b) { return mem_flags(uint(a) & uint(b)); }

}  // namespace mkls_mem_flags

namespace metal {
using mkls_mem_flags::mem_flags;
}
