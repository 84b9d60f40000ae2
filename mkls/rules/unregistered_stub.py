"""A row shares its kernel with MPS, but the stub that it calls is not registered for MPS.

## What it does
For each row that lists MPS beside CPU, follows the shared C++ function to the dispatch stubs that
it calls, directly or through helpers of its file, and reports the row when none is registered in
an Objective-C++ file.

## Why is this bad?
The call fails at run time with "DispatchStub: missing kernel for mps". It is no
`NotImplementedError`, so not even `PYTORCH_ENABLE_MPS_FALLBACK=1` helps.

## Example
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
from mkls.index.operators import MPS
from mkls.index.snapshot import Snapshot, Source
from mkls.index.stubs import Reach
from mkls.index.unregistered import RowWithoutStub, rows_without_stub
from mkls.text.document import Language


def check(snapshot: Snapshot, source: Source) -> Iterator[Diagnostic]:
    """Report each shared row of which no stub is registered for MPS."""
    for found in rows_without_stub(snapshot, source.document.uri):
        reach = found.reach
        yield Diagnostic(
            found.row.key_span(MPS) or found.row.name_span,
            f"`{reach.stub}`, which `{reach.path[0].name.text}` calls, is not registered for MPS",
            related=tuple(_related(found)),
            severity=_severity(reach),
        )


def _related(found: RowWithoutStub) -> Iterator[Related]:
    yield Related(found.reach.place.uri, found.reach.place.span, "called here")
    if found.waiting:
        place = found.waiting.name_place
        yield Related(place.uri, place.span, "nothing registers this function")


def _severity(reach: Reach) -> Severity:
    """A helper may branch on the device before it comes to the stub."""
    return Severity.ERROR if len(reach.path) == 1 else Severity.WARNING


RULE = Rule(
    "unregistered-stub",
    Group.STUB,
    Severity.ERROR,
    frozenset((Language.NATIVE_FUNCTIONS,)),
    check,
    __doc__ or "",
)
