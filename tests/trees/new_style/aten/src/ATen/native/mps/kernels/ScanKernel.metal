#include <c10/metal/common.h>
#include <c10/metal/utils.h>
#include <metal_stdlib>

using namespace metal;
using namespace c10::metal;

struct CumSumOp {
  template <typename T>
  static inline T initial() {
    return T(0);
  }
  template <typename T>
  static inline T combine(T a, T b) {
    return a + b;
  }
};

struct CumProdOp {
  template <typename T>
  static inline T initial() {
    return T(1);
  }
  template <typename T>
  static inline T combine(T a, T b) {
    return a * b;
  }
};

// One thread scans one row: the input is seen as [outer, axis, inner].
template <typename T, typename Op>
kernel void scan_outer_dim(
    constant T* input [[buffer(0)]],
    device T* output [[buffer(1)]],
    constant uint& axis [[buffer(2)]],
    constant uint& inner [[buffer(3)]],
    uint2 position [[thread_position_in_grid]]) {
  const auto start = long(position.y) * axis * inner + position.x;
  auto carry = Op::template initial<opmath_t<T>>();
  for (uint index = 0; index < axis; ++index) {
    const auto at = start + long(index) * inner;
    carry = Op::combine(carry, static_cast<opmath_t<T>>(input[at]));
    output[at] = static_cast<T>(carry);
  }
}

#define REGISTER_SCAN_OP(OP_NAME, OP_CLASS, DTYPE)                          \
  template [[host_name(OP_NAME "_outer_" #DTYPE)]] [[kernel]] void          \
  scan_outer_dim<DTYPE, OP_CLASS>(                                          \
      constant DTYPE * input [[buffer(0)]],                                 \
      device DTYPE * output [[buffer(1)]],                                  \
      constant uint & axis [[buffer(2)]],                                   \
      constant uint & inner [[buffer(3)]],                                  \
      uint2 position [[thread_position_in_grid]])

#define REGISTER_SCAN_OPS(DTYPE)                  \
  REGISTER_SCAN_OP("cumsum", CumSumOp, DTYPE);    \
  REGISTER_SCAN_OP("cumprod", CumProdOp, DTYPE)

REGISTER_SCAN_OPS(float);
REGISTER_SCAN_OPS(half);
REGISTER_SCAN_OPS(bfloat);
REGISTER_SCAN_OPS(long);
REGISTER_SCAN_OPS(int);
REGISTER_SCAN_OPS(short);
REGISTER_SCAN_OPS(char);
REGISTER_SCAN_OPS(uchar);
