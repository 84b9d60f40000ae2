#include <c10/metal/indexing.h>
#define TILE 16
using namespace metal;

// mkls-run: threads=1024 group_size=256
// mkls: ignore[unused-kernel]
struct twice_functor {
  template <typename T>
  inline T operator()(const T x) {
    return static_cast<T>(x * T(2) + 1.5h);
  }
};

/* one
   comment */
template <typename T, uint N = 4>
[[max_total_threads_per_threadgroup(256)]] kernel void scale(
    device T* output [[buffer(0)]],
    constant packed_float3& factor [[buffer(1)]],
    threadgroup float* scratch [[threadgroup(0)]],
    ushort2 lane [[thread_position_in_threadgroup]],
    uint index [[thread_position_in_grid]]) {
  threadgroup_barrier(mem_flags::mem_threadgroup);
  for (uint i = 0; i < N; i++) {
    output[index] = metal::precise::exp(T(factor.x)) + c10::metal::log1p(0x1.0p-3f);
  }
  if (output[index] != 1e-5f || isnan(scratch[lane.x])) return;
}

template [[host_name("scale_float")]] kernel void scale<float>(
    device float*, constant packed_float3&, threadgroup float*, ushort2, uint);
REGISTER_UNARY_OP(twice, half2, half2);
