"""The functions of MSL by which threads meet: barriers, simdgroups, quadgroups, atomics.

T stands for a scalar or vector type that a lane can hand to others.
"""

from mkls.features.reference.entry import Word, WordKind, words

SYNCHRONIZATION: tuple[Word, ...] = words(
    WordKind.FUNCTION,
    "MSL, section 6.9.1 (threadgroup and SIMD-group synchronization)",
    """
void threadgroup_barrier(mem_flags flags); void threadgroup_barrier(mem_flags flags,
 thread_scope scope) | Every thread of the threadgroup waits here for all others, and sees what they
 wrote to the memory that `flags` names. All threads must come to it: within a branch or after an
 early `return` that only some take, the result is undefined.
void simdgroup_barrier(mem_flags flags); void simdgroup_barrier(mem_flags flags,
 thread_scope scope) | Every thread of the simdgroup waits here for the others, and sees what they
 wrote to the memory that `flags` names. Cheaper than `threadgroup_barrier` where one simdgroup is
 all that exchanges data.
""",
)

SIMDGROUP: tuple[Word, ...] = words(
    WordKind.FUNCTION,
    "MSL, section 6.9.2 (SIMD-group functions)",
    """
simd_vote simd_active_threads_mask() | Which lanes of the simdgroup run at this place.
bool simd_all(bool expression) | Whether it is true in every active lane.
bool simd_any(bool expression) | Whether it is true in some active lane.
simd_vote simd_ballot(bool expression) | In which active lanes it is true.
T simd_broadcast(T data, ushort lane) | The value of one lane, in all; the lane must be active.
T simd_broadcast_first(T data) | The value of the first active lane, in all.
bool simd_is_first() | Whether this lane is the first active one.
bool simd_is_helper_thread() | Whether this is a helper thread of a fragment function.
T simd_shuffle(T data, ushort lane) | The value of the lane that this one names.
T simd_shuffle_down(T data, ushort delta) | The value of the lane `delta` above this one. The
 topmost lanes have none: their result is undefined.
T simd_shuffle_up(T data, ushort delta) | The value of the lane `delta` below this one; the
 result of the lowest lanes is undefined.
T simd_shuffle_rotate_down(T data, ushort delta) | As `simd_shuffle_down`, wrapping around.
T simd_shuffle_rotate_up(T data, ushort delta) | As `simd_shuffle_up`, wrapping around.
T simd_shuffle_xor(T value, ushort mask) | The value of the lane whose number differs in the bits
 of `mask`.
T simd_shuffle_and_fill_down(T data, T filling, ushort delta); T simd_shuffle_and_fill_down(T data,
 T filling, ushort delta, ushort modulo) | As `simd_shuffle_down`; what comes from above the group
 of `modulo` lanes is taken from `filling`.
T simd_shuffle_and_fill_up(T data, T filling, ushort delta); T simd_shuffle_and_fill_up(T data,
 T filling, ushort delta, ushort modulo) | As `simd_shuffle_up`; what comes from below the group of
 `modulo` lanes is taken from `filling`.
T simd_and(T data) | The bitwise and of all active lanes.
T simd_or(T data) | The bitwise or of all active lanes.
T simd_xor(T data) | The bitwise exclusive or of all active lanes.
T simd_max(T data) | The largest value of all active lanes. NaNs are ignored; torch's reductions
 must keep them.
T simd_min(T data) | The smallest value of all active lanes. NaNs are ignored.
T simd_sum(T data) | The sum over all active lanes, in every lane. Not for `long` and `ulong`.
T simd_product(T data) | The product over all active lanes, in every lane.
T simd_prefix_exclusive_sum(T data) | The sum over the active lanes below this one.
T simd_prefix_inclusive_sum(T data) | The sum over the active lanes up to this one.
T simd_prefix_exclusive_product(T data) | The product over the active lanes below this one.
T simd_prefix_inclusive_product(T data) | The product over the active lanes up to this one.
""",
)

QUADGROUP: tuple[Word, ...] = words(
    WordKind.FUNCTION,
    "MSL, section 6.9.3 (quad-group functions)",
    """
void quadgroup_barrier(mem_flags flags) | The four threads of the quadgroup wait here for one
 another, and see what they wrote to the memory that `flags` names.
quad_vote quad_active_threads_mask() | Which of the four lanes run at this place.
bool quad_all(bool expression) | Whether it is true in every active lane of the quadgroup.
bool quad_any(bool expression) | Whether it is true in some active lane of the quadgroup.
quad_vote quad_ballot(bool expression) | In which active lanes it is true.
T quad_broadcast(T data, ushort lane) | The value of one of the four lanes, in all.
T quad_broadcast_first(T data) | The value of the first active lane, in all.
bool quad_is_first() | Whether this lane is the first active one.
bool quad_is_helper_thread() | Whether this is a helper thread of a fragment function.
T quad_shuffle(T data, ushort lane) | The value of the lane that this one names.
T quad_shuffle_down(T data, ushort delta) | The value of the lane `delta` above this one.
T quad_shuffle_up(T data, ushort delta) | The value of the lane `delta` below this one.
T quad_shuffle_rotate_down(T data, ushort delta) | As `quad_shuffle_down`, wrapping around.
T quad_shuffle_rotate_up(T data, ushort delta) | As `quad_shuffle_up`, wrapping around.
T quad_shuffle_xor(T value, ushort mask) | The value of the lane whose number differs in the bits
 of `mask`.
T quad_shuffle_and_fill_down(T data, T filling, ushort delta) | As `quad_shuffle_down`, filled up.
T quad_shuffle_and_fill_up(T data, T filling, ushort delta) | As `quad_shuffle_up`, filled up.
T quad_and(T data) | The bitwise and of all active lanes of the quadgroup.
T quad_or(T data) | The bitwise or of all active lanes of the quadgroup.
T quad_xor(T data) | The bitwise exclusive or of all active lanes of the quadgroup.
T quad_max(T data) | The largest value of the quadgroup.
T quad_min(T data) | The smallest value of the quadgroup.
T quad_sum(T data) | The sum over the quadgroup.
T quad_product(T data) | The product over the quadgroup.
T quad_prefix_exclusive_sum(T data) | The sum over the active lanes below this one.
T quad_prefix_inclusive_sum(T data) | The sum over the active lanes up to this one.
T quad_prefix_exclusive_product(T data) | The product over the active lanes below this one.
T quad_prefix_inclusive_product(T data) | The product over the active lanes up to this one.
""",
)

SIMDGROUP_MATRIX: tuple[Word, ...] = words(
    WordKind.FUNCTION,
    "MSL, section 6.7 (SIMD-group matrix functions)",
    """
simdgroup_matrix<T, 8, 8> make_filled_simdgroup_matrix(T value) | A matrix of the simdgroup with
 `value` everywhere.
void simdgroup_load(thread simdgroup_matrix<T, 8, 8> &m, const device T *source,
 ulong elements_per_row = 8, ulong2 origin = 0, bool transposed = false) | Loads a matrix of 8 by 8
 from device or threadgroup memory, all lanes together.
void simdgroup_store(thread simdgroup_matrix<T, 8, 8> m, device T *target,
 ulong elements_per_row = 8, ulong2 origin = 0, bool transposed = false) | Stores a matrix of 8 by 8
 to device or threadgroup memory, all lanes together.
void simdgroup_multiply(thread simdgroup_matrix<T, 8, 8> &d, thread simdgroup_matrix<T, 8, 8> &a,
 thread simdgroup_matrix<T, 8, 8> &b) | d = a·b.
void simdgroup_multiply_accumulate(thread simdgroup_matrix<T, 8, 8> &d,
 thread simdgroup_matrix<T, 8, 8> &a, thread simdgroup_matrix<T, 8, 8> &b,
 thread simdgroup_matrix<T, 8, 8> &c) | d = a·b + c.
""",
)

ATOMIC: tuple[Word, ...] = words(
    WordKind.FUNCTION,
    "MSL, section 6.15 (atomic functions)",
    """
void atomic_store_explicit(volatile device A *object, C desired, memory_order order) | Writes
 `desired`, in one piece.
C atomic_load_explicit(const volatile device A *object, memory_order order) | Reads the value, in
 one piece.
C atomic_exchange_explicit(volatile device A *object, C desired, memory_order order) | Writes
 `desired` and returns what was there.
bool atomic_compare_exchange_weak_explicit(volatile device A *object, thread C *expected,
 C desired, memory_order success, memory_order failure) | Writes `desired` where the value equals
 `expected`, else stores the value there. It may fail without reason: use it in a loop.
C atomic_fetch_add_explicit(volatile device A *object, C operand, memory_order order) | Adds and
 returns the old value. `float` only in device memory (Metal 3).
C atomic_fetch_sub_explicit(volatile device A *object, C operand, memory_order order) | Subtracts
 and returns the old value.
C atomic_fetch_and_explicit(volatile device A *object, C operand, memory_order order) | Bitwise
 and; returns the old value.
C atomic_fetch_or_explicit(volatile device A *object, C operand, memory_order order) | Bitwise or;
 returns the old value.
C atomic_fetch_xor_explicit(volatile device A *object, C operand, memory_order order) | Bitwise
 exclusive or; returns the old value.
C atomic_fetch_max_explicit(volatile device A *object, C operand, memory_order order) | Keeps the
 larger value and returns the old one. For int and uint.
C atomic_fetch_min_explicit(volatile device A *object, C operand, memory_order order) | Keeps the
 smaller value and returns the old one. For int and uint.
# MSL, section 6.15.4.6 (atomic functions for ulong)
void atomic_max_explicit(volatile device atomic_ulong *object, ulong operand,
 memory_order order) | Keeps the larger value.
void atomic_min_explicit(volatile device atomic_ulong *object, ulong operand,
 memory_order order) | Keeps the smaller value.
# MSL, section 6.15.3 (fences)
void atomic_thread_fence(mem_flags flags, memory_order order,
 thread_scope scope = thread_scope_device) | Orders the accesses before it and after it for other
 threads of `scope` (Metal 3.2); unlike a barrier, nobody waits.
""",
)

FLAGS: tuple[Word, ...] = words(
    WordKind.CONSTANT,
    "MSL, section 6.9.1 (memory flags)",
    """
mem_none | The barrier orders no memory: threads only wait for one another.
mem_device | The barrier orders accesses to device memory.
mem_threadgroup | The barrier orders accesses to threadgroup memory.
mem_texture | The barrier orders accesses to textures.
mem_threadgroup_imageblock | The barrier orders accesses to the imageblock.
# MSL, section 4.8 and 6.15.1 (memory order and scope)
memory_order_relaxed | Only the access itself is in one piece: it orders nothing else.
memory_order_acquire | What follows sees what the thread that released had written (Metal 3.2).
memory_order_release | What precedes is seen by the thread that acquires (Metal 3.2).
memory_order_acq_rel | Both acquires and releases (Metal 3.2).
memory_order_seq_cst | As acq_rel, in one order that all threads agree on (Metal 3.2).
thread_scope_thread | Only the thread itself.
thread_scope_simdgroup | The threads of the simdgroup.
thread_scope_threadgroup | The threads of the threadgroup.
thread_scope_device | All threads of the device.
""",
)
