"""A row has an MPS function of its own where it could share a stub's.

## What it does
Reports the MPS line of a row whose CPU and CUDA share one C++ function, when that function leads to
a dispatch stub. Off by default: it is a list of work, not of mistakes.

## Why is this bad?
A function of MPS alone repeats what the shared one does: checks, broadcasting, type promotion. Each
repetition can differ, and new features pass it by. Registering a kernel for the stub leaves MPS
with the kernel alone.

## Example
```yaml aten/src/ATen/native/native_functions.yaml
- func: glide.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)
  structured: True
  dispatch:
    CPU, CUDA: glide_out
    MPS: glide_out_mps
```
```cpp aten/src/ATen/native/Glide.cpp
DEFINE_DISPATCH(glide_stub);

TORCH_IMPL_FUNC(glide_out)(const Tensor& self, const Tensor& result) {
  glide_stub(device_type(), *this);
}
```
```objcpp aten/src/ATen/native/mps/operations/Glide.mm
TORCH_IMPL_FUNC(glide_out_mps)(const Tensor& self, const Tensor& result) {
  run(self, result);
}
```

## Use instead
```yaml aten/src/ATen/native/native_functions.yaml
- func: glide.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)
  structured: True
  dispatch:
    CPU, CUDA, MPS: glide_out
```
```cpp aten/src/ATen/native/Glide.cpp
DEFINE_DISPATCH(glide_stub);

TORCH_IMPL_FUNC(glide_out)(const Tensor& self, const Tensor& result) {
  glide_stub(device_type(), *this);
}
```
```objcpp aten/src/ATen/native/mps/operations/Glide.mm
static void glide_kernel(TensorIteratorBase& iter) {
  run(iter);
}

REGISTER_DISPATCH(glide_stub, &glide_kernel);
```
"""

from collections.abc import Iterator

from mkls.diagnostics.model import Diagnostic, Group, Related, Rule, Severity
from mkls.index.groups import migrated_sibling
from mkls.index.operators import MPS, Row
from mkls.index.snapshot import Snapshot, Source
from mkls.index.stubs import Reach
from mkls.text.document import Language


def check(snapshot: Snapshot, source: Source) -> Iterator[Diagnostic]:
    """Report each MPS line that could give way to a stub."""
    for row in snapshot.operators.rows_in.get(source.document.uri, ()):
        span = row.key_span(MPS)
        if span is None or not row.is_own_line() or migrated_sibling(snapshot.operators, row):
            continue
        reach = _stub(snapshot, row)
        if reach and not snapshot.host.stubs.by_name[reach.stub].registered:
            yield Diagnostic(
                span,
                f"`{row.name}` could share `{reach.path[0].name.text}` with CPU and CUDA, "
                f"once `{reach.stub}` is registered for MPS",
                related=(Related(reach.place.uri, reach.place.span, "called here"),),
            )


def _stub(snapshot: Snapshot, row: Row) -> Reach | None:
    """Return the stub to which the function that CPU and CUDA share leads."""
    line = row.line("CPU")
    if line is None or line.function is None or line is not row.line("CUDA"):
        return None
    return next(iter(snapshot.host.reaches(line.function.symbol)), None)


RULE = Rule(
    "migration-candidate",
    Group.DISPATCH,
    Severity.HINT,
    frozenset((Language.NATIVE_FUNCTIONS,)),
    check,
    __doc__ or "",
    default=False,
)
