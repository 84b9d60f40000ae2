// What simdgroup and quadgroup functions share: lanes bring a value, all take away what they need.
#pragma once
#pragma clang system_header
#include <metal_config>
#include <metal_types>
#include <mkls/runtime.h>
#include <mkls/type_traits.h>

#if defined(MKLS_CHECKED)
// A lane reads the value of a lane that did not take part.
extern "C" void mkls_absent_lane(unsigned lane);
#define MKLS_ABSENT_LANE(lane) mkls_absent_lane(lane)
#else
#define MKLS_ABSENT_LANE(lane) ((void)0)
#endif

namespace mkls {

template <class T> MKLS_INLINE T &slot(char *slots, unsigned lane) {
  return *reinterpret_cast<T *>(slots + lane * sizeof(T));
}

// The values of the lanes that reached the same call.
template <class T> struct lanes {
  const char *slots;
  unsigned active, lane;

  MKLS_WAITING explicit lanes(const T &value, mkls_combine combine = nullptr) {
    static_assert(sizeof(T) <= MKLS_SLOT_BYTES, "simdgroup functions take scalars and vectors");
    slots = mkls_simd_exchange(&value, sizeof(T), combine);
    active = mkls_active_lanes();
    lane = mkls_lane();
  }
  MKLS_INLINE bool has(unsigned index) const { return index < MKLS_SIMD_WIDTH && (active >> index & 1); }
  MKLS_INLINE T own() const { return at(lane); }
  MKLS_INLINE T at(unsigned index) const {
    T value;
    __builtin_memcpy(&value, slots + index * sizeof(T), sizeof(T));
    return value;
  }
  // MSL: the value of a lane that is not active is undefined; here it is zero.
  MKLS_INLINE T from(unsigned index) const {
    if (has(index)) return at(index);
    MKLS_ABSENT_LANE(index);
    return T{};
  }
};

#define MKLS_UNOBSERVED static inline __attribute__((no_sanitize("thread", "undefined", "integer", "implicit-conversion"), disable_sanitizer_instrumentation))
#define MKLS_COMBINE MKLS_UNOBSERVED void

struct sum_of { template <class T> static T of(T a, T b) { return T(a + b); } };
struct product_of { template <class T> static T of(T a, T b) { return T(a * b); } };

// Apple's intrinsics take numbers for bits, and public headers instantiate them for floats.
template <class T> struct lane_bits { using type = T; };
template <> struct lane_bits<float> { using type = uint; };
template <> struct lane_bits<half> { using type = ushort; };
template <class T> using lane_bits_t = typename lane_bits<T>::type;
#define MKLS_BITWISE(name, op)                                                                             \
  struct name {                                                                                            \
    template <class T> static T of(T a, T b) {                                                             \
      return __builtin_bit_cast(T, lane_bits_t<T>(__builtin_bit_cast(lane_bits_t<T>, a) op __builtin_bit_cast(lane_bits_t<T>, b))); \
    }                                                                                                      \
  };
MKLS_BITWISE(and_of, &)
MKLS_BITWISE(or_of, |)
MKLS_BITWISE(xor_of, ^)
#undef MKLS_BITWISE
struct min_of { template <class T> static T of(T a, T b) { return metal::min(a, b); } };
struct max_of { template <class T> static T of(T a, T b) { return metal::max(a, b); } };

// All 32 lanes, halves upon halves: the order of a simdgroup's adders. Counts are constants, so that
// only the wide steps become vectors.
template <unsigned count, class T, class F> MKLS_UNOBSERVED void halve(T *values) {
  for (unsigned i = 0; i < count; i++) values[i] = F::of(values[i], values[i + count]);
  if constexpr (count > 1) halve<count / 2, T, F>(values);
}
template <class T, class F> MKLS_UNOBSERVED void reduce_all(T *slots) {
  T halves[MKLS_SIMD_WIDTH / 2];
  for (unsigned i = 0; i < MKLS_SIMD_WIDTH / 2; i++) halves[i] = F::of(slots[i], slots[i + MKLS_SIMD_WIDTH / 2]);
  halve<MKLS_SIMD_WIDTH / 4, T, F>(halves);
  for (unsigned i = 0; i < MKLS_SIMD_WIDTH; i++) slots[i] = halves[0];
}

// Every active lane gets the result over all active lanes of its group of `width` lanes.
template <class T, class F, int width> struct reduction {
  MKLS_COMBINE combine(char *slots, unsigned active) {
    if (width == MKLS_SIMD_WIDTH && active == ~0u) return reduce_all<T, F>(reinterpret_cast<T *>(slots));
    for (unsigned first = 0; first < MKLS_SIMD_WIDTH; first += width) {
      const unsigned group = width == 32 ? active : active & (((1u << (width & 31)) - 1) << first);
      if (!group) continue;
      T result = slot<T>(slots, __builtin_ctz(group));
      for (unsigned rest = group & (group - 1); rest; rest &= rest - 1)
        result = F::of(result, slot<T>(slots, __builtin_ctz(rest)));
      for (unsigned rest = group; rest; rest &= rest - 1) slot<T>(slots, __builtin_ctz(rest)) = result;
    }
  }
};

// Every active lane gets the result over the active lanes before it, with or without itself.
template <class T, class F, int width, bool inclusive> struct prefix {
  MKLS_COMBINE combine(char *slots, unsigned active) {
    T result{};
    unsigned group = MKLS_SIMD_WIDTH;
    for (unsigned rest = active; rest; rest &= rest - 1) {
      const unsigned lane = __builtin_ctz(rest);
      const T value = slot<T>(slots, lane);
      if (lane / width != group) group = lane / width, result = T(__is_same(F, product_of) ? 1 : 0);
      const T next = F::of(result, value);
      slot<T>(slots, lane) = inclusive ? next : result;
      result = next;
    }
  }
};

template <class F, int width, class T> MKLS_WAITING T reduce(T value) {
  return lanes<T>(value, &reduction<T, F, width>::combine).own();
}
template <class F, int width, bool inclusive, class T> MKLS_WAITING T scan(T value) {
  return lanes<T>(value, &prefix<T, F, width, inclusive>::combine).own();
}

template <class T> struct filled {
  T data, filling;
};

// MSL 6.9.2: lanes move within groups of `modulo` lanes; those that come from outside are taken from
// the filling data of the lanes at the other end of the group.
template <class T> MKLS_WAITING T shuffle_and_fill(T data, T filling, int delta, int modulo) {
  lanes<filled<T>> all({data, filling});
  const int first = int(all.lane) / modulo * modulo, source = int(all.lane) - first + delta;
  if (source >= modulo) return all.from(unsigned(first + source - modulo)).filling;
  if (source < 0) return all.from(unsigned(first + source + modulo)).filling;
  return all.from(unsigned(first + source)).data;
}

}  // namespace mkls
