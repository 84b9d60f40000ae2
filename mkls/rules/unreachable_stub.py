"""A stub is registered for MPS, but no row with MPS leads to it.

## What it does
Collects the rows whose CPU function calls a stub, itself or through helpers of its file. Reports
the stub's registration for MPS when there are such rows and each dispatches MPS to another function
or not at all.

## Why is this bad?
The kernel is written and never runs: the rows were not switched over, and the operator silently
takes the old path. That is how `minimum` and `maximum` kept dropping NaN on MPS although Metal
kernels for them were there.

## Example
```yaml aten/src/ATen/native/native_functions.yaml
- func: glide.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)
  structured: True
  dispatch:
    CPU, CUDA: glide_out
    MPS: glide_out_mps
```
```cpp aten/src/ATen/native/Glide.cpp
namespace at::native {
DEFINE_DISPATCH(glide_stub);
TORCH_IMPL_FUNC(glide_out)(const Tensor& self, const Tensor& result) {
  glide_stub(device_type(), *this);
}
} // namespace at::native
```
```objcpp aten/src/ATen/native/mps/operations/Glide.mm
TORCH_IMPL_FUNC(glide_out_mps)(const Tensor& self, const Tensor& result) {}
static void glide_kernel(TensorIteratorBase& iter) {}
REGISTER_DISPATCH(glide_stub, &glide_kernel);
```

## Use instead
```yaml aten/src/ATen/native/native_functions.yaml
- func: glide.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)
  structured: True
  dispatch:
    CPU, CUDA, MPS: glide_out
```
```cpp aten/src/ATen/native/Glide.cpp
namespace at::native {
DEFINE_DISPATCH(glide_stub);
TORCH_IMPL_FUNC(glide_out)(const Tensor& self, const Tensor& result) {
  glide_stub(device_type(), *this);
}
} // namespace at::native
```
```objcpp aten/src/ATen/native/mps/operations/Glide.mm
static void glide_kernel(TensorIteratorBase& iter) {}
REGISTER_DISPATCH(glide_stub, &glide_kernel);
```

## Why no fix
Either the row is to share its line with the CPU, and its own MPS function goes, or the registration
is what is left over. That is for you to decide.
"""

from collections.abc import Iterator

from mkls.diagnostics.model import Diagnostic, Group, Related, Rule, Severity
from mkls.index.groups import has_unknown_key, is_left_out
from mkls.index.links import rows_by_stub
from mkls.index.operators import MPS, Row
from mkls.index.snapshot import Snapshot, Source
from mkls.text.document import Language


def check(snapshot: Snapshot, source: Source) -> Iterator[Diagnostic]:
    """Report each registration in `source` that no row with MPS leads to."""
    document = snapshot.host.document(source.document.uri)
    if document is None or not any(True for _ in document.registrations()):
        return
    for stub, rows in rows_by_stub(snapshot).items():
        if any(_leads_to_it(snapshot, row) for row in rows):
            continue
        for registration in snapshot.host.stubs.by_name[stub].registered:
            if registration.stub_place.uri == source.document.uri:
                yield Diagnostic(
                    registration.stub_place.span,
                    f"no row that lists MPS leads to `{stub}`",
                    related=tuple(
                        Related(row.uri, row.key_span(MPS) or row.name_span, "leads elsewhere")
                        for row in rows
                    ),
                )


def _leads_to_it(snapshot: Snapshot, row: Row) -> bool:
    """Whether the row shares with the CPU, or does not for a mistake that is its own."""
    line, operators = row.line(MPS), snapshot.operators
    if line is not None and any(key.text == "CPU" for key in line.keys):
        return True
    if row.entry.problems or has_unknown_key(operators, row):
        return True
    if any(it.line(MPS) for it in operators.delegating.get(row.name, ())):
        return True
    return is_left_out(operators, row)


RULE = Rule(
    "unreachable-stub",
    Group.STUB,
    Severity.WARNING,
    frozenset((Language.HOST,)),
    check,
    __doc__ or "",
)
