"""Simdgroup and quadgroup functions against their definitions in the specification, 6.9.2 and 6.9.3."""

# ruff: noqa: E501  (Metal text and tables of cases read best unbroken)

from collections.abc import Callable

import pytest
import torch

from tests.emulator.kernels import Compile

WIDTH = 64
Lane = Callable[[list[int], int, int], int]


def down(width: int) -> Lane:
    return lambda v, lane, d: v[lane + d] if lane % width + d < width else v[lane]


def up(width: int) -> Lane:
    return lambda v, lane, d: v[lane - d] if lane % width >= d else v[lane]


def rotated(width: int, sign: int) -> Lane:
    return lambda v, lane, d: v[lane - lane % width + (lane + sign * d) % width]


def xor(v: list[int], lane: int, d: int) -> int:
    return v[lane ^ d]


def at(width: int) -> Lane:
    return lambda v, lane, d: v[lane - lane % width + d]


SHUFFLES: dict[str, Lane] = {
    "simd_shuffle": at(32), "simd_broadcast": at(32), "simd_shuffle_down": down(32), "simd_shuffle_up": up(32),
    "simd_shuffle_xor": xor, "simd_shuffle_rotate_down": rotated(32, 1), "simd_shuffle_rotate_up": rotated(32, -1),
    "quad_shuffle": at(4), "quad_broadcast": at(4), "quad_shuffle_down": down(4), "quad_shuffle_up": up(4),
    "quad_shuffle_xor": xor, "quad_shuffle_rotate_down": rotated(4, 1), "quad_shuffle_rotate_up": rotated(4, -1),
}  # fmt: skip


@pytest.mark.parametrize("name", SHUFFLES)
@pytest.mark.parametrize("delta", [0, 1, 3])
def test_shuffles(compile_: Compile, name: str, delta: int) -> None:
    source = "".join(
        f"kernel void k_{f}(device const int* in, device int* out, constant int& d, uint i [[thread_position_in_grid]])"
        f" {{ out[i] = {f}(in[i], ushort(d)); }}\n"
        for f in SHUFFLES
    )
    x, out = (
        torch.randint(0, 1000, (WIDTH,), dtype=torch.int32),
        torch.zeros(WIDTH, dtype=torch.int32),
    )
    compile_(source).kernel("k_" + name)(x, out, delta, group_size=WIDTH)
    values = x.tolist()
    assert out.tolist() == [SHUFFLES[name](values, lane, delta) for lane in range(WIDTH)]


FILLS = [("simd", m) for m in (2, 4, 8, 16, 32)] + [("quad", m) for m in (2, 4)]


@pytest.mark.parametrize(("group", "modulo"), FILLS)
@pytest.mark.parametrize("delta", [0, 1, 2])
def test_shuffle_and_fill(compile_: Compile, group: str, modulo: int, delta: int) -> None:
    source = "".join(
        f"kernel void {g}_{w}_{m}(device const int* in, device const int* fill, device int* out, constant int& d,"
        " uint i [[thread_position_in_grid]])"
        f" {{ out[i] = {g}_shuffle_and_fill_{w}(in[i], fill[i], ushort(d), ushort({m})); }}\n"
        for g, m in FILLS
        for w in ("up", "down")
    )
    x = torch.arange(WIDTH, dtype=torch.int32)
    fill, out = x + 1000, torch.zeros_like(x)
    kernels = compile_(source)
    kernels.kernel(f"{group}_down_{modulo}")(x, fill, out, delta, group_size=WIDTH)
    expected = []
    for first in range(0, WIDTH, modulo):
        part, filling = x[first : first + modulo].tolist(), fill[first : first + modulo].tolist()
        expected += part[delta:] + filling[:delta]
    assert out.tolist() == expected
    kernels.kernel(f"{group}_up_{modulo}")(x, fill, out, delta, group_size=WIDTH)
    expected = []
    for first in range(0, WIDTH, modulo):
        part, filling = x[first : first + modulo].tolist(), fill[first : first + modulo].tolist()
        expected += filling[modulo - delta :] + part[: modulo - delta]
    assert out.tolist() == expected


REDUCTIONS = {
    "sum": lambda v: v.sum(), "product": lambda v: v.prod(), "min": lambda v: v.min(), "max": lambda v: v.max(),
}  # fmt: skip


@pytest.mark.parametrize("group", ["simd", "quad"])
@pytest.mark.parametrize("name", REDUCTIONS)
@pytest.mark.parametrize(
    ("t", "dtype"),
    [
        ("int", torch.int32),
        ("float", torch.float32),
        ("half", torch.float16),
        ("ushort", torch.int16),
    ],
)
def test_reductions(compile_: Compile, group: str, name: str, t: str, dtype: torch.dtype) -> None:
    source = "".join(
        f"kernel void {g}_{n}(device const {t}* in, device {t}* out, uint i [[thread_position_in_grid]]) {{ out[i] = {g}_{n}(in[i]); }}\n"
        for g in ("simd", "quad")
        for n in REDUCTIONS
    )
    width = 32 if group == "simd" else 4
    x = (
        torch.randint(1, 3, (WIDTH,)).to(dtype)
        if name != "product"
        else torch.ones(WIDTH, dtype=dtype)
    )
    x[3] = 2
    out = torch.zeros_like(x)
    compile_(source).kernel(f"{group}_{name}")(x, out, group_size=WIDTH)
    expected = torch.stack([REDUCTIONS[name](part.double()) for part in x.split(width)])
    assert torch.equal(out.double(), expected.repeat_interleave(width))


VOTES = """
kernel void votes(device const int* in, device ulong* ballot, device int* flags, uint i [[thread_position_in_grid]]) {
  bool yes = in[i] != 0;
  ballot[i] = ulong(simd_ballot(yes));
  flags[i] = simd_any(yes) | simd_all(yes) << 1 | simd_is_first() << 2 | quad_any(yes) << 3 | quad_all(yes) << 4
    | quad_is_first() << 5 | int(uint(quad_ballot(yes))) << 6;
}
kernel void diverged(device int* out, uint i [[thread_position_in_grid]], uint lane [[thread_index_in_simdgroup]]) {
  int v = 1;
  if (lane < 5) v = simd_sum(v) * 100;
  out[i] = simd_sum(v) + (lane & 1 ? simd_sum(1) : int(ulong(simd_active_threads_mask()) & 1));
}
kernel void loops(device int* out, uint lane [[thread_index_in_simdgroup]]) {
  int total = 0;
  for (uint i = 0; i < lane; i++) total += simd_sum(1);
  out[lane] = simd_sum(1) * 1000 + total;
}
"""


def test_votes(compile_: Compile) -> None:
    x = (torch.arange(WIDTH) % 3 == 0).int()
    ballot, flags = torch.zeros(WIDTH, dtype=torch.int64), torch.zeros(WIDTH, dtype=torch.int32)
    compile_(VOTES).votes(x, ballot, flags, group_size=WIDTH)
    for lane in range(WIDTH):
        simd, quad = x[lane // 32 * 32 :][:32].tolist(), x[lane // 4 * 4 :][:4].tolist()
        assert ballot[lane] == sum(bit << place for place, bit in enumerate(simd))
        expected = (
            any(simd) | all(simd) << 1 | (lane % 32 == 0) << 2 | any(quad) << 3 | all(quad) << 4
        )
        expected |= (lane % 4 == 0) << 5 | sum(bit << place for place, bit in enumerate(quad)) << 6
        assert flags[lane] == expected


def test_diverged_lanes_meet_again(compile_: Compile) -> None:
    out = torch.zeros(32, dtype=torch.int32)
    compile_(VOTES).diverged(out)
    assert out.tolist() == [5 * 500 + 27 + (16 if lane & 1 else 1) for lane in range(32)]


def test_lanes_leave_a_loop_one_by_one(compile_: Compile) -> None:
    out = torch.zeros(32, dtype=torch.int32)
    compile_(VOTES).loops(out)
    assert out.tolist() == [32000 + sum(31 - i for i in range(lane)) for lane in range(32)]


QUADS = """
kernel void places(device uint4* out, uint i [[thread_position_in_grid]], uint lane [[thread_index_in_quadgroup]],
                   uint quad [[quadgroup_index_in_threadgroup]], uint quads [[quadgroups_per_threadgroup]],
                   uint sgs [[simdgroups_per_threadgroup]]) { out[i] = uint4(lane, quad, quads, sgs); }
"""


def test_quadgroup_positions(compile_: Compile) -> None:
    out = torch.zeros(40, 4, dtype=torch.int32)
    compile_(QUADS).places(out, threads=40, group_size=40)
    assert out.tolist() == [[i % 4, i // 4, 10, 2] for i in range(40)]
