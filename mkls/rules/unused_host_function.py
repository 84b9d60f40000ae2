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
REGISTER_DISPATCH(slide_stub, &slide_kernel_mps);
REGISTER_DISPATCH(glide_stub, &glide_kernel_mps);
} // namespace at::native
```
```cpp aten/src/ATen/native/Glide.h
namespace at::native {
DECLARE_DISPATCH(void (*)(TensorIteratorBase&), glide_stub);
DECLARE_DISPATCH(void (*)(TensorIteratorBase&), slide_stub);
} // namespace at::native
```

## Fix safety
The fix registers the function for the stub that it looks as if it were written for, in place of
another one if its file gives the stub to that. It is unsafe:
that the two belong together is a guess.
"""

from collections.abc import Iterator

from mkls.diagnostics.model import Diagnostic, FileEdit, Fix, Group, Related, Rule, Severity
from mkls.index.host_documents import HostFunction
from mkls.index.snapshot import Snapshot, Source
from mkls.index.stub_registrations import registration_of, registrations_at
from mkls.index.stubs import Stub
from mkls.index.unregistered import (
    Instead,
    meant_stub,
    registered_instead,
    unregistered_functions,
)
from mkls.text.document import Language
from mkls.text.edit import Edit


def check(snapshot: Snapshot, source: Source) -> Iterator[Diagnostic]:
    """Report each iterator function of `source` that the file does not mention again.

    What is registered in its place with a wrong type is the mistake of that registration.
    """
    for function in unregistered_functions(snapshot, source.document.uri):
        stub = meant_stub(snapshot, function)
        instead = None if stub else registered_instead(snapshot, function)
        if instead and not instead.is_of_its_type:
            continue
        yield Diagnostic(
            function.name_place.span,
            f"`{function.name.text}` is neither registered for a stub nor called",
            related=(*_taken(instead), *_related(snapshot, function, stub)),
            fixes=_exchange(function, instead) or _registration(snapshot, function, stub),
            unnecessary=True,
        )


def _taken(instead: Instead | None) -> Iterator[Related]:
    if instead:
        place = instead.place
        yield Related(place.uri, place.span, f"`{instead.stub}` is registered with this instead")


def _exchange(function: HostFunction, instead: Instead | None) -> tuple[Fix, ...]:
    if instead is None:
        return ()
    name = function.name.text
    edit = FileEdit(instead.place.uri, Edit(instead.place.span, name))
    return (Fix(f"Register `{name}` for `{instead.stub}`", (edit,), safe=False),)


def _related(snapshot: Snapshot, function: HostFunction, stub: Stub | None) -> Iterator[Related]:
    for place in stub.declared[:1] if stub else ():
        yield Related(place.uri, place.span, "MPS registers nothing for this stub")
    block = registrations_at(snapshot, function.uri) if stub else None
    if block is not None:
        yield Related(block.lines.uri, block.lines.span, "this file registers others here")


def _registration(snapshot: Snapshot, function: HostFunction, stub: Stub | None) -> tuple[Fix, ...]:
    edit = registration_of(snapshot, stub.name, function) if stub else None
    if stub is None or edit is None:
        return ()
    title = f"Register `{function.name.text}` for `{stub.name}`"
    return (Fix(title, (FileEdit(function.uri, edit),), safe=False),)


RULE = Rule(
    "unused-host-function",
    Group.STUB,
    Severity.WARNING,
    frozenset((Language.HOST,)),
    check,
    __doc__ or "",
)
