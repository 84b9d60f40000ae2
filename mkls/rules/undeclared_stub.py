"""A registration names a stub that nothing declares.

## What it does
Reports `REGISTER_DISPATCH` and `REGISTER_MPS_DISPATCH` of a stub for which no file has a
`DECLARE_DISPATCH`. Only a PyTorch checkout is judged: elsewhere the headers are not at hand.

## Why is this bad?
It does not compile, but only on a Mac: the macro uses types that the declaration makes.

## Example
```yaml aten/src/ATen/native/native_functions.yaml
- func: glide.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)
  structured: True
  dispatch:
    CPU, CUDA, MPS: glide_out
```
```cpp aten/src/ATen/native/Glide.h
DECLARE_DISPATCH(void (*)(TensorIteratorBase&), glide_stub);
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

REGISTER_DISPATCH(glied_stub, &glide_kernel);
```

## Use instead
```yaml aten/src/ATen/native/native_functions.yaml
- func: glide.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)
  structured: True
  dispatch:
    CPU, CUDA, MPS: glide_out
```
```cpp aten/src/ATen/native/Glide.h
DECLARE_DISPATCH(void (*)(TensorIteratorBase&), glide_stub);
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

## Fix safety
The fix proposes the nearest stub that is declared, or to mend its declaration where that is the
odd one out; it is unsafe because that is a guess.
"""

from collections.abc import Iterator

from mkls.diagnostics.model import Diagnostic, FileEdit, Fix, Group, Related, Rule, Severity
from mkls.index.snapshot import Snapshot, Source
from mkls.index.stub_types import meant_stubs, undeclared
from mkls.index.stubs import Registration, Stub
from mkls.text.document import Language
from mkls.text.edit import Edit


def check(snapshot: Snapshot, source: Source) -> Iterator[Diagnostic]:
    """Report each stub that the document registers and nothing declares."""
    stubs = snapshot.host.stubs.by_name
    for stub, registration in undeclared(snapshot, source.document.uri):
        close = [stubs[name] for name in meant_stubs(snapshot).get(stub.name, ())]
        yield Diagnostic(
            registration.stub_place.span,
            f"nothing declares `{stub.name}`",
            related=tuple(
                Related(place.uri, place.span, f"`{it.name}` is declared here")
                for it in close[:1]
                for place in it.declared[:1]
            ),
            fixes=tuple(_fix(stub, registration, it) for it in close),
        )


def _fix(stub: Stub, registration: Registration, meant: Stub) -> Fix:
    """Return the fix of what is misspelt: the declaration when all else agrees, else this."""
    if stub.defined and not meant.defined:
        place, name = meant.declared[0], stub.name
        title = f"Change the declaration of `{meant.name}` to `{name}`"
    else:
        place, name = registration.stub_place, meant.name
        title = f"Change to `{name}`"
    return Fix(title, (FileEdit(place.uri, Edit(place.span, name)),), safe=False)


RULE = Rule(
    "undeclared-stub",
    Group.STUB,
    Severity.ERROR,
    frozenset((Language.HOST, Language.CPP)),
    check,
    __doc__ or "",
)
