#include <c10/metal/indexing.h>
#include <metal_stdlib>
using namespace metal;

struct blend_functor {
  template <typename T>
  T operator()(const T a, const T b) {
    return (a + b) / T(2);
  }
};

REGISTER_BINARY_OP(blend, float, float);
REGISTER_BINARY_OP(blend, half, half);
REGISTER_BINARY_OP(blend, bfloat, bfloat);
REGISTER_BINARY_OP(blend, half, half);
