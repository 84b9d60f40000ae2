"""A new operator with a kernel that is written and launched by hand."""

from typing import Final

from mkls.generation.functor_text import continued
from mkls.generation.new_sources import MPS_FOLDER, uri_below
from mkls.generation.plan import NewFile, Reason, RefusedError, Step
from mkls.index.snapshot import Snapshot

_METAL: Final = """\
#include <metal_stdlib>
using namespace metal;

template <typename T>
kernel void {name}(
    device T* output [[buffer(0)]],
    constant T* input [[buffer(1)]],
    uint index [[thread_position_in_grid]]) {{
  // TODO: compute the result of `{name}`.
  output[index] = input[index];
}}

{macro}
// mkls-run: threads=1000
// mkls-arg: input = randn(1000)
// mkls-arg: output = zeros(1000)
// mkls-expect: output == input
REGISTER_{upper}(float);
// mkls-run: threads=1000
// mkls-arg: input = randn(1000, dtype=half)
// mkls-arg: output = zeros(1000, dtype=half)
// mkls-expect: output == input
REGISTER_{upper}(half);
"""
_MACRO: Final = (
    "#define REGISTER_{upper}(DTYPE)",
    '  template [[host_name("{name}_" #DTYPE)]] kernel void',
    "  {name}<DTYPE>(",
    "      device DTYPE* output [[buffer(0)]],",
    "      constant DTYPE* input [[buffer(1)]],",
    "      uint index [[thread_position_in_grid]])",
)
_HOST: Final = """\
#define TORCH_ASSERT_ONLY_METHOD_OPERATORS
#include <ATen/core/Tensor.h>
#include <ATen/native/mps/OperationUtils.h>

#ifndef AT_PER_OPERATOR_HEADERS
#include <ATen/Functions.h>
#include <ATen/NativeFunctions.h>
#else
#include <ATen/ops/empty_like.h>
#include <ATen/ops/{name}_native.h>
#endif

namespace at::native {{

using namespace mps;

#ifndef PYTORCH_JIT_COMPILE_SHADERS
static auto& lib = MetalShaderLibrary::getBundledLibrary();
#else
#include <ATen/native/mps/{stem}_metallib.h>
#endif

Tensor {name}_mps(const Tensor& self) {{
  TORCH_CHECK_NOT_IMPLEMENTED(self.scalar_type() == kFloat || self.scalar_type() == kHalf,
                              "{name} takes float or half");
  const auto input = self.contiguous();
  auto output = at::empty_like(input);
  if (output.numel() == 0) {{
    return output;
  }}
  MPSStream* stream = getCurrentMPSStream();
  dispatch_sync_with_rethrow(stream->queue(), ^() {{
    @autoreleasepool {{
      auto encoder = stream->commandEncoder();
      auto pipeline = lib.getPipelineStateForFunc("{name}_" + scalarToMetalTypeString(input));
      [encoder setComputePipelineState:pipeline];
      mtl_setArgs(encoder, output, input);
      mtl_dispatch1DJob(encoder, pipeline, output.numel());
    }}
  }});
  return output;
}}

}} // namespace at::native
"""
_TEST: Final = """\
# Owner(s): ["module: mps"]

import torch
from torch.testing._internal.common_utils import run_tests, TestCase


class Test{stem}(TestCase):
    def test_{name}(self):
        x = torch.randn(5, 7, device="mps")
        expected = x  # TODO: say what `{name}` computes
        self.assertEqual(torch.{name}(x), expected)


if __name__ == "__main__":
    run_tests()
"""


def custom_steps(snapshot: Snapshot, name: str, stem: str) -> list[Step]:
    """Return the steps that write the kernel of operator `name`, its launch and a test.

    Raises:
        RefusedError: A file is there already.
    """
    values = {"name": name, "stem": stem, "upper": name.upper()}
    values["macro"] = continued([it.format(**values) for it in _MACRO])
    files = {
        f"{MPS_FOLDER}/kernels/{stem}.metal": (_METAL, f"Write the kernel of `{name}`"),
        f"{MPS_FOLDER}/operations/{stem}.mm": (_HOST, f"Launch the kernel of `{name}`"),
        f"test/test_mps_{name}.py": (_TEST, f"Write a test of `{name}`"),
    }
    steps: list[Step] = []
    for path, (text, title) in files.items():
        uri = uri_below(snapshot, path)
        if uri in snapshot.sources:
            raise RefusedError(Reason.EXISTS, f"{path} exists already")
        steps.append(Step(title, files=(NewFile(uri, text.format(**values)),)))
    return steps
