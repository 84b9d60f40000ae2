"""`REGISTER_DISPATCH` in a C++ file of the MPS backend registers the kernel for the CPU.

## What it does
Reports `REGISTER_DISPATCH` in a `.cpp` file below a folder called `mps`.

## Why is this bad?
The macro means MPS only in Objective-C++ (`ATen/native/DispatchStub.h` asks for `__OBJC__`). In C++
it registers the function for the CPU capability that the file is compiled for: MPS stays without a
kernel, and the CPU gets a second one.

## Example
```cpp aten/src/ATen/native/mps/Glide.cpp
namespace at::native {
static void glide_kernel(TensorIteratorBase& iter) {}
REGISTER_DISPATCH(glide_stub, &glide_kernel);
} // namespace at::native
```

## Use instead
```cpp aten/src/ATen/native/mps/Glide.cpp
namespace at::native {
static void glide_kernel(TensorIteratorBase& iter) {}
REGISTER_MPS_DISPATCH(glide_stub, &glide_kernel);
} // namespace at::native
```

## Fix safety
The fix is unsafe: the file may be meant to be an `.mm`.
"""

from collections.abc import Iterator

from mkls.diagnostics.model import Diagnostic, FileEdit, Fix, Group, Rule, Severity
from mkls.facts.model.host import StubDevice
from mkls.index.snapshot import Snapshot, Source
from mkls.text.document import Language
from mkls.text.edit import Edit
from mkls.text.span import Span

_MACRO = "REGISTER_DISPATCH"


def check(snapshot: Snapshot, source: Source) -> Iterator[Diagnostic]:
    """Report each registration that means the CPU where MPS is meant."""
    uri = source.document.uri
    document = snapshot.host.document(uri)
    if document is None or "/mps/" not in uri or not uri.endswith(".cpp"):
        return
    for stated, registration in document.registrations():
        start = stated.place(registration.span).span.start
        span = Span(start, start + len(_MACRO))
        if registration.device is StubDevice.BY_FILE and span.of(source.document.text) == _MACRO:
            edit = FileEdit(uri, Edit(span, "REGISTER_MPS_DISPATCH"))
            yield Diagnostic(
                span,
                f"in C++, this registers `{registration.stub.text}` for the CPU, not for MPS",
                fixes=(Fix("Change to `REGISTER_MPS_DISPATCH`", (edit,), safe=False),),
            )


RULE = Rule(
    "stub-registered-for-cpu",
    Group.STUB,
    Severity.ERROR,
    frozenset((Language.CPP,)),
    check,
    __doc__ or "",
)
