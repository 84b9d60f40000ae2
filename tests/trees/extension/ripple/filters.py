"""Kernels in strings that are put together, the libraries in objects and in a dict."""

import textwrap

import torch
from torch import mps

HEADER = "#include <metal_stdlib>\nusing namespace metal;\n"
RADIUS = 4

_BLUR = (
    HEADER
    + f"""
constant int radius = {RADIUS};

kernel void blur(
    device float* out, device const float* x, constant int& length, constant float& weight,
    uint i [[thread_position_in_grid]]) {{
  float sum = 0;
  for (int k = -radius; k <= radius; k++) {{
    int at = clamp(int(i) + k, 0, length - 1);
    sum += x[at] * weight;
  }}
  out[i] = sum;
}}
"""
)

_SHARPEN = textwrap.dedent("""
    kernel void sharpen_NAME(
        device TYPE* out, device const TYPE* x, constant TYPE& amount,
        uint i [[thread_position_in_grid]]) {
      out[i] = x[i] * amount;
    }
""")


class Blur:
    def __init__(self, weight: float = 0.125):
        self.weight = weight
        self.lib = mps.compile_shader(_BLUR)
        self.kernel = self.lib.blur

    def __call__(self, x: torch.Tensor) -> torch.Tensor:
        out = torch.empty_like(x)
        self.kernel(out, x, x.numel(), float(self.weight))
        return out

    def twice(self, x):
        out = torch.zeros(x.numel(), dtype=torch.float32, device=x.device)
        self.lib.blur(out, x, x.numel(), 0.25, threads=x.numel(), group_size=64)
        self.lib.blur(x, out, len(x), 0.25, threads=[x.numel()])
        return x


LIBRARIES = {
    "float": mps.compile_shader(_SHARPEN.replace("NAME", "float").replace("TYPE", "float")),
    "half": mps.compile_shader(_SHARPEN.replace("NAME", "half").replace("TYPE", "half")),
}


def sharpen(x: torch.Tensor, amount: float):
    out = torch.empty(x.numel(), dtype=torch.float32, device="mps")
    LIBRARIES["float"].sharpen_float(out, x, 2.5)
    LIBRARIES["float"].sharpen_float(out, x, amount)
    return out


def sharpen_half(x: torch.Tensor, amount: float):
    out = torch.empty(x.numel(), dtype=torch.float16, device="mps")
    LIBRARIES["half"].sharpen_half(out, x, amount, arg_casts={2: "fp16"})
    LIBRARIES["half"].sharpen_half(x, out, 0.5, arg_casts="fp16")
    return out
