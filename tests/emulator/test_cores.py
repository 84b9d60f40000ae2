"""Results do not depend on how many cores run a kernel."""

# ruff: noqa: E501  (Metal text reads best unbroken)

from pathlib import Path

import msgspec
import pytest
import torch

from mkls.emulator.library import compile_source
from mkls.emulator.settings import EmulatorSettings

SOURCE = """
#include <metal_stdlib>
using namespace metal;
kernel void plain(device float* out, device const float* x, uint i [[thread_position_in_grid]]) {
  out[i] = precise::tanh(x[i]) * float(i);
}
kernel void waits(device float* out, device const float* x, uint i [[thread_position_in_grid]], uint t [[thread_index_in_threadgroup]], uint n [[threads_per_threadgroup]]) {
  threadgroup float memory[256];
  memory[t] = simd_sum(x[i]);
  threadgroup_barrier(mem_flags::mem_threadgroup);
  out[i] = memory[n - 1 - t] + x[i];
}
kernel void counts(device float* out, device const float* x, device atomic_uint* total, uint i [[thread_position_in_grid]]) {
  if (x[i] > 0) atomic_fetch_add_explicit(total, i, memory_order_relaxed);
  out[i] = x[i];
}
"""
COUNT = 37 * 100


def results(settings: EmulatorSettings, name: str) -> tuple[torch.Tensor, int]:
    x = torch.randn(COUNT, generator=torch.Generator().manual_seed(1))
    out, total = torch.zeros(COUNT), torch.zeros(1, dtype=torch.int32)
    kernel = compile_source(SOURCE, kernels=[name], settings=settings).kernel(name)
    arguments = (out, x, total) if name == "counts" else (out, x)
    kernel(*arguments, threads=COUNT, group_size=100)
    return out, int(total.item())


def no_assembly(module: str, _entries: object) -> str:
    return module + "\nno assembly\n"


@pytest.mark.parametrize("cores", [2, 3, 16])
@pytest.mark.parametrize("name", ["plain", "waits", "counts"])
def test_results_do_not_depend_on_cores(
    emulator_settings: EmulatorSettings, name: str, cores: int
) -> None:
    alone, total = results(msgspec.structs.replace(emulator_settings, cores=1), name)
    together, other_total = results(msgspec.structs.replace(emulator_settings, cores=cores), name)

    assert torch.equal(alone, together)
    assert total == other_total
    assert alone.abs().sum() > 0


def test_a_failed_second_compile_leaves_fibers(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, emulator_settings: EmulatorSettings
) -> None:
    """Phases that the compiler refuses cost speed only."""
    expected, _ = results(emulator_settings, "waits")
    refused = EmulatorSettings(cache_directory=str(tmp_path))
    monkeypatch.setattr("mkls.emulator.compile.with_phases", no_assembly)
    library = compile_source(SOURCE, kernels=["waits"], settings=refused)
    actual, _ = results(refused, "waits")

    assert library.kernel("waits").mode == "cooperative"
    assert torch.equal(actual, expected)
