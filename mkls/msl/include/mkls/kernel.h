// How the runtime calls a kernel: one entry per kernel runs the threads of a threadgroup in a loop
// and makes the kernel's arguments from its parameter types and their attributes.
#pragma once
#include <mkls/runtime.h>

namespace mkls {

// What an argument is bound to, as the rewriter writes it: a buffer index, a builtin, or
// kThreadgroupBuffer + index for `[[threadgroup(n)]]`.
enum : int {
  kThreadPositionInGrid = 1000,
  kThreadPositionInThreadgroup,
  kThreadIndexInThreadgroup,
  kThreadIndexInSimdgroup,
  kSimdgroupIndexInThreadgroup,
  kThreadIndexInQuadgroup,
  kQuadgroupIndexInThreadgroup,
  kThreadgroupPositionInGrid,
  kThreadsPerThreadgroup,
  kDispatchThreadsPerThreadgroup,
  kThreadsPerGrid,
  kThreadgroupsPerGrid,
  kThreadsPerSimdgroup,
  kSimdgroupsPerThreadgroup,
  kDispatchSimdgroupsPerThreadgroup,
  kQuadgroupsPerThreadgroup,
  kDispatchQuadgroupsPerThreadgroup,
  kGridOrigin,
  kThreadgroupBuffer = 2000,
  kAbsent = 3000,  // textures, samplers and arguments of a disabled function constant
};

struct thread_place {
  unsigned x, y, z, index;
};

template <class T> struct plain { using type = T; };
template <class T> struct plain<const T> { using type = T; };
template <class T> using plain_t = typename plain<T>::type;

template <class T> MKLS_INLINE auto from_components(unsigned x, unsigned y, unsigned z, int) -> decltype(T{}.z, T()) { return T(x, y, z); }
template <class T> MKLS_INLINE auto from_components(unsigned x, unsigned y, unsigned, long) -> decltype(T{}.y, T()) { return T(x, y); }
template <class T> MKLS_INLINE T from_components(unsigned x, unsigned, unsigned, ...) { return T(x); }
template <class T> MKLS_INLINE T from_components(const unsigned (&v)[3]) { return from_components<plain_t<T>>(v[0], v[1], v[2], 0); }

constexpr bool varies_by_thread(int kind) { return kind >= kThreadPositionInGrid && kind <= kQuadgroupIndexInThreadgroup; }

// Builtins that all threads of a threadgroup share.
template <class T, int kind, bool varies> struct bound {
  T value;
  MKLS_INLINE explicit bound(const mkls_group& g) : value(read(g)) {}
  MKLS_INLINE static T read(const mkls_group& g) {
    const unsigned simd = MKLS_SIMD_WIDTH;
    const mkls_launch& launch = *g.launch;
    unsigned full = launch.group_size[0] * launch.group_size[1] * launch.group_size[2];
    switch (kind) {
      case kThreadgroupPositionInGrid: return from_components<T>(g.position);
      case kThreadsPerThreadgroup: return from_components<T>(g.size);
      case kDispatchThreadsPerThreadgroup: return from_components<T>(launch.group_size);
      case kThreadsPerGrid: return from_components<T>(launch.grid);
      case kThreadgroupsPerGrid: return from_components<T>(launch.groups);
      case kThreadsPerSimdgroup: return T(simd);
      case kSimdgroupsPerThreadgroup: return T((g.threads + simd - 1) / simd);
      case kDispatchSimdgroupsPerThreadgroup: return T((full + simd - 1) / simd);
      case kQuadgroupsPerThreadgroup: return T((g.threads + 3) / 4);
      case kDispatchQuadgroupsPerThreadgroup: return T((full + 3) / 4);
      default: return T(0u);
    }
  }
  MKLS_INLINE T at(const thread_place&) const { return value; }
};

template <class T, int kind> struct bound<T, kind, true> {
  unsigned origin[3];
  MKLS_INLINE explicit bound(const mkls_group& g)
      : origin{g.position[0] * g.launch->group_size[0], g.position[1] * g.launch->group_size[1],
               g.position[2] * g.launch->group_size[2]} {}
  MKLS_INLINE T at(const thread_place& t) const {
    using U = plain_t<T>;
    switch (kind) {
      case kThreadPositionInGrid: return from_components<U>(origin[0] + t.x, origin[1] + t.y, origin[2] + t.z, 0);
      case kThreadPositionInThreadgroup: return from_components<U>(t.x, t.y, t.z, 0);
      case kThreadIndexInThreadgroup: return U(t.index);
      case kThreadIndexInSimdgroup: return U(t.index % MKLS_SIMD_WIDTH);
      case kSimdgroupIndexInThreadgroup: return U(t.index / MKLS_SIMD_WIDTH);
      case kThreadIndexInQuadgroup: return U(t.index % 4);
      default: return U(t.index / 4);
    }
  }
};

MKLS_INLINE void* buffer_of(const mkls_group& g, int kind) {
  return kind >= kThreadgroupBuffer ? g.threadgroup_buffers[(kind - kThreadgroupBuffer) % MKLS_BUFFERS]
                                    : g.launch->buffers[kind % MKLS_BUFFERS];
}

template <class T, int kind> struct bound<T*, kind, false> {
  T* pointer;
  MKLS_INLINE explicit bound(const mkls_group& g) : pointer(static_cast<T*>(buffer_of(g, kind))) {}
  MKLS_INLINE T* at(const thread_place&) const { return pointer; }
};

template <class T, int kind> struct bound<T&, kind, false> {
  T* pointer;
  MKLS_INLINE explicit bound(const mkls_group& g) : pointer(static_cast<T*>(buffer_of(g, kind))) {}
  MKLS_INLINE T& at(const thread_place&) const { return *pointer; }
};

template <class T> struct bound<T, kAbsent, false> {
  MKLS_INLINE explicit bound(const mkls_group&) {}
  MKLS_INLINE T at(const thread_place&) const { return T(); }
};

template <class T> struct bound<T*, kAbsent, false> {
  MKLS_INLINE explicit bound(const mkls_group&) {}
  MKLS_INLINE T* at(const thread_place&) const { return nullptr; }
};

template <class T> struct bound<T&, kAbsent, false> {
  MKLS_INLINE explicit bound(const mkls_group&) {}
  MKLS_INLINE T& at(const thread_place&) const { return *static_cast<T*>(nullptr); }
};

// No thread waits for another: a plain loop over the threadgroup.
template <auto kernel, class... B> MKLS_INLINE void run_independent(const mkls_group* group, B... arguments) {
  unsigned width = group->size[0], height = group->size[1], depth = group->size[2], index = 0;
  for (unsigned z = 0; z < depth; z++)
    for (unsigned y = 0; y < height; y++, index += width)
      for (unsigned x = 0; x < width; x++) {
        [[clang::always_inline]] kernel(arguments.at(thread_place{x, y, z, index + x})...);
      }
}

// A thread may stop in the middle of its turn; whoever runs then takes the next one from the cursor.
template <auto kernel, class... B> MKLS_INLINE void run_cooperative(const mkls_group* group, mkls_cursor* cursor, B... arguments) {
  unsigned width = group->size[0], height = group->size[1];
  while (cursor->next < cursor->end) {
    unsigned index = cursor->thread = cursor->next++;
    thread_place place{index, 0, 0, index};
    if (index >= width) place = {index % width, index / width % height, index / width / height, index};
    [[clang::always_inline]] kernel(arguments.at(place)...);
  }
}

// One thread by itself; what calls it lets other threads run when this one waits.
template <auto kernel, class... B> MKLS_INLINE void start_thread(thread_place place, B... arguments) {
  [[clang::always_inline]] kernel(arguments.at(place)...);
}

typedef void (*thread_function)(const mkls_group*, unsigned x, unsigned y, unsigned z, unsigned index);

MKLS_INLINE void run_cooperative(thread_function thread, const mkls_group* group, mkls_cursor* cursor) {
  unsigned width = group->size[0], height = group->size[1];
  while (cursor->next < cursor->end) {
    unsigned index = cursor->thread = cursor->next++;
    thread(group, index % width, index / width % height, index / width / height, index);
  }
}

enum class mode { independent, cooperative };

template <auto kernel, mode how, int... kinds, class R, class... A>
MKLS_INLINE void run_threads(R (*)(A...), const mkls_group* group, mkls_cursor* cursor) {
  if constexpr (how == mode::cooperative)
    run_cooperative<kernel>(group, cursor, bound<A, kinds, varies_by_thread(kinds)>(*group)...);
  else
    run_independent<kernel>(group, bound<A, kinds, varies_by_thread(kinds)>(*group)...);
}

template <auto kernel, int... kinds, class R, class... A>
MKLS_INLINE void run_thread(R (*)(A...), const mkls_group* group, thread_place place) {
  start_thread<kernel>(place, bound<A, kinds, varies_by_thread(kinds)>(*group)...);
}

// One thread of a one-dimensional grid, for a look at the code: what it accesses is plain to see.
// What is neither memory nor the thread's position comes from where no analysis can see it.
extern "C" unsigned long mkls_unknown(void);
template <class T, int kind> struct probed {
  static MKLS_INLINE T at(void* const*, unsigned x) {
    if constexpr (kind == kThreadPositionInGrid) return from_components<plain_t<T>>(x, 0, 0, 0);
    else return from_components<plain_t<T>>(unsigned(mkls_unknown()), unsigned(mkls_unknown()), unsigned(mkls_unknown()), 0);
  }
};
template <class T, int kind> struct probed<T*, kind> {
  static MKLS_INLINE T* at(void* const* buffers, unsigned) {
    return static_cast<T*>(kind < MKLS_BUFFERS ? buffers[kind] : reinterpret_cast<void*>(mkls_unknown()));
  }
};
template <class T, int kind> struct probed<T&, kind> {
  static MKLS_INLINE T& at(void* const* buffers, unsigned x) { return *probed<T*, kind>::at(buffers, x); }
};
template <auto kernel, int... kinds, class R, class... A>
MKLS_INLINE void probe(R (*)(A...), void* const* buffers, unsigned x) {
  [[clang::always_inline]] kernel(probed<A, kinds>::at(buffers, x)...);
}

// What the host must know of an argument: kind, bytes of an element, and whether it may be written.
struct argument_layout {
  int kind;
  unsigned size;
  int by_reference, read_only;
};

template <class T> constexpr unsigned size_of = sizeof(T);
template <> constexpr unsigned size_of<void> = 1;
template <> constexpr unsigned size_of<const void> = 1;
template <class T> struct layout_of {
  static constexpr argument_layout at(int kind) { return {kind, 0, 0, 1}; }
};
template <class T> struct layout_of<T*> {
  static constexpr argument_layout at(int kind) { return {kind, size_of<T>, 0, __is_const(T)}; }
};
template <class T> struct layout_of<T&> {
  static constexpr argument_layout at(int kind) { return {kind, size_of<T>, 1, __is_const(T)}; }
};

template <int... kinds, class R, class... A> inline void describe(R (*)(A...), argument_layout* out) {
  argument_layout all[] = {layout_of<A>::at(kinds)..., {}};
  for (unsigned i = 0; i < sizeof...(A); i++) out[i] = all[i];
}

template <class T> constexpr unsigned item_size = sizeof(T);
template <class T, unsigned long n> constexpr unsigned item_size<T[n]> = item_size<T>;

// A `threadgroup` variable: the same memory for all threads of a threadgroup.
template <class T> MKLS_INLINE T& threadgroup_memory(mkls_threadgroup_variable* variable) {
  return *static_cast<T*>(mkls_threadgroup_memory(variable));
}

}  // namespace mkls
