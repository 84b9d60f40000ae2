"""An operator of an extension has kernels for the CPU and CUDA, and none for MPS.

## What it does
In a namespace that has kernels for MPS, reports each `m.def` of an operator that is implemented for
CPU and CUDA but not for MPS. One that has an implementation for all devices is left alone.

## Why is this bad?
On a Mac, the operator fails with "could not run … with arguments from the MPS backend".

## Example
```objcpp csrc/ops.mm
TORCH_LIBRARY(ripple, m) {
  m.def("scale(Tensor self) -> Tensor");
  m.def("shift(Tensor self) -> Tensor");
}
TORCH_LIBRARY_IMPL(ripple, CPU, m) {
  m.impl("scale", &scale_cpu);
  m.impl("shift", &shift_cpu);
}
TORCH_LIBRARY_IMPL(ripple, CUDA, m) {
  m.impl("scale", &scale_cuda);
  m.impl("shift", &shift_cuda);
}
TORCH_LIBRARY_IMPL(ripple, MPS, m) {
  m.impl("scale", &scale_mps);
}
```

## Use instead
```objcpp csrc/ops.mm
TORCH_LIBRARY(ripple, m) {
  m.def("scale(Tensor self) -> Tensor");
  m.def("shift(Tensor self) -> Tensor");
}
TORCH_LIBRARY_IMPL(ripple, CPU, m) {
  m.impl("scale", &scale_cpu);
  m.impl("shift", &shift_cpu);
}
TORCH_LIBRARY_IMPL(ripple, CUDA, m) {
  m.impl("scale", &scale_cuda);
  m.impl("shift", &shift_cuda);
}
TORCH_LIBRARY_IMPL(ripple, MPS, m) {
  m.impl("scale", &scale_mps);
  m.impl("shift", &shift_mps);
}
```

## Why no fix
The implementation has to be written.
"""

from collections.abc import Iterator

from mkls.diagnostics.model import Diagnostic, Group, Rule, Severity
from mkls.index.custom_operators import without_mps
from mkls.index.snapshot import Snapshot, Source
from mkls.text.document import Language


def check(snapshot: Snapshot, source: Source) -> Iterator[Diagnostic]:
    """Report the operators that were left out for MPS."""
    for it in without_mps(snapshot, source.document.uri):
        name = it.impl.operator.text
        yield Diagnostic(it.place().span, f"`{name}` has CPU and CUDA kernels but none for MPS")


RULE = Rule(
    "missing-mps-implementation",
    Group.EXTENSION,
    Severity.INFORMATION,
    frozenset((Language.HOST, Language.CPP)),
    check,
    __doc__ or "",
)
