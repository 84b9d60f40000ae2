"""Planted bugs are found with kind, line and argument; their repaired twins are clean."""

# ruff: noqa: E501  (Metal text and tables of cases read best unbroken)

from typing import Any

import pytest
import torch

from mkls.emulator.findings import Finding
from tests.emulator.kernels import Compile

ARGUMENTS = (
    "uint tid [[thread_position_in_threadgroup]], uint i [[thread_position_in_grid]],"
    " uint n [[threads_per_threadgroup]], uint lane [[thread_index_in_simdgroup]]"
)
BARRIER = "threadgroup_barrier(mem_flags::mem_threadgroup);"
MARK = "/*!*/"


def kernel(parameters: str, body: str) -> str:
    return f"kernel void k({parameters}, {ARGUMENTS}) {{\n{body}\n}}"


def floats(count: int) -> torch.Tensor:
    return torch.randn(count)


def ints(*values: int) -> torch.Tensor:
    return torch.tensor(values, dtype=torch.int32)


HELPER = (
    "template <typename T> inline void put(device T* p, long at, T v) {\n  p[at] = v; /*!*/\n}\n"
)
IN_OUT = "device const float* in, device float* out"
INTS = "device const int* in, device int* out"

# name: kind, argument, buggy text, repaired text, arguments, threads, group size
PLANTED: dict[str, tuple[str, str | None, str, str, Any, int, int]] = {
    "read past the end": (
        "out-of-bounds-read", "in",
        kernel(IN_OUT, "out[i] = in[i + 1]; /*!*/"), kernel(IN_OUT, "out[i] = in[min(i + 1, 63u)];"),
        lambda: (floats(64), torch.zeros(64)), 64, 64),
    "write past the end": (
        "out-of-bounds-write", "out",
        kernel(IN_OUT, "out[2 * i] = in[i]; /*!*/"), kernel(IN_OUT, "if (2 * i < 64) out[2 * i] = in[i];"),
        lambda: (floats(64), torch.zeros(64)), 64, 64),
    "read before the start": (
        "out-of-bounds-read", "in",
        kernel(IN_OUT, "out[i] = in[int(i) - 1]; /*!*/"), kernel(IN_OUT, "out[i] = in[max(int(i) - 1, 0)];"),
        lambda: (floats(64), torch.zeros(64)), 64, 64),
    "an index that wraps far": (
        "out-of-bounds-read", "in",
        kernel(IN_OUT, "out[i] = in[i - 1]; /*!*/"), kernel(IN_OUT, "out[i] = in[i ? i - 1 : 0];"),
        lambda: (floats(64), torch.zeros(64)), 64, 64),
    "a write in a template helper": (
        "out-of-bounds-write", "out",
        HELPER + kernel(IN_OUT, "put<float>(out, i + 5, in[i]);"), HELPER + kernel(IN_OUT, "put<float>(out, i, in[i]);"),
        lambda: (floats(32), torch.zeros(32)), 32, 32),
    "a vector read at the end": (
        "out-of-bounds-read", "in",
        kernel("device const float4* in, device float* out", "out[i] = in[i].w; /*!*/"),
        kernel("device const float4* in, device float* out", "out[i] = in[i / 4].w;"),
        lambda: (floats(32), torch.zeros(32)), 32, 32),
    "bytes too few": (
        "out-of-bounds-read", "size",
        kernel("constant int* size, device int* out", "out[i] = size[2]; /*!*/"),
        kernel("constant int* size, device int* out", "out[i] = size[1];"),
        lambda: (5, torch.zeros(4, dtype=torch.int32)), 4, 4),
    "a slice has neighbours": (
        "out-of-bounds-write", "out",
        kernel("device float* out", "out[i + 1] = 1; /*!*/"), kernel("device float* out", "out[i] = 1;"),
        lambda: (torch.zeros(100)[10:42],), 32, 32),
    "threadgroup array too small": (
        "out-of-bounds-write", "buf",
        kernel(IN_OUT, f"threadgroup float buf[32];\nbuf[tid] = in[i]; /*!*/\n{BARRIER}\nout[i] = buf[0];"),
        kernel(IN_OUT, f"threadgroup float buf[64];\nbuf[tid] = in[i];\n{BARRIER}\nout[i] = buf[0];"),
        lambda: (floats(64), torch.zeros(64)), 64, 64),
    "threadgroup argument too small": (
        "out-of-bounds-write", "threadgroup(0)",
        kernel(IN_OUT + ", threadgroup float* buf [[threadgroup(0)]]", "buf[tid + 8160] = in[i]; /*!*/"),
        kernel(IN_OUT + ", threadgroup float* buf [[threadgroup(0)]]", "buf[tid + 8000] = in[i];"),
        lambda: (floats(64), torch.zeros(64)), 64, 64),
    "a local array": (
        "array-index-out-of-bounds", None,
        kernel(INTS, "int a[4] = {1, 2, 3, 4};\nout[i] = a[in[i]]; /*!*/"),
        kernel(INTS, "int a[4] = {1, 2, 3, 4};\nout[i] = a[in[i] & 3];"),
        lambda: (ints(0, 1, 2, 4), ints(0, 0, 0, 0)), 4, 4),
    "a missing barrier": (
        "data-race", "buf",
        kernel(IN_OUT, "threadgroup float buf[256];\nbuf[tid] = in[i];\nout[i] = buf[n - 1 - tid]; /*!*/"),
        kernel(IN_OUT, f"threadgroup float buf[256];\nbuf[tid] = in[i];\n{BARRIER}\nout[i] = buf[n - 1 - tid];"),
        lambda: (floats(256), torch.zeros(256)), 256, 256),
    "a reused buffer": (
        "data-race", "buf",
        kernel(IN_OUT, f"threadgroup float buf[64];\nfor (int r = 0; r < 2; r++) {{\nbuf[tid] = in[i] + r; /*!*/\n{BARRIER}\nout[i] = buf[63 - tid];\n}}"),
        kernel(IN_OUT, f"threadgroup float buf[64];\nfor (int r = 0; r < 2; r++) {{\nbuf[tid] = in[i] + r;\n{BARRIER}\nout[i] = buf[63 - tid];\n{BARRIER}\n}}"),
        lambda: (floats(64), torch.zeros(64)), 64, 64),
    "a lost update": (
        "data-race", "out",
        kernel(IN_OUT, "out[0] += in[i]; /*!*/"),
        kernel("device const float* in, device atomic_float* out", "atomic_fetch_add_explicit(out, in[i], memory_order_relaxed);"),
        lambda: (floats(64), torch.zeros(1)), 64, 32),
    "two groups, one place": (
        "data-race", "out",
        kernel(IN_OUT, "out[tid] = in[i]; /*!*/"), kernel(IN_OUT, "out[i] = in[i];"),
        lambda: (floats(64), torch.zeros(64)), 64, 32),
    "an atomic and a plain access": (
        "data-race", "out",
        kernel("device const int* in, device atomic_int* out", "if (tid == 0) *(device int*)out = 0; /*!*/\nelse atomic_fetch_add_explicit(out, in[i], memory_order_relaxed);"),
        kernel("device const int* in, device atomic_int* out", "if (tid == 0) *(device int*)out = 0;\nthreadgroup_barrier(mem_flags::mem_device);\natomic_fetch_add_explicit(out, in[i], memory_order_relaxed);"),
        lambda: (ints(*range(32)), ints(0)), 32, 32),
    "the last reader writes": (
        "data-race", "buf",
        kernel(IN_OUT, f"threadgroup float buf[64];\nbuf[tid] = in[i];\n{BARRIER}\nfloat v = buf[0];\nif (tid == 63) buf[0] = v + 1; /*!*/\nout[i] = v;"),
        kernel(IN_OUT, f"threadgroup float buf[64];\nbuf[tid] = in[i];\n{BARRIER}\nfloat v = buf[0];\n{BARRIER}\nif (tid == 63) buf[0] = v + 1;\nout[i] = v;"),
        lambda: (floats(64), torch.zeros(64)), 64, 64),
    "all write the same": (
        "same-value-race", "out",
        kernel(IN_OUT, "out[0] = 1; /*!*/"), kernel(IN_OUT, "if (i == 0) out[0] = 1;"),
        lambda: (floats(64), torch.zeros(64)), 64, 64),
    "half a threadgroup at the barrier": (
        "barrier-divergence", None,
        kernel(IN_OUT, f"if (tid < 16) {{\n{BARRIER} /*!*/\n}}\nout[i] = in[i];"),
        kernel(IN_OUT, f"if (n > 16) {{\n{BARRIER}\n}}\nout[i] = in[i];"),
        lambda: (floats(32), torch.zeros(32)), 32, 32),
    "two barriers at once": (
        "barrier-divergence", None,
        kernel(IN_OUT, f"if (tid < 16) {{\n{BARRIER} /*!*/\n}} else {{\n{BARRIER}\n}}\nout[i] = in[i];"),
        kernel(IN_OUT, f"if (n < 16) {{\n{BARRIER}\n}} else {{\n{BARRIER}\n}}\nout[i] = in[i];"),
        lambda: (floats(32), torch.zeros(32)), 32, 32),
    "an early return before a barrier": (
        "barrier-divergence", None,
        kernel(IN_OUT, f"if (i >= 20) return;\n{BARRIER} /*!*/\nout[i] = in[i];"),
        kernel(IN_OUT, f"{BARRIER}\nif (i >= 20) return;\nout[i] = in[i];"),
        lambda: (floats(32), torch.zeros(32)), 32, 32),
    "half the buffer is filled": (
        "uninitialized-read", "buf",
        kernel(IN_OUT, f"threadgroup float buf[64];\nif (tid < 32) buf[tid] = in[i];\n{BARRIER}\nout[i] = buf[tid]; /*!*/"),
        kernel(IN_OUT, f"threadgroup float buf[64];\nbuf[tid] = tid < 32 ? in[i] : 0;\n{BARRIER}\nout[i] = buf[tid];"),
        lambda: (floats(64), torch.zeros(64)), 64, 64),
    "a counter that nobody cleared": (
        "uninitialized-read", "counter",
        kernel(INTS, "threadgroup atomic_int counter;\natomic_fetch_add_explicit(&counter, 1, memory_order_relaxed); /*!*/\nout[i] = in[i];"),
        kernel(INTS, f"threadgroup atomic_int counter;\nif (tid == 0) atomic_store_explicit(&counter, 0, memory_order_relaxed);\n{BARRIER}\natomic_fetch_add_explicit(&counter, 1, memory_order_relaxed);\nout[i] = in[i];"),
        lambda: (ints(*range(32)), ints(*range(32))), 32, 32),
    "a nil buffer is read": (
        "nil-buffer", None,
        kernel("device const float* bias, device float* out", "out[i] = bias[i]; /*!*/"),
        kernel("device const float* bias, device float* out", "out[i] = bias ? bias[i] : 0;"),
        lambda: (None, torch.zeros(8)), 8, 8),
    "a nil buffer is written": (
        "nil-buffer", None,
        kernel("device float* mask, device float* out", "out[i] = 1;\nmask[i] = 2; /*!*/"),
        kernel("device float* mask, device float* out", "out[i] = 1;\nif (mask) mask[i] = 2;"),
        lambda: (None, torch.zeros(8)), 8, 8),
    "bytes are read-only": (
        "read-only-write", "value",
        kernel("device long* value, device float* out", "if (i == 0) *value = 7; /*!*/\nout[i] = 1;"),
        kernel("device long* value, device float* out", "out[i] = float(*value);"),
        lambda: (5, torch.zeros(8)), 8, 8),
    "a division by zero": (
        "division-by-zero", None,
        kernel(INTS, "out[i] = 100 / in[i]; /*!*/"), kernel(INTS, "out[i] = in[i] ? 100 / in[i] : 0;"),
        lambda: (ints(1, 0, 2, 3), ints(0, 0, 0, 0)), 4, 4),
    "a shift that is too far": (
        "shift-out-of-range", None,
        kernel(INTS, "out[i] = 1 << in[i]; /*!*/"), kernel(INTS, "out[i] = 1 << (in[i] & 31);"),
        lambda: (ints(1, 32, 2, 3), ints(0, 0, 0, 0)), 4, 4),
    "a lane that is not there": (
        "simdgroup-lanes", None,
        kernel(IN_OUT, "out[i] = simd_shuffle_down(in[i], 1); /*!*/"),
        kernel(IN_OUT, "out[i] = simd_shuffle_down(in[i], 0);"),
        lambda: (floats(20), torch.zeros(20)), 20, 20),
    "a lane that went elsewhere": (
        "simdgroup-lanes", None,
        kernel(IN_OUT, "float v = in[i];\nif (lane < 16) v = simd_broadcast(v, 20); /*!*/\nout[i] = v;"),
        kernel(IN_OUT, "float v = in[i];\nfloat w = simd_broadcast(v, 20);\nif (lane < 16) v = w;\nout[i] = v;"),
        lambda: (floats(32), torch.zeros(32)), 32, 32),
    "a misaligned atomic": (
        "misaligned-access", "out",
        kernel("device char* out", "atomic_fetch_add_explicit((device atomic_int*)(out + 2), 1, memory_order_relaxed); /*!*/"),
        kernel("device char* out", "atomic_fetch_add_explicit((device atomic_int*)(out + 4), 1, memory_order_relaxed);"),
        lambda: (torch.zeros(64, dtype=torch.int8),), 8, 8),
}  # fmt: skip


def findings_of(compile_: Compile, source: str, case: str) -> tuple[Finding, ...]:
    *_, make, threads, group_size = PLANTED[case]
    library = compile_(source, checked=True)
    outcome = library.kernel("k").run(*make(), threads=threads, group_size=group_size)
    assert outcome.status == "completed", outcome.message
    return outcome.findings


@pytest.mark.parametrize("case", PLANTED)
def test_the_planted_bug_is_found(compile_: Compile, case: str) -> None:
    kind, argument, source, *_ = PLANTED[case]
    line = next(n for n, text in enumerate(source.split("\n"), 3) if MARK in text)
    found = findings_of(compile_, source, case)
    here = [f for f in found if f.kind == kind and line in (f.line, *(r.line for r in f.related))]
    assert here, found
    assert here[0].path == "program_source"
    assert argument in (None, here[0].argument)
    assert {f.kind for f in found} == {kind}


@pytest.mark.parametrize("case", PLANTED)
def test_the_repaired_twin_is_clean(compile_: Compile, case: str) -> None:
    assert findings_of(compile_, PLANTED[case][3], case) == ()


def test_index_length_and_thread_are_exact(compile_: Compile) -> None:
    source = kernel(IN_OUT, "out[i] = in[i + 3];")
    x, out = floats(64), torch.zeros(64)
    (found,) = (
        compile_(source, checked=True).kernel("k").run(x, out, threads=64, group_size=32).findings
    )
    assert (found.argument, found.buffer, found.index, found.length, found.count) == (
        "in",
        0,
        64,
        64,
        3,
    )
    assert (found.thread, found.threadgroup) == ((61, 0, 0), (1, 0, 0))
    assert found.message == "reads `in`[64], which has 64 elements"


def test_a_race_names_both_sides(compile_: Compile) -> None:
    source = PLANTED["a missing barrier"][2]
    found = findings_of(compile_, source, "a missing barrier")
    lines = {(f.line, f.related[0].line) for f in found}
    assert lines == {(5, 6), (6, 5)}


def test_a_kernel_goes_on_after_a_stray_read(compile_: Compile) -> None:
    x, out = torch.ones(64), torch.full((64,), 9.0)
    compile_(kernel(IN_OUT, "out[i] = in[i + 1];"), checked=True).k(x, out, group_size=64)
    assert out.tolist() == [1.0] * 63 + [0.0]


def test_arguments_that_share_a_storage_share_it_in_a_checked_run(compile_: Compile) -> None:
    x = torch.arange(8.0)
    source = "kernel void k(device float* a, device const float* b, uint i [[thread_position_in_grid]]) { a[i] = 2 * b[i]; }"
    compile_(source, checked=True).k(x[:4], x[4:])
    assert x.tolist() == [8, 10, 12, 14, 4, 5, 6, 7]


def test_findings_are_the_same_every_time(compile_: Compile) -> None:
    case = "a reused buffer"
    torch.manual_seed(0)
    first = findings_of(compile_, PLANTED[case][2], case)
    torch.manual_seed(0)
    assert findings_of(compile_, PLANTED[case][2], case) == first


def test_a_library_collects_its_findings(compile_: Compile) -> None:
    library = compile_(kernel("device float* out", "out[i + 40] = 1;"), checked=True)
    library.k(torch.zeros(32), group_size=32)
    assert [f.kind for f in library.findings] == ["out-of-bounds-write"]
