#include <c10/metal/indexing.h>
#include <metal_stdlib>
using namespace metal;

// softsign(x) is x / (1 + |x|): `mkls run` finds what is wrong here.
struct softsign_functor {
  template <typename T>
  T operator()(const T x) {
    return x / (T(1) + x * x);
  }
};

struct fade_functor {
  template <typename T>
  T operator()(const T x) {
    return x * x * (T(3) - T(2) * x);
  }
};

// mkls-reference: torch.nn.functional.softsign
REGISTER_UNARY_OP(softsign, float, float);
REGISTER_UNARY_OP(softsign, half, half);
REGISTER_UNARY_OP(softsign, bfloat, bfloat);
REGISTER_UNARY_OP(fade, float, float);
REGISTER_UNARY_OP(fade, half, half);
REGISTER_UNARY_OP(fade, bfloat, bfloat);
