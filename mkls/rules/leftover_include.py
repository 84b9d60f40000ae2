"""A host file includes the native header of an operator that it does not name.

## What it does
Reports `#include <ATen/ops/x_native.h>` when the file says neither `x`, `x_` or `x_out` nor a
function that a row of `x` dispatches MPS to. A name that a macro pastes together is not seen, which
is why this is off by default.

## Why is this bad?
It compiles, and misleads: migrations to a shared kernel leave such lines behind.

## Example
```yaml aten/src/ATen/native/native_functions.yaml
- func: ripple(Tensor self) -> Tensor
  dispatch:
    CPU, CUDA: ripple
    MPS: ripple_mps
- func: rattle(Tensor self) -> Tensor
  dispatch:
    CPU, CUDA: rattle
```
```objcpp aten/src/ATen/native/mps/operations/Ripple.mm
#include <ATen/ops/rattle_native.h>
#include <ATen/ops/ripple_native.h>
namespace at::native {
Tensor ripple_mps(const Tensor& self) {
  return self;
}
} // namespace at::native
```

## Use instead
```yaml aten/src/ATen/native/native_functions.yaml
- func: ripple(Tensor self) -> Tensor
  dispatch:
    CPU, CUDA: ripple
    MPS: ripple_mps
- func: rattle(Tensor self) -> Tensor
  dispatch:
    CPU, CUDA: rattle
```
```objcpp aten/src/ATen/native/mps/operations/Ripple.mm
#include <ATen/ops/ripple_native.h>
namespace at::native {
Tensor ripple_mps(const Tensor& self) {
  return self;
}
} // namespace at::native
```

## Fix safety
The fix deletes the line. It is unsafe: another header may be needed that came with it.
"""

from collections.abc import Iterator

from mkls.diagnostics.model import Diagnostic, FileEdit, Fix, Group, Rule, Severity
from mkls.index.native_headers import leftover_headers
from mkls.index.snapshot import Snapshot, Source
from mkls.text.document import Language
from mkls.text.edit import Edit


def check(snapshot: Snapshot, source: Source) -> Iterator[Diagnostic]:
    """Report each native header in `source` of an operator that it does not name."""
    uri = source.document.uri
    for found in leftover_headers(snapshot, uri):
        edit = FileEdit(uri, Edit(found.line, ""))
        yield Diagnostic(
            found.span,
            f"nothing here names `{found.operator}`",
            fixes=(Fix("Delete the include", (edit,), safe=False),),
            unnecessary=True,
        )


RULE = Rule(
    "leftover-include",
    Group.MPSGRAPH,
    Severity.INFORMATION,
    frozenset((Language.HOST,)),
    check,
    __doc__ or "",
    default=False,
)
