// MSL 2.2: the names of the vector types, which Metal declares in the global namespace.
#pragma once
#pragma clang system_header
#include <mkls/vector.h>

#define MKLS_NAMES(name, T)                                                                                            \
  typedef metal::vec<T, 2> name##2;                                                                                    \
  typedef metal::vec<T, 3> name##3;                                                                                    \
  typedef metal::vec<T, 4> name##4;                                                                                    \
  typedef metal::packed_vec<T, 2> packed_##name##2;                                                                    \
  typedef metal::packed_vec<T, 3> packed_##name##3;                                                                    \
  typedef metal::packed_vec<T, 4> packed_##name##4;                                                                    \
  typedef name##2 vector_##name##2;                                                                                    \
  typedef name##3 vector_##name##3;                                                                                    \
  typedef name##4 vector_##name##4;                                                                                    \
  namespace metal {                                                                                                    \
  using ::name##2;                                                                                                     \
  using ::name##3;                                                                                                     \
  using ::name##4;                                                                                                     \
  using ::packed_##name##2;                                                                                            \
  using ::packed_##name##3;                                                                                            \
  using ::packed_##name##4;                                                                                            \
  }
MKLS_NAMES(bool, bool)
MKLS_NAMES(char, char)
MKLS_NAMES(uchar, uchar)
MKLS_NAMES(short, short)
MKLS_NAMES(ushort, ushort)
MKLS_NAMES(int, int)
MKLS_NAMES(uint, uint)
MKLS_NAMES(long, long)
MKLS_NAMES(ulong, ulong)
MKLS_NAMES(half, half)
MKLS_NAMES(bfloat, bfloat)
MKLS_NAMES(float, float)
#undef MKLS_NAMES
namespace simd = metal;

// MSL 2.2 table of sizes; this also makes the compiler instantiate the common classes in a precompiled header.
static_assert(sizeof(float2) == 8 && sizeof(float3) == 16 && sizeof(float4) == 16);
static_assert(sizeof(half2) == 4 && sizeof(half3) == 8 && sizeof(half4) == 8);
static_assert(sizeof(bool2) == 2 && sizeof(bool3) == 4 && sizeof(bool4) == 4);
static_assert(sizeof(uint2) == 8 && sizeof(uint3) == 16 && sizeof(uint4) == 16);
static_assert(sizeof(int2) == 8 && sizeof(int3) == 16 && sizeof(int4) == 16);
static_assert(sizeof(packed_float3) == 12 && alignof(packed_float3) == 4);
