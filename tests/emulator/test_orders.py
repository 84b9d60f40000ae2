"""A checked run may be repeated in other orders of its threads."""

import torch

from mkls.emulator.findings import Finding
from tests.emulator.kernels import Compile

AT = "uint i [[thread_position_in_grid]], uint t [[thread_position_in_threadgroup]]"
TICKET = f"""
kernel void ticket(device atomic_int* count, device int* out, {AT}) {{
  out[i] = atomic_fetch_add_explicit(count, 1, memory_order_relaxed);
}}
"""
APPEND = f"""
kernel void append(device atomic_int* count, device const float* in, device float* out, {AT}) {{
  int at = atomic_fetch_add_explicit(count, 1, memory_order_relaxed);
  out[at] = in[i];
}}
"""
LOOK_BACK = f"""
kernel void look_back(device atomic_int* done, device int* out, uint g [[threadgroup_position_in_grid]], {AT}) {{
  if (t == 0) {{
    while (g && atomic_load_explicit(done + g - 1, memory_order_relaxed) == 0) {{}}
    out[g] = g;
    atomic_store_explicit(done + g, 1, memory_order_relaxed);
  }}
}}
"""  # noqa: E501


def integers(count: int) -> torch.Tensor:
    return torch.zeros(count, dtype=torch.int32)


def test_each_seed_gives_its_own_order_and_always_the_same(compile_: Compile) -> None:
    kernel = compile_(TICKET, checked=True).kernel("ticket")
    orders: dict[int, list[int]] = {}
    for seed in (0, 1, 2, 3, 1):
        out = integers(128)
        kernel.run(integers(1), out, threads=128, group_size=64, seed=seed)
        assert sorted(out.tolist()) == list(range(128))
        assert orders.setdefault(seed, out.tolist()) == out.tolist()
    assert len({tuple(order) for order in orders.values()}) == 4


def test_findings_are_the_same_in_every_repetition_with_one_seed(compile_: Compile) -> None:
    kernel = compile_(TICKET, checked=True).kernel("ticket")

    def found(seed: int) -> tuple[Finding, ...]:
        return kernel.run(
            integers(1), integers(128), group_size=64, threads=128, seed=seed
        ).findings

    for seed in range(4):
        assert [f.kind for f in found(seed)] == ["schedule-dependent"]
        assert found(seed) == found(seed)


def test_the_result_is_that_of_the_first_order(compile_: Compile) -> None:
    out = integers(64)
    compile_(TICKET, checked=True).kernel("ticket").run(integers(1), out, threads=64)
    assert out.tolist() == list(range(64))


def test_places_taken_in_the_order_of_arrival_are_no_mistake(compile_: Compile) -> None:
    kernel = compile_(APPEND, checked=True).kernel("append")
    outcome = kernel.run(
        integers(1), torch.arange(64.0), torch.zeros(64), threads=64, group_size=32
    )
    assert outcome.findings == ()


def test_threadgroups_that_wait_for_earlier_ones_are_not_hung_by_another_order(
    compile_: Compile,
) -> None:
    out = integers(4)
    kernel = compile_(LOOK_BACK, checked=True).kernel("look_back")
    outcome = kernel.run(integers(4), out, threads=128, group_size=32)
    assert (outcome.status, outcome.findings, out.tolist()) == ("completed", (), [0, 1, 2, 3])
