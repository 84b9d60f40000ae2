"""Grids and arguments, as torch.mps.compile_shader has them."""

# ruff: noqa: E501  (Metal text and tables of cases read best unbroken)

import ctypes
import struct

import numpy as np
import pytest
import torch

from mkls.emulator.launch import geometry
from mkls.emulator.launch_arguments import BoundBuffer, bind, cast_of
from tests.emulator.kernels import Compile


def data(buffer: BoundBuffer | None) -> bytes:
    assert buffer
    return ctypes.string_at(buffer.address, buffer.extent)


@pytest.mark.parametrize(
    ("value", "cast", "expected"),
    [
        (3, None, struct.pack("q", 3)),
        (-1, None, struct.pack("q", -1)),
        (True, None, struct.pack("q", 1)),
        (3.5, None, struct.pack("f", 3.5)),
        ([1, 2], None, struct.pack("2q", 1, 2)),
        ((1.5, 2), None, struct.pack("2f", 1.5, 2)),
        (3, "int32", struct.pack("i", 3)),
        ([1, -2], "int16", struct.pack("2h", 1, -2)),
        (200, "uint8", b"\xc8"),
        (-1, "int8", b"\xff"),
        (1.5, "fp16", struct.pack("e", 1.5)),
        (1e9, "fp16", struct.pack("e", float("inf"))),
        (1.0, "bf16", b"\x80\x3f"),
        (1.00390625, "bf16", b"\x80\x3f"),
        (7.9, "int32", struct.pack("i", 7)),
        (1e39, None, struct.pack("f", float("inf"))),
        (b"abc", None, b"abc"),
    ],
)
def test_values_are_encoded_as_torch_does(value: object, cast: str | None, expected: bytes) -> None:
    assert data(bind(value, cast)) == expected


@pytest.mark.parametrize(
    ("value", "error"),
    [("text", TypeError), ([], TypeError), ({}, TypeError), ([1, "a"], TypeError)],
)
def test_what_has_no_bytes_is_refused(value: object, error: type[Exception]) -> None:
    with pytest.raises(error):
        bind(value)


def test_an_unknown_cast_is_refused() -> None:
    with pytest.raises(ValueError, match="unknown cast 'int7'"):
        bind(1, "int7")


def test_none_is_a_nil_buffer() -> None:
    assert bind(None) is None


def test_a_view_is_bound_by_its_storage() -> None:
    x = torch.arange(20.0)
    view = x[4:].view(4, 4).t()[1:, :2]
    bound = bind(view)
    assert bound
    assert bound.address == view.data_ptr()
    assert (bound.before, bound.extent, bound.count) == (20, 4 * 7, 6)


def test_arrays_and_buffers_are_bound_in_place() -> None:
    array = np.arange(12, dtype=np.int16)[2:8:2]
    bound = bind(array)
    assert bound
    assert (bound.address, bound.before, bound.extent) == (array.ctypes.data, 4, 10)
    memory = bytearray(8)
    kept = bind(memory)
    assert kept
    ctypes.memset(kept.address, 7, 8)
    assert memory == b"\7" * 8


def test_casts_are_found_by_position_or_name() -> None:
    assert cast_of("int32", 3, "x") == "int32"
    assert cast_of({3: "int16"}, 3, "x") == "int16"
    assert cast_of({"x": "fp16"}, 3, "x") == "fp16"
    assert cast_of({2: "int8"}, 3, "x") is None
    assert cast_of(None, 3, "x") is None


@pytest.mark.parametrize(
    ("threads", "group_size", "elements", "expected"),
    [
        (None, None, 100, ((100, 1, 1), (100, 1, 1))),
        (None, None, 5000, ((5000, 1, 1), (1024, 1, 1))),
        (7, 3, None, ((7, 1, 1), (3, 1, 1))),
        ([8, 4], [4, 2], None, ((8, 4, 1), (4, 2, 1))),
        ([8, 4, 2], None, None, ((8, 4, 2), (1024, 1, 1))),
        (0, None, None, ((0, 1, 1), (1, 1, 1))),
    ],
)
def test_geometry(
    threads: object, group_size: object, elements: int | None, expected: object
) -> None:
    made = geometry(threads, group_size, elements, 1024)  # pyright: ignore
    assert (made.threads, made.group_size) == expected


@pytest.mark.parametrize(
    ("threads", "group_size", "message"),
    [
        (None, None, "pass threads="),
        ([1, 2], 3, "must agree"),
        (10, 2048, "larger than the kernel's 1024"),
        ([1, 2, 3, 4], None, "one to three axes"),
        (-1, None, "out of range"),
        (10, 0, "must be positive"),
    ],
)
def test_a_wrong_geometry_is_explained(threads: object, group_size: object, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        geometry(threads, group_size, None, 1024)  # pyright: ignore


PLACES = """
kernel void places(device int* out, uint3 at [[thread_position_in_grid]], uint3 in_group [[thread_position_in_threadgroup]],
                   uint3 group [[threadgroup_position_in_grid]], uint3 size [[threads_per_threadgroup]],
                   uint3 grid [[threads_per_grid]], uint3 groups [[threadgroups_per_grid]], uint index [[thread_index_in_threadgroup]]) {
  device int* row = out + 8 * ((at.z * grid.y + at.y) * grid.x + at.x);
  row[0] = in_group.x + 10 * in_group.y + 100 * in_group.z;
  row[1] = group.x + 10 * group.y + 100 * group.z;
  row[2] = size.x + 10 * size.y + 100 * size.z;
  row[3] = groups.x + 10 * groups.y + 100 * groups.z;
  row[4] = index;
}
kernel void plane(device int* out, uint2 at [[thread_position_in_grid]], uint width [[threads_per_grid]], ushort2 t [[thread_position_in_threadgroup]]) {
  out[at.y * width + at.x] = t.x + 100 * t.y;
}
"""


@pytest.mark.parametrize("checked", [False, True])
def test_builtins_in_three_dimensions(compile_: Compile, checked: bool) -> None:
    out = torch.zeros(4, 5, 7, 8, dtype=torch.int32)
    compile_(PLACES, checked=checked).places(out, threads=[7, 5, 4], group_size=[3, 2, 2])
    for z, y, x in np.ndindex(4, 5, 7):
        size = (min(3, 7 - x // 3 * 3), min(2, 5 - y // 2 * 2), 2)
        index = (z % 2 * size[1] + y % 2) * size[0] + x % 3
        assert out[z, y, x, :5].tolist() == [
            x % 3 + 10 * (y % 2) + 100 * (z % 2), x // 3 + 10 * (y // 2) + 100 * (z // 2),
            size[0] + 10 * size[1] + 100 * size[2], 3 + 10 * 3 + 100 * 2, index,
        ]  # fmt: skip


def test_builtins_in_two_dimensions(compile_: Compile) -> None:
    out = torch.zeros(6, 9, dtype=torch.int32)
    compile_(PLACES).plane(out, threads=[9, 6], group_size=[4, 4])
    assert out[5, 8] == 100
    assert out[3, 7] == 303
