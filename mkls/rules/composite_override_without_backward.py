"""A row replaces its own decomposition on MPS, and has no derivative.

## What it does
Reports `MPS` beside `CompositeImplicitAutograd` in one dispatch when the operator has no entry in
`tools/autograd/derivatives.yaml`. Off by default: some operators, such as backward ones, need none.

## Why is this bad?
The composite kernel is differentiable because it calls operators that are. On MPS it no longer
runs, and what runs instead is differentiable only by a formula: without one, training fails.

## Example
```yaml aten/src/ATen/native/native_functions.yaml
- func: ripple(Tensor self) -> Tensor
  dispatch:
    CompositeImplicitAutograd: ripple
    MPS: ripple_mps
```
```objcpp aten/src/ATen/native/mps/operations/Ripple.mm
Tensor ripple_mps(const Tensor& self) {
  return self;
}
```
```yaml tools/autograd/derivatives.yaml
- name: surge(Tensor self) -> Tensor
  self: grad
```

## Use instead
```yaml aten/src/ATen/native/native_functions.yaml
- func: ripple(Tensor self) -> Tensor
  dispatch:
    CompositeImplicitAutograd: ripple
    MPS: ripple_mps
```
```objcpp aten/src/ATen/native/mps/operations/Ripple.mm
Tensor ripple_mps(const Tensor& self) {
  return self;
}
```
```yaml tools/autograd/derivatives.yaml
- name: ripple(Tensor self) -> Tensor
  self: grad

- name: surge(Tensor self) -> Tensor
  self: grad
```
"""

from collections.abc import Iterator

from mkls.diagnostics.model import Diagnostic, Group, Rule, Severity
from mkls.index.derivatives import has_derivatives, overrides_without_derivative
from mkls.index.operators import MPS
from mkls.index.snapshot import Snapshot, Source
from mkls.text.document import Language


def check(snapshot: Snapshot, source: Source) -> Iterator[Diagnostic]:
    """Report each row that overrides a composite kernel and has no derivative."""
    if not has_derivatives(snapshot):
        return
    rows = snapshot.operators.rows_in.get(source.document.uri, [])
    for row in overrides_without_derivative(snapshot, rows):
        yield Diagnostic(
            row.key_span(MPS) or row.name_span,
            f"on MPS, `{row.name}` no longer decomposes and has no derivative",
        )


RULE = Rule(
    "composite-override-without-backward",
    Group.DISPATCH,
    Severity.INFORMATION,
    frozenset((Language.NATIVE_FUNCTIONS,)),
    check,
    __doc__ or "",
    default=False,
)
