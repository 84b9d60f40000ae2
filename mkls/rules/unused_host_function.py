"""A host function that takes an iterator is neither registered for a stub nor called.

## What it does
Reports a file-local function of an Objective-C++ file that takes a `TensorIterator` or a
`TensorIteratorBase` and whose name its file does not mention again.

## Why is this bad?
Such functions exist to be given to `REGISTER_DISPATCH`. Without the registration the kernel behind
it never runs: the operator fails with "DispatchStub: missing kernel for mps", or takes another
branch of the shared code in silence.

## Example
```objcpp aten/src/ATen/native/mps/operations/Glide.mm
namespace at::native {
static void glide_kernel_mps(TensorIteratorBase& iter) {
  run(iter);
}
static void slide_kernel_mps(TensorIteratorBase& iter) {
  run(iter);
}
REGISTER_DISPATCH(slide_stub, &slide_kernel_mps);
} // namespace at::native
```
```cpp aten/src/ATen/native/Glide.h
namespace at::native {
DECLARE_DISPATCH(void (*)(TensorIteratorBase&), glide_stub);
DECLARE_DISPATCH(void (*)(TensorIteratorBase&), slide_stub);
} // namespace at::native
```

## Use instead
```objcpp aten/src/ATen/native/mps/operations/Glide.mm
namespace at::native {
static void glide_kernel_mps(TensorIteratorBase& iter) {
  run(iter);
}
static void slide_kernel_mps(TensorIteratorBase& iter) {
  run(iter);
}
REGISTER_DISPATCH(glide_stub, &glide_kernel_mps);
REGISTER_DISPATCH(slide_stub, &slide_kernel_mps);
} // namespace at::native
```
```cpp aten/src/ATen/native/Glide.h
namespace at::native {
DECLARE_DISPATCH(void (*)(TensorIteratorBase&), glide_stub);
DECLARE_DISPATCH(void (*)(TensorIteratorBase&), slide_stub);
} // namespace at::native
```
"""

from collections.abc import Iterator

from mkls.diagnostics.model import Diagnostic, Group, Rule, Severity
from mkls.index.snapshot import Snapshot, Source
from mkls.index.unregistered import unregistered_functions
from mkls.text.document import Language


def check(snapshot: Snapshot, source: Source) -> Iterator[Diagnostic]:
    """Report each iterator function of `source` that the file does not mention again."""
    for function in unregistered_functions(snapshot, source.document.uri):
        yield Diagnostic(
            function.name_place.span,
            f"`{function.name.text}` is neither registered for a stub nor called",
            unnecessary=True,
        )


RULE = Rule(
    "unused-host-function",
    Group.STUB,
    Severity.WARNING,
    frozenset((Language.HOST,)),
    check,
    __doc__ or "",
)
