#include <c10/metal/indexing.h>
#include <metal_stdlib>
using namespace metal;

struct softsign_functor {
  template <typename T>
  T operator()(const T x) {
    return x / (T(1) + x * x);
  }
};

// mkls-reference: torch.nn.functional.softsign
REGISTER_UNARY_OP(softsign, float, float);
REGISTER_UNARY_OP(softsign, half, half);
