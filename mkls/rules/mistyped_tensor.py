"""A kernel reads a tensor's elements as another type.

## What it does
Follows a tensor from where it is made (`torch.empty`, `torch.zeros`, `.to(dtype)`, `.half()` and
the like) to the launch, and reports a dtype that makes no sense as the kernel's parameter: another
floating-point type, or numbers of another size. A tensor whose dtype is not plain is left alone,
as are bytes, and integers that may hold the bits of floating-point numbers of the same size.

## Why is this bad?
The buffer is bound as it is. The kernel computes with nonsense, and past the end of a tensor whose
elements are smaller.

## Example
```python ops.py
import torch

lib = torch.mps.compile_shader('''
kernel void negate(device float* x, uint i [[thread_position_in_grid]]) {
  x[i] = -x[i];
}
''')


def negate():
    x = torch.ones(8, dtype=torch.float16, device="mps")
    lib.negate(x)
```

## Use instead
```python ops.py
import torch

lib = torch.mps.compile_shader('''
kernel void negate(device float* x, uint i [[thread_position_in_grid]]) {
  x[i] = -x[i];
}
''')


def negate():
    x = torch.ones(8, dtype=torch.float32, device="mps")
    lib.negate(x)
```

## Why no fix
Either of the two types may be the one that is meant.
"""

from collections.abc import Iterator

from mkls.diagnostics.model import Diagnostic, Group, Related, Rule, Severity
from mkls.index.python_libraries import parameter_place
from mkls.index.shader_arguments import mistyped_tensors
from mkls.index.snapshot import Snapshot, Source
from mkls.text.document import Language


def check(snapshot: Snapshot, source: Source) -> Iterator[Diagnostic]:
    """Report tensors that the kernel reads as something else."""
    for passed, _ in mistyped_tensors(snapshot, source.document.uri):
        place = parameter_place(passed.kernel, passed.parameter)
        written = " ".join(passed.parameter.type.split())
        yield Diagnostic(
            passed.argument.span,
            f"a tensor of {passed.argument.dtype}, which the kernel reads as `{written}`",
            related=(Related(place.uri, place.span, "how the kernel reads it"),) if place else (),
        )


RULE = Rule(
    "mistyped-tensor",
    Group.EXTENSION,
    Severity.WARNING,
    frozenset((Language.PYTHON,)),
    check,
    __doc__ or "",
)
