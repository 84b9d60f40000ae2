"""Threads that work together: reductions, scans, sorts, atomics, votes and matrices."""

# ruff: noqa: E501  (Metal text and tables of cases read best unbroken)

import pytest
import torch

from tests.emulator.kernels import Compile

REDUCTIONS = """
#include <c10/metal/reduction_utils.h>
template <typename T>
kernel void row_sum(constant T* in [[buffer(0)]], device T* out [[buffer(1)]], constant uint& columns [[buffer(2)]],
    uint tid [[thread_index_in_threadgroup]], uint size [[threads_per_threadgroup]], uint row [[threadgroup_position_in_grid]]) {
  threadgroup c10::metal::opmath_t<T> shared[32];
  c10::metal::opmath_t<T> sum = 0;
  for (uint c = tid; c < columns; c += size) sum += in[row * columns + c];
  sum = c10::metal::threadgroup_sum(shared, sum, tid, size);
  if (tid == 0) out[row] = T(sum);
}
template <typename T>
kernel void row_max(constant T* in [[buffer(0)]], device T* out [[buffer(1)]], constant uint& columns [[buffer(2)]],
    uint tid [[thread_index_in_threadgroup]], uint size [[threads_per_threadgroup]], uint row [[threadgroup_position_in_grid]]) {
  threadgroup T shared[32];
  T best = in[row * columns];
  for (uint c = tid; c < columns; c += size) best = max(best, in[row * columns + c]);
  best = c10::metal::threadgroup_max(shared, best, tid, size);
  if (tid == 0) out[row] = best;
}
#define BOTH(T) \\
  template [[host_name("row_sum_" #T)]] kernel void row_sum<T>(constant T*, device T*, constant uint&, uint, uint, uint); \\
  template [[host_name("row_max_" #T)]] kernel void row_max<T>(constant T*, device T*, constant uint&, uint, uint, uint);
BOTH(float) BOTH(half) BOTH(bfloat) BOTH(int) BOTH(long) BOTH(short)
"""
DTYPES = {
    "float": torch.float32, "half": torch.float16, "bfloat": torch.bfloat16,
    "int": torch.int32, "long": torch.int64, "short": torch.int16,
}  # fmt: skip


def matrix(t: str, rows: int, columns: int) -> torch.Tensor:
    torch.manual_seed(columns)
    if DTYPES[t].is_floating_point:
        return torch.randn(rows, columns).to(DTYPES[t])
    return torch.randint(-50, 50, (rows, columns)).to(DTYPES[t])


@pytest.mark.parametrize("t", DTYPES)
@pytest.mark.parametrize(
    ("columns", "size"), [(1000, 256), (33, 32), (7, 64), (5000, 1024), (100, 48)]
)
def test_row_sums(compile_: Compile, t: str, columns: int, size: int) -> None:
    x, out = matrix(t, 5, columns), torch.zeros(5, dtype=DTYPES[t])
    compile_(REDUCTIONS).kernel("row_sum_" + t)(x, out, columns, threads=5 * size, group_size=size)
    expected = x.double().sum(1)
    torch.testing.assert_close(out.double(), expected.to(DTYPES[t]).double(), rtol=2e-2, atol=0.05)


@pytest.mark.parametrize("t", DTYPES)
def test_row_maxima(compile_: Compile, t: str) -> None:
    x, out = matrix(t, 4, 777), torch.zeros(4, dtype=DTYPES[t])
    compile_(REDUCTIONS).kernel("row_max_" + t)(x, out, 777, threads=4 * 256, group_size=256)
    assert torch.equal(out, x.amax(1))


SCANS = """
kernel void block_scan(device const int* in, device int* out, uint tid [[thread_position_in_threadgroup]],
                       uint size [[threads_per_threadgroup]], uint at [[thread_position_in_grid]]) {
  threadgroup int buffer[2][1024];
  uint from = 0;
  buffer[0][tid] = in[at];
  threadgroup_barrier(mem_flags::mem_threadgroup);
  for (uint step = 1; step < size; step *= 2) {
    buffer[1 - from][tid] = buffer[from][tid] + (tid >= step ? buffer[from][tid - step] : 0);
    from = 1 - from;
    threadgroup_barrier(mem_flags::mem_threadgroup);
  }
  out[at] = buffer[from][tid];
}
kernel void simd_scan(device const int* in, device int* inclusive, device int* exclusive, uint at [[thread_position_in_grid]]) {
  inclusive[at] = simd_prefix_inclusive_sum(in[at]);
  exclusive[at] = simd_prefix_exclusive_sum(in[at]);
}
kernel void hierarchical(device const float* in, device float* out, uint tid [[thread_position_in_threadgroup]],
                         uint lane [[thread_index_in_simdgroup]], uint sg [[simdgroup_index_in_threadgroup]]) {
  threadgroup float sums[32];
  float value = simd_prefix_inclusive_sum(in[tid]);
  if (lane == 31) sums[sg] = value;
  threadgroup_barrier(mem_flags::mem_threadgroup);
  if (sg == 0) sums[lane] = simd_prefix_exclusive_sum(sums[lane]);
  threadgroup_barrier(mem_flags::mem_threadgroup);
  out[tid] = value + sums[sg];
}
kernel void bitonic(device int* data, uint tid [[thread_position_in_threadgroup]], uint size [[threads_per_threadgroup]],
                    uint group [[threadgroup_position_in_grid]]) {
  threadgroup int buffer[1024];
  buffer[tid] = data[group * size + tid];
  for (uint k = 2; k <= size; k *= 2)
    for (uint j = k / 2; j > 0; j /= 2) {
      threadgroup_barrier(mem_flags::mem_threadgroup);
      uint other = tid ^ j;
      if (other > tid) {
        int a = buffer[tid], b = buffer[other];
        if (((tid & k) == 0) == (a > b)) { buffer[tid] = b; buffer[other] = a; }
      }
    }
  threadgroup_barrier(mem_flags::mem_threadgroup);
  data[group * size + tid] = buffer[tid];
}
kernel void reversed(device const float* in, device float* out, uint tid [[thread_position_in_threadgroup]],
                     uint size [[threads_per_threadgroup]], uint at [[thread_position_in_grid]]) {
  threadgroup float buffer[1024];
  buffer[tid] = in[at];
  threadgroup_barrier(mem_flags::mem_threadgroup);
  out[at] = buffer[size - 1 - tid];
}
"""


@pytest.mark.parametrize("size", [1, 2, 31, 32, 33, 100, 256, 1024])
def test_block_scan(compile_: Compile, size: int) -> None:
    x = torch.randint(-9, 9, (3 * size,), dtype=torch.int32)
    out = torch.zeros_like(x)
    compile_(SCANS).block_scan(x, out, group_size=size)
    assert torch.equal(out.reshape(3, size), x.reshape(3, size).cumsum(1).int())


def test_simd_scans(compile_: Compile) -> None:
    x = torch.randint(-9, 9, (70,), dtype=torch.int32)
    inclusive, exclusive = torch.zeros_like(x), torch.zeros_like(x)
    compile_(SCANS).simd_scan(x, inclusive, exclusive, group_size=70)
    expected = torch.cat([part.cumsum(0) for part in x.split(32)]).int()
    assert torch.equal(inclusive, expected)
    assert torch.equal(exclusive, expected - x)


def test_hierarchical_scan(compile_: Compile) -> None:
    x = torch.randint(0, 9, (1024,)).float()
    out = torch.zeros(1024)
    compile_(SCANS).hierarchical(x, out, group_size=1024)
    assert torch.equal(out, x.cumsum(0))


@pytest.mark.parametrize("size", [2, 32, 64, 512, 1024])
def test_bitonic_sort(compile_: Compile, size: int) -> None:
    x = torch.randint(-1000, 1000, (4, size), dtype=torch.int32)
    expected = x.sort(1).values
    compile_(SCANS).bitonic(x, group_size=size)
    assert torch.equal(x, expected)


@pytest.mark.parametrize("size", [1, 32, 50, 256, 1024])
def test_exchange_through_threadgroup_memory(compile_: Compile, size: int) -> None:
    x, out = torch.randn(6 * size), torch.zeros(6 * size)
    compile_(SCANS).reversed(x, out, group_size=size)
    assert torch.equal(out.reshape(6, size), x.reshape(6, size).flip(1))


def test_a_group_at_the_edge_is_smaller(compile_: Compile) -> None:
    x, out = torch.randn(70), torch.zeros(70)
    compile_(SCANS).reversed(x, out, group_size=32)
    assert torch.equal(out, torch.cat([part.flip(0) for part in x.split(32)]))


ATOMICS = """
#include <c10/metal/atomic.h>
#include <c10/metal/random.h>
using namespace c10::metal;
template <typename T>
kernel void scatter(device AtomicType_t<T>* out, constant int* index, constant T* values, uint i [[thread_position_in_grid]]) {
  AtomicType<T>::atomic_add(out, index[i], values[i]);
}
#define ONE(T) template [[host_name("scatter_" #T)]] kernel void scatter<T>(device AtomicType_t<T>*, constant int*, constant T*, uint);
ONE(float) ONE(half) ONE(bfloat) ONE(int) ONE(long) ONE(short) ONE(char) ONE(uchar) ONE(bool)
kernel void every(device atomic_int* i, device atomic_uint* u, device atomic_float* f, device atomic_ulong* l,
                  device atomic_bool* b, device const int* x, uint at [[thread_position_in_grid]]) {
  int v = x[at];
  atomic_fetch_add_explicit(i, v, memory_order_relaxed);
  atomic_fetch_sub_explicit(i + 1, v, memory_order_relaxed);
  atomic_fetch_min_explicit(i + 2, v, memory_order_relaxed);
  atomic_fetch_max_explicit(i + 3, v, memory_order_relaxed);
  atomic_fetch_or_explicit(u, uint(v), memory_order_relaxed);
  atomic_fetch_and_explicit(u + 1, uint(v), memory_order_relaxed);
  atomic_fetch_xor_explicit(u + 2, uint(v), memory_order_relaxed);
  atomic_fetch_add_explicit(f, float(v), memory_order_relaxed);
  atomic_max_explicit(l, ulong(v) << 33, memory_order_relaxed);
  atomic_min_explicit(l + 1, ulong(v) << 33, memory_order_relaxed);
  if (v == 7) atomic_store_explicit(b, true, memory_order_relaxed);
  uint expected = atomic_load_explicit(u + 3, memory_order_relaxed);
  while (!atomic_compare_exchange_weak_explicit(u + 3, &expected, expected + 2, memory_order_relaxed, memory_order_relaxed)) {}
}
kernel void uniform(device float* out, constant long2& seed, uint i [[thread_position_in_grid]]) {
  out[i] = c10::metal::rand(seed.x, seed.y + i);
}
kernel void normal(device float* out, constant long2& seed, uint i [[thread_position_in_grid]]) {
  out[i] = c10::metal::randn(seed.x, seed.y + i);
}
kernel void integers(device long* out, constant long2& seed, uint i [[thread_position_in_grid]]) {
  out[i] = c10::metal::randint64(seed.x, seed.y + i, -3, 12);
}
"""
ATOMIC_DTYPES = DTYPES | {"char": torch.int8, "uchar": torch.uint8, "bool": torch.bool}


@pytest.mark.parametrize("t", ATOMIC_DTYPES)
def test_scattered_sums(compile_: Compile, t: str) -> None:
    dtype = ATOMIC_DTYPES[t]
    values = torch.randint(0, 2 if t == "bool" else 3, (400,)).to(dtype)
    index = torch.randint(0, 16, (400,), dtype=torch.int32)
    out = torch.zeros(16, dtype=dtype)
    compile_(ATOMICS).kernel("scatter_" + t)(out, index, values, threads=400, group_size=50)
    expected = torch.zeros(16, dtype=torch.float64).index_add(0, index.long(), values.double())
    assert torch.equal(out.double(), (expected > 0).double() if t == "bool" else expected)


def test_every_atomic_function(compile_: Compile) -> None:
    x = torch.randint(1, 100, (3000,), dtype=torch.int32)
    x[5] = 7
    i = torch.tensor([0, 0, 1000, -1000], dtype=torch.int32)
    u = torch.tensor([0, -1, 0, 0], dtype=torch.int32)
    f, b = torch.zeros(1), torch.zeros(4, dtype=torch.uint8)
    limits = torch.tensor([0, 1 << 60])
    compile_(ATOMICS).every(i, u, f, limits, b, x, threads=3000, group_size=100)
    values = x.tolist()
    bits_or, bits_and, bits_xor = 0, -1, 0
    for value in values:
        bits_or, bits_and, bits_xor = bits_or | value, bits_and & value, bits_xor ^ value
    assert i.tolist() == [sum(values), -sum(values), min(values), max(values)]
    assert u.tolist() == [bits_or, bits_and, bits_xor, 6000]
    assert f.item() == sum(values)
    assert limits.tolist() == [max(values) << 33, min(values) << 33]
    assert b[0] == 1


def philox_uniform(seed: int, offset: int) -> float:
    """The first word of Philox 4x32 (Salmon et al. 2011) with c10/metal/random.h's nine rounds, high
    words first, scaled to [0, 1).
    """
    low32 = 0xFFFFFFFF
    key = [seed >> 32, seed & low32]
    counter = [0, 0, offset >> 32, offset & low32]
    for _ in range(9):
        a, b = 0xD2511F53 * counter[0], 0xCD9E8D57 * counter[2]
        counter = [
            (b >> 32) ^ counter[1] ^ key[0], b & low32, (a >> 32) ^ counter[3] ^ key[1], a & low32,
        ]  # fmt: skip
        key = [(key[0] + 0x9E3779B9) & low32, (key[1] + 0xBB67AE85) & low32]
    return (counter[0] & 0x7FFFFFFF) * 4.6566127342e-10


def test_random_numbers_are_distributed_as_promised(compile_: Compile) -> None:
    out, normal = torch.zeros(20000), torch.zeros(20000)
    whole = torch.zeros(20000, dtype=torch.int64)
    library = compile_(ATOMICS)
    for kernel, target in (("uniform", out), ("normal", normal), ("integers", whole)):
        library.kernel(kernel)(target, [42, 0])
    assert out.min() >= 0
    assert out.max() < 1
    assert abs(out.mean() - 0.5) < 0.01
    assert abs(normal.mean()) < 0.03
    assert abs(normal.std() - 1) < 0.03
    assert sorted(set(whole.tolist())) == list(range(-3, 12))


def test_random_numbers_are_philox(compile_: Compile) -> None:
    out, seed = torch.zeros(50), (5 << 32) + 42
    compile_(ATOMICS).uniform(out, [seed, 7])
    expected = torch.tensor([philox_uniform(seed, 7 + i) for i in range(50)])
    torch.testing.assert_close(out, expected)


MATRICES = """
template <typename T>
kernel void product(device const T* a, device const T* b, device float* out, uint group [[threadgroup_position_in_grid]]) {
  simdgroup_matrix<T, 8, 8> left, right;
  simdgroup_float8x8 sum = make_filled_simdgroup_matrix<float, 8, 8>(0.0f);
  for (uint k = 0; k < 24; k += 8) {
    simdgroup_load(left, a, 24, ulong2(k, group * 8));
    simdgroup_load(right, b, 8, ulong2(0, k));
    simdgroup_multiply_accumulate(sum, left, right, sum);
  }
  simdgroup_store(sum, out, 8, ulong2(0, group * 8));
}
template [[host_name("product_float")]] kernel void product<float>(device const float*, device const float*, device float*, uint);
template [[host_name("product_half")]] kernel void product<half>(device const half*, device const half*, device float*, uint);
template [[host_name("product_bfloat")]] kernel void product<bfloat>(device const bfloat*, device const bfloat*, device float*, uint);
kernel void transposed(device const float* in, device float* out) {
  threadgroup float tile[64];
  simdgroup_float8x8 m;
  simdgroup_load(m, in, 8, 0, true);
  simdgroup_store(m, tile, 8);
  simdgroup_barrier(mem_flags::mem_threadgroup);
  simdgroup_load(m, tile);
  m.thread_elements()[0] *= 2;
  m.thread_elements()[1] *= 2;
  simdgroup_store(m, out);
}
kernel void diagonal(device float* out) {
  simdgroup_store(simdgroup_float8x8(3), out);
}
"""


@pytest.mark.parametrize("t", ["float", "half", "bfloat"])
def test_simdgroup_matrix_product(compile_: Compile, t: str) -> None:
    a, b, out = (
        torch.randn(16, 24).to(DTYPES[t]),
        torch.randn(24, 8).to(DTYPES[t]),
        torch.zeros(16, 8),
    )
    compile_(MATRICES).kernel("product_" + t)(a, b, out, threads=64, group_size=32)
    torch.testing.assert_close(out, a.float() @ b.float(), rtol=1e-5, atol=1e-4)


def test_simdgroup_matrix_load_store_and_elements(compile_: Compile) -> None:
    x, out = torch.randn(8, 8), torch.zeros(8, 8)
    compile_(MATRICES).transposed(x, out, threads=32)
    assert torch.equal(out, 2 * x.t())
    compile_(MATRICES).diagonal(out, threads=32)
    assert torch.equal(out, 3 * torch.eye(8))
