"""MPS runs an operator in parts that CPU and CUDA run in one kernel.

## What it does
Reports a row that lists `CPU` and `CUDA` and falls back to its `CompositeExplicitAutograd` kernel
on MPS. Off by default: the composite kernel is right, and often fast enough.

## Why is this bad?
Each part is a launch of its own and goes through memory. `native_group_norm` was several times
slower for it.

## Example
```yaml aten/src/ATen/native/native_functions.yaml
- func: ripple(Tensor self) -> Tensor
  dispatch:
    CPU, CUDA: ripple
    CompositeExplicitAutograd: math_ripple
```

## Use instead
```yaml aten/src/ATen/native/native_functions.yaml
- func: ripple(Tensor self) -> Tensor
  dispatch:
    CPU, CUDA, MPS: ripple
    CompositeExplicitAutograd: math_ripple
```
"""

from collections.abc import Iterator

from mkls.diagnostics.model import Diagnostic, Group, Rule, Severity
from mkls.facts.model.native_functions import COMPOSITE_EXPLICIT
from mkls.index.groups import has_cpu_and_cuda
from mkls.index.resolution import ResolutionKind, resolution
from mkls.index.snapshot import Snapshot, Source
from mkls.text.document import Language


def check(snapshot: Snapshot, source: Source) -> Iterator[Diagnostic]:
    """Report each row that has kernels for CPU and CUDA and a composite one for MPS."""
    for row in snapshot.operators.rows_in.get(source.document.uri, ()):
        if COMPOSITE_EXPLICIT not in row.entry.dispatch_lines or not has_cpu_and_cuda(row):
            continue
        found = resolution(snapshot.operators, row)
        if found.kind is ResolutionKind.COMPOSITE_EXPLICIT and found.function:
            yield Diagnostic(
                row.name_span,
                f"on MPS, `{row.name}` runs the composite `{found.function.symbol}`",
            )


RULE = Rule(
    "composite-slow-path",
    Group.DISPATCH,
    Severity.HINT,
    frozenset((Language.NATIVE_FUNCTIONS,)),
    check,
    __doc__ or "",
    default=False,
)
