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
static void slide_kernel(TensorIteratorBase& iter) {
  run(iter);
}

static void glide_kernel(TensorIteratorBase& iter) {
  run(iter);
}

REGISTER_DISPATCH(slide_stub, &slide_kernel);
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
static void slide_kernel(TensorIteratorBase& iter) {
  run(iter);
}

static void glide_kernel(TensorIteratorBase& iter) {
  run(iter);
}

REGISTER_DISPATCH(slide_stub, &slide_kernel);
REGISTER_DISPATCH(glide_stub, &glide_kernel);
```

## Fix safety
The fix registers the function that looks as if it were written for the stub, beside what its file
registers already. It is unsafe: that the two belong together is a guess.
"""

from collections.abc import Iterator

from mkls.diagnostics.model import Diagnostic, FileEdit, Fix, Group, Related, Rule, Severity
from mkls.index.operators import MPS
from mkls.index.snapshot import Snapshot, Source
from mkls.index.stub_registrations import registration_of, registrations_at
from mkls.index.stubs import Reach
from mkls.index.unregistered import RowWithoutStub, registrations_for_others, rows_without_stub
from mkls.text.document import Language


def check(snapshot: Snapshot, source: Source) -> Iterator[Diagnostic]:
    """Report each shared row of which no stub is registered for MPS."""
    for found in rows_without_stub(snapshot, source.document.uri):
        reach = found.reach
        yield Diagnostic(
            found.row.key_span(MPS) or found.row.name_span,
            f"`{reach.stub}`, which `{reach.path[0].name.text}` calls, is not registered for MPS",
            related=tuple(_related(snapshot, found)),
            fixes=_registration(snapshot, found),
            severity=_severity(reach),
        )


def _related(snapshot: Snapshot, found: RowWithoutStub) -> Iterator[Related]:
    yield Related(found.reach.place.uri, found.reach.place.span, "called here")
    for place in registrations_for_others(snapshot, found.reach.stub):
        yield Related(place.uri, place.span, "registered for another device")
    if found.waiting:
        place = found.waiting.name_place
        yield Related(place.uri, place.span, "nothing registers this function")
        block = registrations_at(snapshot, place.uri)
        if block is not None:
            yield Related(block.lines.uri, block.lines.span, "this file registers others here")


def _registration(snapshot: Snapshot, found: RowWithoutStub) -> tuple[Fix, ...]:
    function, stub = found.waiting, found.reach.stub
    edit = registration_of(snapshot, stub, function) if function else None
    if function is None or edit is None:
        return ()
    title = f"Register `{function.name.text}` for `{stub}`"
    return (Fix(title, (FileEdit(function.uri, edit),), safe=False),)


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
