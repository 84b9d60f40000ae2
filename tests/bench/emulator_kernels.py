"""Kernels whose cost is compared: with a wait and without, and with torch's operators."""

# ruff: noqa: E501  (Metal text reads best unbroken)

HEAD = "#include <metal_stdlib>\nusing namespace metal;\n"
_BUFFERS = (
    "device float* out, device const float* a, device const float* b, constant uint& rounds, "
)
_PLACES = "uint i [[thread_position_in_grid]], uint t [[thread_position_in_threadgroup]], uint n [[threads_per_threadgroup]]"
_WAIT = "threadgroup_barrier(mem_flags::mem_threadgroup);"
_SHARED = "threadgroup float x[1024]; x[t] = a[i];"
_ATAN2 = "float r = precise::atan2(a[i], b[i]);"

PAIRS = {
    "a barrier behind atan2": (f"{_ATAN2} out[i] = r;", f"{_ATAN2} {_WAIT} out[i] = r;"),
    "a barrier under a condition that all agree on": (
        f"{_ATAN2} if (n > 1) r += 1; out[i] = r;",
        f"{_ATAN2} if (n > 1) {{ {_WAIT} r += 1; }} out[i] = r;",
    ),
    "a barrier under a condition on data": (
        f"{_ATAN2} if (r > 9) r = 1; out[i] = r;",
        f"{_ATAN2} if (r > 9) {{ r = 1; {_WAIT} }} out[i] = r;",
    ),
    "a barrier in a template and a structure": (
        f"{_ATAN2} out[i] = r;",
        f"{_ATAN2} r = waiting<float>()(r); out[i] = r;",
    ),
    "a barrier behind an early return": (
        "if (t >= n - 1) return; float r = a[i] * b[i]; out[i] = r;",
        f"if (t >= n - 1) return; float r = a[i] * b[i]; {_WAIT} out[i] = r;",
    ),
    "copying through threadgroup memory": ("out[i] = a[i];", f"{_SHARED} {_WAIT} out[i] = x[t];"),
    "turning round in threadgroup memory": (
        f"{_SHARED} out[i] = x[t];",
        f"{_SHARED} {_WAIT} out[i] = x[n - 1 - t];",
    ),
    "a barrier in each round of a loop": (
        "float r = a[i]; for (uint j = 0; j < rounds; j++) r = precise::atan2(r, b[i]); out[i] = r;",
        f"float r = a[i]; for (uint j = 0; j < rounds; j++) {{ {_WAIT} r = precise::atan2(r, b[i]); }} out[i] = r;",
    ),
    "a pointer to a local across a barrier": (
        f"{_ATAN2} float q = 1; thread float* p = r > 0 ? &q : &r; *p += 1; out[i] = r + q;",
        f"{_ATAN2} float q = 1; thread float* p = r > 0 ? &q : &r; {_WAIT} *p += 1; out[i] = r + q;",
    ),
}
LANES = {
    "moving values between lanes": ("out[i] = a[i ^ 1];", "out[i] = simd_shuffle_xor(a[i], 1);"),
    "a sum over lanes behind three of atan2": (
        "float r = a[i]; for (uint j = 0; j < 3; j++) r = precise::atan2(r, b[i]); out[i] = r;",
        "float r = a[i]; for (uint j = 0; j < 3; j++) r = precise::atan2(r, b[i]); out[i] = simd_sum(r);",
    ),
}
_HELPER = f"""
template <typename T> T wait_with(T x) {{ {_WAIT} return x; }}
template <typename T> struct waiting {{ T operator()(T x) const {{ return wait_with(x); }} }};
"""


def _pair_kernel(name: str, body: str) -> str:
    return f"kernel void {name}({_BUFFERS}{_PLACES}) {{ {body} }}\n"


PAIR_SOURCE = (
    HEAD
    + _HELPER
    + "".join(
        _pair_kernel(f"plain_{i}", plain) + _pair_kernel(f"waits_{i}", waits)
        for i, (plain, waits) in enumerate((PAIRS | LANES).values())
    )
)

ELEMENTWISE = {
    "atan2": "precise::atan2(a[i], b[i])",
    "exp": "precise::exp(a[i])",
    "log": "precise::log(b[i])",
    "tanh": "precise::tanh(a[i])",
    "sin": "precise::sin(a[i])",
    "pow": "precise::pow(b[i], a[i])",
    "sqrt": "precise::sqrt(b[i])",
    "neg": "-a[i]",
}
TYPES = ("float", "half", "bfloat")


def elementwise_source() -> str:
    """A kernel for each function and type."""
    kernels = (
        f"kernel void {name}_{t}(device {t}* out, device const {t}* a, device const {t}* b, "
        f"uint i [[thread_position_in_grid]]) {{ out[i] = {t}({_as_float(text, t)}); }}\n"
        for name, text in ELEMENTWISE.items()
        for t in TYPES
    )
    return HEAD + "".join(kernels)


def _as_float(text: str, t: str) -> str:
    return (
        text if t == "float" else text.replace("a[i]", "float(a[i])").replace("b[i]", "float(b[i])")
    )


def loop_source() -> str:
    """The same functions of floats as loops over arrays, in C++."""
    return HEAD + "".join(
        f'extern "C" void loop_{name}(float* __restrict out, const float* __restrict a, const float* __restrict b, long n) '
        f"{{ for (long i = 0; i < n; i++) out[i] = {text}; }}\n"
        for name, text in ELEMENTWISE.items()
    )


REAL = f"""
#include <c10/metal/reduction_utils.h>
kernel void row_sum(device const float* in, device float* out, constant uint& columns, uint tid [[thread_index_in_threadgroup]],
                    uint size [[threads_per_threadgroup]], uint row [[threadgroup_position_in_grid]]) {{
  threadgroup float shared[32];
  float sum = 0;
  for (uint c = tid; c < columns; c += size) sum += in[row * columns + c];
  sum = c10::metal::threadgroup_sum(shared, sum, tid, size);
  if (tid == 0) out[row] = sum;
}}
kernel void softmax(device const float* in, device float* out, constant uint& columns, uint tid [[thread_index_in_threadgroup]],
                    uint size [[threads_per_threadgroup]], uint row [[threadgroup_position_in_grid]]) {{
  threadgroup float shared[32];
  float best = -INFINITY;
  for (uint c = tid; c < columns; c += size) best = max(best, in[row * columns + c]);
  best = c10::metal::threadgroup_max(shared, best, tid, size);
  {_WAIT}
  float sum = 0;
  for (uint c = tid; c < columns; c += size) sum += precise::exp(in[row * columns + c] - best);
  sum = c10::metal::threadgroup_sum(shared, sum, tid, size);
  for (uint c = tid; c < columns; c += size) out[row * columns + c] = precise::exp(in[row * columns + c] - best) / sum;
}}
kernel void scan(device const float* in, device float* out, constant uint& columns, uint tid [[thread_index_in_threadgroup]],
                 uint lane [[thread_index_in_simdgroup]], uint sg [[simdgroup_index_in_threadgroup]], uint at [[thread_position_in_grid]]) {{
  threadgroup float sums[32];
  float value = simd_prefix_inclusive_sum(in[at]);
  if (lane == 31) sums[sg] = value;
  {_WAIT}
  if (sg == 0) sums[lane] = simd_prefix_exclusive_sum(sums[lane]);
  {_WAIT}
  out[at] = value + sums[sg];
}}
kernel void sort(device const float* in, device float* out, constant uint& columns, uint tid [[thread_index_in_threadgroup]],
                 uint size [[threads_per_threadgroup]], uint at [[thread_position_in_grid]]) {{
  threadgroup float buffer[1024];
  buffer[tid] = in[at];
  for (uint k = 2; k <= size; k *= 2)
    for (uint j = k / 2; j > 0; j /= 2) {{
      {_WAIT}
      uint other = tid ^ j;
      if (other > tid) {{
        float x = buffer[tid], y = buffer[other];
        if (((tid & k) == 0) == (x > y)) {{ buffer[tid] = y; buffer[other] = x; }}
      }}
    }}
  {_WAIT}
  out[at] = buffer[tid];
}}
kernel void tiled(device const float* a, device const float* b, device float* out, constant uint& size,
                  uint2 t [[thread_position_in_threadgroup]], uint2 at [[thread_position_in_grid]]) {{
  threadgroup float left[16][16], right[16][16];
  float sum = 0;
  for (uint k = 0; k < size; k += 16) {{
    left[t.y][t.x] = a[at.y * size + k + t.x];
    right[t.y][t.x] = b[(k + t.y) * size + at.x];
    {_WAIT}
    for (uint j = 0; j < 16; j++) sum += left[t.y][j] * right[j][t.x];
    {_WAIT}
  }}
  out[at.y * size + at.x] = sum;
}}
kernel void matrices(device const float* a, device const float* b, device float* out, constant uint& size, uint2 group [[threadgroup_position_in_grid]]) {{
  simdgroup_float8x8 left, right, sum = make_filled_simdgroup_matrix<float, 8, 8>(0.0f);
  for (uint k = 0; k < size; k += 8) {{
    simdgroup_load(left, a, size, ulong2(k, group.y * 8));
    simdgroup_load(right, b, size, ulong2(group.x * 8, k));
    simdgroup_multiply_accumulate(sum, left, right, sum);
  }}
  simdgroup_store(sum, out, size, ulong2(group.x * 8, group.y * 8));
}}
"""
REAL_SOURCE = HEAD + REAL
