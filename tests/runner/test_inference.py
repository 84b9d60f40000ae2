"""Guessing a launch from nothing but the signature."""

import pytest

from mkls.runner.argument_types import memory_of
from mkls.runner.inference import ELEMENTS, Guess, grid, guess, is_safe, threadgroup
from mkls.runner.request import Argument, KernelSpec

TID = Argument("tid", "uint", "builtin", attribute="thread_position_in_grid")


def spec(*arguments):
    return KernelSpec("k", "k", "/k.metal", 1, arguments)


@pytest.mark.parametrize(
    ("written", "base", "dtype", "lanes", "pointer"),
    [
        ("device float *", "float", "float32", 1, True),
        ("device const half * __restrict", "half", "float16", 1, True),
        ("constant uint &", "uint", "uint32", 1, False),
        ("constant float3 &", "float3", "float32", 4, False),
        ("constant metal::packed_float3 *", "packed_float3", "float32", 3, True),
        ("device vec<bfloat, 4> *", "bfloat4", "bfloat16", 4, True),
        ("device atomic_uint *", "uint", "uint32", 1, True),
        ("device metal::atomic<int> *", "int", "int32", 1, True),
        ("device AtomicType_t < half > *", "half", "float16", 1, True),
        ("constant unsigned char *", "uchar", "uint8", 1, True),
        ("constant unsigned &", "uint", "uint32", 1, False),
        ("device uint8_t *", "uint8_t", "uint8", 1, True),
        ("constant bool &", "bool", "bool", 1, False),
        ("device void *", "void", None, 1, True),
        ("constant Params &", "Params", None, 1, False),
    ],
)
def test_types_tell_the_memory(written, base, dtype, lanes, pointer):
    memory = memory_of(Argument("x", written))

    assert (memory.base, memory.lanes, memory.is_pointer) == (base, lanes, pointer)
    assert (memory.element.torch if memory.element else None) == dtype


def test_a_lone_size_is_the_number_of_elements():
    size = Argument("n", "constant uint &", index=1)
    only = spec(Argument("x", "device float *", index=0), size, TID)

    assert guess(size, only) == Guess(elements=1, number=ELEMENTS)


def test_several_sizes_stay_within_together():
    rows, columns = (
        Argument("M", "constant int &", index=1),
        Argument("N", "constant int &", index=2),
    )
    both = spec(Argument("x", "device float *", index=0), rows, columns, TID)

    for size in (rows, columns):
        found = guess(size, both)
        assert found is not None
        assert found.number is not None
        assert found.number**2 <= ELEMENTS


def test_other_numbers_are_one():
    stride = Argument("row_stride", "constant long &", index=1)
    scale = Argument("scale", "constant float &", index=2)

    assert guess(stride, spec(stride)) == Guess(elements=1, number=1)
    assert guess(scale, spec(scale)) == Guess(elements=1, number=1)


def test_structs_and_pointers_to_pointers_need_their_author():
    for written in ("constant Params &", "device Params *", "device float * constant *"):
        argument = Argument("x", written)
        assert guess(argument, spec(argument)) is None


def test_the_grid_has_the_dimensions_that_the_kernel_asks_for():
    assert grid(spec(TID)) == (1024,)
    assert grid(spec(Argument("tid", "uint2", "builtin", attribute="thread_position_in_grid"))) == (
        32,
        32,
    )


def test_threads_that_work_together_get_a_threadgroup():
    lane = Argument("lane", "uint", "builtin", attribute="thread_index_in_simdgroup")

    assert threadgroup(spec(TID), (1024,)) is None
    assert threadgroup(spec(TID, lane), (1024,)) == (256,)
    assert threadgroup(spec(TID, lane), (8,)) == (8,)


def test_a_guess_is_trusted_only_where_it_can_hardly_be_wrong():
    x = Argument("x", "device float *", index=0)
    n = Argument("n", "constant uint &", index=1)
    offset = Argument("offset", "constant uint &", index=2)
    matrix = Argument("tid", "uint2", "builtin", attribute="thread_position_in_grid")

    assert is_safe(spec(x, TID))
    assert is_safe(spec(x, n, TID))
    assert not is_safe(spec(x, n, offset, TID))
    assert not is_safe(spec(x, matrix))
    assert not is_safe(spec(x))
