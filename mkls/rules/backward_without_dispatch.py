"""An operator runs on MPS, but its derivative calls one that does not.

## What it does
For each row that lists MPS (or delegates to one that does), looks at what its formulas in
`tools/autograd/derivatives.yaml` call. Reports the row when one of these is an operator with a
kernel for the CPU of which no overload runs on MPS. Off by default: the formula may be for another
kind of tensor, or for forward-mode derivatives that nobody asks for.

## Why is this bad?
The forward pass works, and training fails with `NotImplementedError`, or runs that part on the CPU.

## Example
```yaml aten/src/ATen/native/native_functions.yaml
- func: ripple(Tensor self) -> Tensor
  dispatch:
    CPU, CUDA, MPS: ripple

- func: ripple_backward(Tensor grad, Tensor self) -> Tensor
  dispatch:
    CPU, CUDA: ripple_backward
```
```yaml tools/autograd/derivatives.yaml
- name: ripple(Tensor self) -> Tensor
  self: ripple_backward(grad, self)
```

## Use instead
```yaml aten/src/ATen/native/native_functions.yaml
- func: ripple(Tensor self) -> Tensor
  dispatch:
    CPU, CUDA, MPS: ripple

- func: ripple_backward(Tensor grad, Tensor self) -> Tensor
  dispatch:
    CPU, CUDA, MPS: ripple_backward
```
```yaml tools/autograd/derivatives.yaml
- name: ripple(Tensor self) -> Tensor
  self: ripple_backward(grad, self)
```
"""

from collections.abc import Iterator

from mkls.diagnostics.model import Diagnostic, Group, Related, Rule, Severity
from mkls.index.derivatives import missing_backwards
from mkls.index.snapshot import Snapshot, Source
from mkls.text.document import Language


def check(snapshot: Snapshot, source: Source) -> Iterator[Diagnostic]:
    """Report each row whose derivative needs what MPS lacks."""
    rows = snapshot.operators.rows_in.get(source.document.uri, [])
    for missing in missing_backwards(snapshot, rows):
        called, lacking = missing.called, missing.lacking
        yield Diagnostic(
            missing.row.name_span,
            f"the derivative of `{missing.row.name}` calls `{missing.function}`, "
            "which does not run on MPS",
            related=(
                Related(called.uri, called.span, "called here"),
                Related(lacking.uri, lacking.name_span, "without MPS"),
            ),
        )


RULE = Rule(
    "backward-without-dispatch",
    Group.DISPATCH,
    Severity.INFORMATION,
    frozenset((Language.NATIVE_FUNCTIONS,)),
    check,
    __doc__ or "",
    default=False,
)
