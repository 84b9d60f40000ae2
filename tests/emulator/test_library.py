"""The Python face: what torch.mps.compile_shader's library does, on the CPU."""

# ruff: noqa: E501  (Metal text and tables of cases read best unbroken)

import copy
import threading

import numpy as np
import pytest
import torch

from mkls.emulator.errors import CompileError
from mkls.emulator.kernel import KernelCrash
from mkls.emulator.library import compile_source
from mkls.emulator.settings import EmulatorSettings
from tests.emulator.kernels import PRELUDE, Compile

FULL = """
kernel void full(device float* out, constant float& value, uint i [[thread_position_in_grid]]) { out[i] = value; }
kernel void scaled(device float* out, device const float* in, constant long& factor, uint i [[thread_position_in_grid]]) { out[i] = in[i] * factor; }
[[max_total_threads_per_threadgroup(64)]] kernel void small(device float* out, uint i [[thread_position_in_grid]]) { out[i] = 1; }
kernel void optional(device float* out, device const float* bias, uint i [[thread_position_in_grid]]) { out[i] = bias ? bias[i] : -1; }
"""


def test_a_call_as_in_torchs_documentation(compile_: Compile) -> None:
    x = torch.zeros(16)
    compile_(FULL).full(x, 3.14)
    assert torch.equal(x, torch.full((16,), 3.14))


def test_names_and_properties(compile_: Compile) -> None:
    library = compile_(FULL)
    assert dir(library) == ["full", "optional", "scaled", "small"]
    assert library.host_names() == ("full", "scaled", "small", "optional")
    assert library.full.max_threads_per_threadgroup == 1024
    assert library.small.max_total_threads_per_threadgroup == 64
    assert library.full.thread_execution_width == 32
    assert (library.full.path, library.full.line) == ("program_source", 4)
    assert not hasattr(library, "nothing")
    with pytest.raises(AttributeError, match="no kernel `nothing`"):
        _ = library.nothing


def test_a_library_can_be_copied(compile_: Compile) -> None:
    x = torch.zeros(2)
    copy.copy(compile_(FULL)).full(x, 2.0)
    assert x.tolist() == [2.0, 2.0]


def test_a_view_is_written_where_it_lies(compile_: Compile) -> None:
    x = torch.zeros(4, 6)
    column = x[1:, 2]
    compile_(FULL).full(column, 1.0, threads=1)
    assert (x[1, 2], x.sum()) == (1, 1)
    array = np.zeros(5, dtype=np.float32)
    compile_(FULL).full(array, 2.0)
    assert array.tolist() == [2.0] * 5


@pytest.mark.parametrize("casts", [{2: "int32"}, {"factor": "int32"}])
def test_casts(compile_: Compile, casts: dict[object, str]) -> None:
    source = FULL.replace("constant long& factor", "constant int2& factor").replace(
        "* factor", "* factor.y"
    )
    x, out = torch.ones(3), torch.zeros(3)
    compile_(source).scaled(out, x, [0, 4], arg_casts=casts)
    assert out.tolist() == [4.0] * 3


def test_a_nil_buffer(compile_: Compile) -> None:
    out = torch.zeros(3)
    compile_(FULL).optional(out, None)
    assert out.tolist() == [-1.0] * 3


def test_nothing_to_do_is_no_error(compile_: Compile) -> None:
    compile_(FULL).full(torch.zeros(0), 1.0)
    assert compile_(FULL).full.run(torch.zeros(0), 1.0).milliseconds == 0


def test_a_missing_argument_is_named(compile_: Compile) -> None:
    with pytest.raises(TypeError, match=r"misses `value` \(buffer 1\)"):
        compile_(FULL).full(torch.zeros(3))


def test_a_wrong_argument_is_named(compile_: Compile) -> None:
    with pytest.raises(TypeError, match=r"argument 1 \(`value`\) of `full`"):
        compile_(FULL).full(torch.zeros(3), "text")


def test_a_threadgroup_that_is_too_large(compile_: Compile) -> None:
    with pytest.raises(ValueError, match="larger than the kernel's 64"):
        compile_(FULL).small(torch.zeros(100), group_size=100)


def test_kernels_may_be_compiled_one_by_one(emulator_settings: EmulatorSettings) -> None:
    broken = "template <typename T> kernel void f(device T* a) { a->nope(); }\n"
    source = (
        PRELUDE + FULL + broken + 'template [[host_name("f")]] kernel void f<int>(device int*);'
    )
    library = compile_source(source, kernels=["full"], settings=emulator_settings)
    library.full(torch.zeros(3), 1.0)
    with pytest.raises(CompileError):
        library.kernel("f").run(torch.zeros(3))
    with pytest.raises(KeyError, match="`g`"):
        compile_source(source, kernels=["g"], settings=emulator_settings)


def test_the_language_version_is_selectable(emulator_settings: EmulatorSettings) -> None:
    source = "kernel void v(device int* out) { out[0] = __METAL_VERSION__; }"
    seen = []
    for version in ("3.1", "3.2", "4.0"):
        out = torch.zeros(1, dtype=torch.int32)
        compile_source(source, language_version=version, settings=emulator_settings).v(out)
        seen.append(out.item())
    assert seen == [310, 320, 400]
    with pytest.raises(ValueError, match=r"no Metal language version '9.9'"):
        compile_source(source, language_version="9.9", settings=emulator_settings)


def test_function_constants(emulator_settings: EmulatorSettings) -> None:
    source = PRELUDE + (
        "constant int a [[function_constant(0)]]; constant bool b [[function_constant(1)]];\n"
        "constant int c = is_function_constant_defined(b) ? 100 : 200;\n"
        "kernel void k(device int* out) { out[0] = a + b + c; }"
    )
    for values, expected in (({}, 200), ({0: 5}, 205), ({"a": 5, "b": True}, 106)):
        out = torch.zeros(1, dtype=torch.int32)
        compile_source(source, function_constants=values, settings=emulator_settings).k(out)
        assert out.item() == expected


def test_threadgroup_arguments(compile_: Compile) -> None:
    source = (
        "kernel void k(device int* out, threadgroup int* a [[threadgroup(0)]], threadgroup int* b [[threadgroup(1)]],"
        " uint i [[thread_position_in_threadgroup]]) { a[i] = i; b[i] = 10 * i;"
        " threadgroup_barrier(mem_flags::mem_threadgroup); out[i] = a[31 - i] + b[31 - i]; }"
    )
    out = torch.zeros(32, dtype=torch.int32)
    compile_(source).k.run(out, threadgroup_memory={0: 128, 1: 128})
    assert out.tolist() == [11 * (31 - i) for i in range(32)]


DANGEROUS = """
kernel void divide(device int* out, device const int* a, device const int* b, uint i [[thread_position_in_grid]]) {
  out[2 * i] = a[i] / b[i];
  out[2 * i + 1] = a[i] % b[i];
}
kernel void divide_long(device long* out, device const long* a, device const long* b, uint i [[thread_position_in_grid]]) {
  out[2 * i] = a[i] / b[i];
  out[2 * i + 1] = a[i] % b[i];
}
int fall(int n, device int* out) { int a[64]; for (int i = 0; i < 64; i++) a[i] = n + i; out[0] = a[n & 63]; return n < 0 ? 0 : fall(n + 1, out) + a[(n + 1) & 63]; }
kernel void recurse(device int* out) { out[0] = fall(1, out); }
kernel void recurse_on_fiber(device int* out) { out[0] = fall(1, out) + simd_sum(1); }
kernel void spin(device atomic_int* out) { while (atomic_load_explicit(out, memory_order_relaxed) == 0) {} }
kernel void stray(device int* out, uint i [[thread_position_in_grid]]) { out[i + (1ul << 44)] = 1; }
kernel void nil(device int* out, device int* other) { other[0] = out[0]; }
kernel void fine(device int* out, uint i [[thread_position_in_grid]]) { out[i] = i; }
"""


def still_works(compile_: Compile) -> bool:
    out = torch.zeros(3000, dtype=torch.int32)
    compile_(DANGEROUS).fine(out, group_size=64)
    return torch.equal(out, torch.arange(3000, dtype=torch.int32))


@pytest.mark.parametrize("kernel", ["divide", "divide_long"])
def test_integer_division_by_zero_has_a_value(compile_: Compile, kernel: str) -> None:
    dtype = torch.int32 if kernel == "divide" else torch.int64
    lowest = torch.iinfo(dtype).min
    a = torch.tensor([7, -7, lowest, 9, lowest], dtype=dtype)
    b = torch.tensor([0, 0, -1, 2, 0], dtype=dtype)
    out = torch.zeros(5, 2, dtype=dtype)
    compile_(DANGEROUS).kernel(kernel)(out, a, b, threads=5)
    assert out.tolist() == [[0, 7], [0, -7], [lowest, 0], [4, 1], [0, lowest]]


@pytest.mark.parametrize("kernel", ["recurse", "recurse_on_fiber"])
def test_endless_recursion_ends_the_launch_only(compile_: Compile, kernel: str) -> None:
    outcome = compile_(DANGEROUS).kernel(kernel).run(torch.zeros(4, dtype=torch.int32), threads=40)
    assert outcome.status == "crashed"
    assert kernel in outcome.message
    assert still_works(compile_)


@pytest.mark.parametrize(
    ("kernel", "message"),
    [("stray", "that belongs to no buffer|which belongs to no buffer"), ("nil", "nil buffer")],
)
def test_a_memory_fault_ends_the_launch_only(compile_: Compile, kernel: str, message: str) -> None:
    args = [torch.zeros(4, dtype=torch.int32)] + [None] * (kernel == "nil")
    with pytest.raises(KernelCrash, match=message):
        compile_(DANGEROUS).kernel(kernel)(*args)
    assert still_works(compile_)


def test_an_endless_loop_runs_into_the_deadline(
    emulator_settings: EmulatorSettings, compile_: Compile
) -> None:
    settings = EmulatorSettings(
        cache_directory=emulator_settings.cache_directory, deadline_seconds=0.2
    )
    library = compile_source(PRELUDE + DANGEROUS, kernels=["spin"], settings=settings)
    outcome = library.kernel("spin").run(
        torch.zeros(1, dtype=torch.int32), threads=100, group_size=10
    )
    assert outcome.status == "timed-out"
    line = next(
        n for n, text in enumerate((PRELUDE + DANGEROUS).split("\n"), 1) if "void spin" in text
    )
    assert outcome.message.startswith(f"program_source:{line}:")
    assert still_works(compile_)


def test_launches_from_several_threads_take_turns(compile_: Compile) -> None:
    results: list[bool] = []
    workers = [
        threading.Thread(target=lambda: results.append(still_works(compile_))) for _ in range(6)
    ]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    assert results == [True] * 6


@pytest.mark.parametrize("cores", [1, 2, 7])
def test_any_number_of_cores_gives_the_same(
    emulator_settings: EmulatorSettings, cores: int
) -> None:
    source = PRELUDE + (
        "kernel void k(device float* out, device const float* in, uint i [[thread_position_in_grid]], uint t [[thread_position_in_threadgroup]]) {"
        " threadgroup float buf[64]; buf[t] = in[i]; for (int r = 0; r < 3; r++) { threadgroup_barrier(mem_flags::mem_threadgroup);"
        " float v = buf[63 - t]; threadgroup_barrier(mem_flags::mem_threadgroup); buf[t] = v + simd_sum(v); } out[i] = buf[t]; }"
    )
    settings = EmulatorSettings(cache_directory=emulator_settings.cache_directory, cores=cores)
    x = torch.randint(0, 9, (6400,)).float()
    out, expected = torch.zeros(6400), x.reshape(-1, 64)
    compile_source(source, settings=settings).k(out, x, group_size=64)
    for _ in range(3):
        v = expected.flip(1)
        expected = v + v.reshape(-1, 2, 32).sum(2).repeat_interleave(32, 1)
    assert torch.equal(out, expected.reshape(-1))
