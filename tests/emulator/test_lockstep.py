"""Kernels that count on a simdgroup's lanes running in lockstep, within what a loop can show."""

# ruff: noqa: E501  (Metal text and tables of cases read best unbroken)

import pytest
import torch

from mkls.emulator.rewrite import TranslationUnit
from tests.emulator.kernels import Compile

BARRIER = "threadgroup_barrier(mem_flags::mem_threadgroup);"


@pytest.mark.parametrize(
    ("body", "meets"),
    [
        (f"for (int i = 0; i < n; i++) {{ a(); {BARRIER} b(); }}", True),
        (f"while (n) {{ a(); {BARRIER} b(); }}", True),
        (f"do {{ a(); {BARRIER} b(); }} while (n);", True),
        (f"for (;;) {{ a(); {BARRIER} }}", False),
        (f"for (;;) {{ {BARRIER} a(); }}", False),
        (f"for (;;) {{ a(); if (n) {{ {BARRIER} }} }}", True),
        ("for (;;) { a(); b(); }", False),
        ("for (;;) a();", False),
    ],
)
def test_where_lanes_meet(body: str, meets: bool) -> None:
    text = TranslationUnit(f"void f(int n) {{ {body} }}").rewritten((), {}).text
    assert ("mkls_lockstep" in text) is meets


ROUNDS = f"""
kernel void rounds(device const int* in, device int* out, uint t [[thread_position_in_threadgroup]]) {{
  threadgroup int tile[32];
  int total = 0;
  for (int r = 0; r < 4; r++) {{
    tile[t] = in[r * 32 + t];
    {BARRIER}
    for (int k = 0; k < 32; k++) total += (k + 1) * tile[k];
  }}
  out[t] = total;
}}
"""


@pytest.mark.parametrize("checked", [False, True])
def test_the_next_round_does_not_overtake_this_one(compile_: Compile, checked: bool) -> None:
    x, out = torch.randint(0, 100, (4, 32), dtype=torch.int32), torch.zeros(32, dtype=torch.int32)
    library = compile_(ROUNDS, checked=checked)
    library.rounds(x, out, threads=32)
    expected = (x * torch.arange(1, 33, dtype=torch.int32)).sum().item()
    assert out.tolist() == [expected] * 32
    assert {f.kind for f in library.findings} == ({"data-race"} if checked else set())
