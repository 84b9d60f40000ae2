"""No row dispatches to a structured MPS implementation.

## What it does
Reports a `TORCH_IMPL_FUNC` in an Objective-C++ file whose name no row of `native_functions.yaml`
dispatches to.

## Why is this bad?
`TORCH_IMPL_FUNC(x)` defines a member of a struct that torchgen declares only for names in the YAML:
without a row the file does not compile. It is what a migration leaves behind, or a row that was
forgotten.

## Example
```yaml aten/src/ATen/native/native_functions.yaml
- func: ripple.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)
  structured: True
  dispatch:
    CPU, CUDA: ripple_out
```
```objcpp aten/src/ATen/native/mps/operations/Ripple.mm
TORCH_IMPL_FUNC(ripple_out_mps)(const Tensor& self, const Tensor& result) {
  run(self, result);
}
```

## Use instead
```yaml aten/src/ATen/native/native_functions.yaml
- func: ripple.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)
  structured: True
  dispatch:
    CPU, CUDA: ripple_out
    MPS: ripple_out_mps
```
```objcpp aten/src/ATen/native/mps/operations/Ripple.mm
TORCH_IMPL_FUNC(ripple_out_mps)(const Tensor& self, const Tensor& result) {
  run(self, result);
}
```
"""

from collections.abc import Iterator

from mkls.diagnostics.model import Diagnostic, Group, Rule, Severity
from mkls.index.links import has_rows, named_functions
from mkls.index.snapshot import Snapshot, Source
from mkls.text.document import Language


def check(snapshot: Snapshot, source: Source) -> Iterator[Diagnostic]:
    """Report each structured implementation in `source` that no row names."""
    if not has_rows(snapshot):
        return
    for function in snapshot.host.orphans_in(source.document.uri, named_functions(snapshot)):
        yield Diagnostic(
            function.name_place.span,
            f"no row dispatches to `{function.name.text}`",
            unnecessary=True,
        )


RULE = Rule(
    "orphan-implementation",
    Group.DISPATCH,
    Severity.WARNING,
    frozenset((Language.HOST,)),
    check,
    __doc__ or "",
)
