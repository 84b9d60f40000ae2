"""Python launches a kernel on a grid that cannot be.

## What it does
Reports `threads` or `group_size` with no axis or more than three, a `group_size` with another
number of axes than `threads`, a group of more threads than the kernel's
`[[max_total_threads_per_threadgroup(n)]]` or than 1024, and a launch without `threads` to which no
tensor is passed. Sizes count as far as they are constants.

## Why is this bad?
The launch fails, on a Mac; a group that is too large ends the program where nobody validates it.

## Example
```python ops.py
import torch

lib = torch.mps.compile_shader('''
kernel void fill(device float* out, uint i [[thread_position_in_grid]]) {
  out[i] = 1.0f;
}
''')


def fill(out):
    lib.fill(out, threads=out.numel(), group_size=(256, 1))
```

## Use instead
```python ops.py
import torch

lib = torch.mps.compile_shader('''
kernel void fill(device float* out, uint i [[thread_position_in_grid]]) {
  out[i] = 1.0f;
}
''')


def fill(out):
    lib.fill(out, threads=out.numel(), group_size=256)
```

## Why no fix
Which grid is meant does not follow from one that cannot be.
"""

from collections.abc import Iterator

from mkls.diagnostics.model import Diagnostic, Group, Related, Rule, Severity
from mkls.index.python_libraries import kernel_place
from mkls.index.shader_sizes import size_faults
from mkls.index.snapshot import Snapshot, Source
from mkls.text.document import Language


def check(snapshot: Snapshot, source: Source) -> Iterator[Diagnostic]:
    """Report sizes with which the launch fails."""
    for fault in size_faults(snapshot, source.document.uri):
        place = kernel_place(fault.kernel) if fault.kernel else None
        related = (Related(place.uri, place.span, "the kernel"),) if place else ()
        yield Diagnostic(fault.span, fault.message, related=related)


RULE = Rule(
    "invalid-launch-size",
    Group.EXTENSION,
    Severity.ERROR,
    frozenset((Language.PYTHON,)),
    check,
    __doc__ or "",
)
