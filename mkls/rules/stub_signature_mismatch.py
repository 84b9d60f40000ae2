"""A function is registered for a stub whose type is another.

## What it does
Compares the parameters of each function that `REGISTER_DISPATCH` registers for MPS with the type
in the stub's `DECLARE_DISPATCH`, which may be an alias (`using unary_fn = void (*)(…);`). A type
that may be an alias of another, and a function that the same file does not define, are left alone.

## Why is this bad?
It does not compile, as the stub holds a pointer to exactly its type. A `TensorIterator&` where the
stub has `TensorIteratorBase&` is the usual case, and only a Mac's compiler sees it.

## Example
```cpp aten/src/ATen/native/Glide.h
using glide_fn = void (*)(TensorIteratorBase&, const Scalar&);
DECLARE_DISPATCH(glide_fn, glide_stub);
```
```objcpp aten/src/ATen/native/mps/operations/Glide.mm
static void glide_kernel(TensorIterator& iter, const Scalar& by) {
  run(iter, by);
}

REGISTER_DISPATCH(glide_stub, &glide_kernel);
```

## Use instead
```cpp aten/src/ATen/native/Glide.h
using glide_fn = void (*)(TensorIteratorBase&, const Scalar&);
DECLARE_DISPATCH(glide_fn, glide_stub);
```
```objcpp aten/src/ATen/native/mps/operations/Glide.mm
static void glide_kernel(TensorIteratorBase& iter, const Scalar& by) {
  run(iter, by);
}

REGISTER_DISPATCH(glide_stub, &glide_kernel);
```

## Fix safety
The fix is unsafe: other callers of the function may need the type that it has.
"""

from collections.abc import Iterator

from mkls.diagnostics.model import Diagnostic, FileEdit, Fix, Group, Related, Rule, Severity
from mkls.index.place import Place
from mkls.index.snapshot import Snapshot, Source
from mkls.index.stub_types import Mismatch, mismatches
from mkls.text.document import Language
from mkls.text.edit import Edit


def check(snapshot: Snapshot, source: Source) -> Iterator[Diagnostic]:
    """Report each function that the document registers for a stub of another type."""
    for mismatch in mismatches(snapshot, source.document.uri):
        declared, defined = mismatch.stub.declared[0], _defined(mismatch)
        yield Diagnostic(
            mismatch.registered.span,
            _message(mismatch),
            related=(
                Related(defined.uri, defined.span, "defined here"),
                Related(declared.uri, declared.span, "declared here"),
            ),
            fixes=_fixes(mismatch),
        )


def _defined(mismatch: Mismatch) -> Place:
    """Return the parameter that differs; the function's name where a macro made it or all do."""
    function, parameter = mismatch.function, mismatch.parameter
    if parameter is None or function.macro:
        return function.name_place
    return function.stated.place(parameter.span)


def _message(mismatch: Mismatch) -> str:
    stub, count = mismatch.stub.name, len(mismatch.parameters)
    if mismatch.parameter is None:
        return f"`{stub}` has {count} parameters, this function has {mismatch.index}"
    wanted, parameter = mismatch.parameters[mismatch.index], mismatch.parameter
    return f"`{stub}` takes `{wanted}` where this function takes `{parameter.type}`"


def _fixes(mismatch: Mismatch) -> tuple[Fix, ...]:
    function, parameter = mismatch.function, mismatch.parameter
    if parameter is None or function.macro or parameter.default:
        return ()
    wanted = mismatch.parameters[mismatch.index]
    edit = Edit(_defined(mismatch).span, f"{wanted} {parameter.name}".rstrip())
    return (Fix(f"Change to `{wanted}`", (FileEdit(function.uri, edit),), safe=False),)


RULE = Rule(
    "stub-signature-mismatch",
    Group.STUB,
    Severity.ERROR,
    frozenset((Language.HOST, Language.CPP)),
    check,
    __doc__ or "",
)
