"""Python launches a kernel that takes what Python cannot pass.

## What it does
Reports the launch of a kernel with a parameter in threadgroup memory, a texture or a sampler.

## Why is this bad?
A library of `torch.mps.compile_shader` binds buffers and nothing else. Threadgroup memory that the
host must give has no length then, so that the launch fails or the kernel writes to nothing.

## Example
```python ops.py
import torch

lib = torch.mps.compile_shader('''
kernel void total(
    device float* out, device const float* x,
    threadgroup float* shared [[threadgroup(0)]],
    uint i [[thread_position_in_threadgroup]]) {
  shared[i] = x[i];
  threadgroup_barrier(mem_flags::mem_threadgroup);
  if (i == 0) {
    out[0] = shared[0] + shared[1];
  }
}
''')


def total(out, x):
    lib.total(out, x, threads=256, group_size=256)
```

## Use instead
```python ops.py
import torch

lib = torch.mps.compile_shader('''
kernel void total(
    device float* out, device const float* x,
    uint i [[thread_position_in_threadgroup]]) {
  threadgroup float shared[256];
  shared[i] = x[i];
  threadgroup_barrier(mem_flags::mem_threadgroup);
  if (i == 0) {
    out[0] = shared[0] + shared[1];
  }
}
''')


def total(out, x):
    lib.total(out, x, threads=256, group_size=256)
```

## Why no fix
What takes the place of such a parameter, an array in the kernel or a buffer, must be decided.
"""

from collections.abc import Iterator

from mkls.diagnostics.model import Diagnostic, Group, Related, Rule, Severity
from mkls.index.python_libraries import launches_in, parameter_place
from mkls.index.shader_arguments import unpassable
from mkls.index.snapshot import Snapshot, Source
from mkls.text.document import Language


def check(snapshot: Snapshot, source: Source) -> Iterator[Diagnostic]:
    """Report launches of kernels that take more than buffers."""
    for linked in launches_in(snapshot, source.document.uri):
        parameter = unpassable(linked)
        if parameter is None:
            continue
        what = "threadgroup memory" if parameter.kind == "threadgroup" else f"a {parameter.kind}"
        place = parameter_place(linked.kernels[0], parameter)
        yield Diagnostic(
            linked.launch.function,
            f"Python cannot pass {what} (`{parameter.name.text}`)",
            related=(Related(place.uri, place.span, "what the kernel takes"),) if place else (),
        )


RULE = Rule(
    "unpassable-parameter",
    Group.EXTENSION,
    Severity.ERROR,
    frozenset((Language.PYTHON,)),
    check,
    __doc__ or "",
)
