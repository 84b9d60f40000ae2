"""Kernels in a file of their own, the library in a cache."""

import functools
from pathlib import Path

import torch

GROUP = 256
_SOURCE = Path(__file__).with_name("shaders") / "waves.metal"


@functools.cache
def library():
    return torch.mps.compile_shader(_SOURCE.read_text())


def row_sums(x: torch.Tensor) -> torch.Tensor:
    rows, columns = x.shape
    out = torch.empty(rows, dtype=torch.float32, device="mps")
    library().wave_sum(
        out,
        x.contiguous(),
        columns,
        threads=rows * GROUP,
        group_size=GROUP,
    )
    return out


def contiguous(x: torch.Tensor) -> torch.Tensor:
    height, width = x.shape
    kernel = library().wave_copy_float
    out = torch.empty(height, width, device="mps")
    kernel(out, x, x.stride(), [width, height], threads=(width, height), arg_casts={3: "int32"})
    return out


def contiguous_half(x: torch.Tensor) -> torch.Tensor:
    out = torch.zeros(x.shape, dtype=torch.float16, device="mps")
    size = [x.shape[1], x.shape[0]]
    library().wave_copy_half(
        out,
        x,
        list(x.stride()),
        size,
        threads=(x.shape[1], x.shape[0]),
        group_size=(16, 16),
        arg_casts={3: "int32"},
    )
    return out
