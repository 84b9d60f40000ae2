"""A registration names a function that nothing defines.

## What it does
Reports the second argument of `REGISTER_DISPATCH` and `REGISTER_MPS_DISPATCH` when no file defines
a function of that name, namespaces aside. Anything but a name, such as `kernel<float>` or a lambda,
is left alone.

## Why is this bad?
It does not compile, but only on a Mac.

## Example
```objcpp aten/src/ATen/native/mps/operations/Glide.mm
static void glide_kernel(TensorIteratorBase& iter) {
  run(iter);
}

REGISTER_DISPATCH(glide_stub, &glide_kernal);
```

## Use instead
```objcpp aten/src/ATen/native/mps/operations/Glide.mm
static void glide_kernel(TensorIteratorBase& iter) {
  run(iter);
}

REGISTER_DISPATCH(glide_stub, &glide_kernel);
```

## Fix safety
The fix proposes the nearest name that the file defines; it is unsafe because that is a guess.
"""

from collections.abc import Iterator

from mkls.diagnostics.model import Diagnostic, FileEdit, Fix, Group, Rule, Severity
from mkls.index.place import Place
from mkls.index.snapshot import Snapshot, Source
from mkls.index.spelling import close_names
from mkls.index.stub_types import undefined_functions
from mkls.text.document import Language
from mkls.text.edit import Edit


def check(snapshot: Snapshot, source: Source) -> Iterator[Diagnostic]:
    """Report each function that the document registers and nothing defines."""
    for name, place in undefined_functions(snapshot, source.document.uri):
        yield Diagnostic(
            place.span, f"nothing defines `{name}`", fixes=_fixes(snapshot, place, name)
        )


def _fixes(snapshot: Snapshot, place: Place, name: str) -> tuple[Fix, ...]:
    document = snapshot.host.document(place.uri)
    if place.span.end - place.span.start != len(name):
        return ()  # a macro made the name out of what stands here
    return tuple(
        Fix(f"Change to `{close}`", (FileEdit(place.uri, Edit(place.span, close)),), safe=False)
        for close in close_names(name, document.functions_by_name if document else ())
    )


RULE = Rule(
    "undefined-stub-function",
    Group.STUB,
    Severity.ERROR,
    frozenset((Language.HOST, Language.CPP)),
    check,
    __doc__ or "",
)
