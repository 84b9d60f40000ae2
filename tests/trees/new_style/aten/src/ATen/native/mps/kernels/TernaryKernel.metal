#include <c10/metal/indexing.h>
#include <c10/metal/utils.h>
#include <metal_stdlib>

using namespace metal;
using namespace c10::metal;

struct lerp_functor {
  template <typename T>
  inline T operator()(const T start, const T end, const T weight) {
    return static_cast<T>(start + c10::metal::mul(weight, static_cast<T>(end - start)));
  }
};

struct clamp_functor {
  template <typename T>
  inline T operator()(const T x, const T low, const T high) {
    return c10::metal::min(c10::metal::max(x, low), high);
  }
};

#define REGISTER_FLOAT_TERNARY_OP(NAME)           \
  REGISTER_OPMATH_TERNARY_OP(NAME, float, float); \
  REGISTER_OPMATH_TERNARY_OP(NAME, half, half);   \
  REGISTER_OPMATH_TERNARY_OP(NAME, bfloat, bfloat)

#define REGISTER_INTEGER_TERNARY_OP(NAME)  \
  REGISTER_TERNARY_OP(NAME, long, long);   \
  REGISTER_TERNARY_OP(NAME, int, int);     \
  REGISTER_TERNARY_OP(NAME, short, short); \
  REGISTER_TERNARY_OP(NAME, char, char);   \
  REGISTER_TERNARY_OP(NAME, uchar, uchar)

REGISTER_FLOAT_TERNARY_OP(lerp);
REGISTER_TERNARY_OP(lerp, float2, float2);
REGISTER_TERNARY_OP(lerp, half2, half2);

REGISTER_FLOAT_TERNARY_OP(clamp);
REGISTER_INTEGER_TERNARY_OP(clamp);

// The condition is bool whatever the values are, which exec_ternary_kernel has no way to say:
// these kernels are looked up and launched by hand. All strides count elements.
template <typename T>
kernel void where_strided(
    device T* out,
    constant bool* condition,
    constant T* self,
    constant T* other,
    constant long* sizes,
    constant long* out_strides,
    constant long* condition_strides,
    constant long* self_strides,
    constant long* other_strides,
    constant uint& ndim,
    uint index [[thread_position_in_grid]]) {
  long pos[max_ndim];
  pos_from_thread_index(long(index), pos, sizes, ndim);
  const auto chosen = condition[offset_from_coord(pos, condition_strides, ndim)];
  out[offset_from_coord(pos, out_strides, ndim)] = chosen
      ? self[offset_from_coord(pos, self_strides, ndim)]
      : other[offset_from_coord(pos, other_strides, ndim)];
}

#define REGISTER_WHERE(DTYPE)                                        \
  template [[host_name("where_strided_" #DTYPE)]] kernel void        \
  where_strided<DTYPE>(                                              \
      device DTYPE * out,                                            \
      constant bool* condition,                                      \
      constant DTYPE* self,                                          \
      constant DTYPE* other,                                         \
      constant long* sizes,                                          \
      constant long* out_strides,                                    \
      constant long* condition_strides,                              \
      constant long* self_strides,                                   \
      constant long* other_strides,                                  \
      constant uint& ndim,                                           \
      uint index [[thread_position_in_grid]])

REGISTER_WHERE(float);
REGISTER_WHERE(half);
REGISTER_WHERE(bfloat);
REGISTER_WHERE(long);
REGISTER_WHERE(int);
REGISTER_WHERE(short);
REGISTER_WHERE(char);
REGISTER_WHERE(uchar);
REGISTER_WHERE(bool);
REGISTER_WHERE(float2);
REGISTER_WHERE(half2);
