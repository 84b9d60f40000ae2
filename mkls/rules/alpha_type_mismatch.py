"""The scalar of an `exec_*` call has a dtype for which no kernel is registered.

## What it does
Compares the constant that the host gives as the scalar's dtype (`ScalarType::Long`, `kFloat`) with
the last dtype in the names of the kernels that take a scalar.

## Why is this bad?
The scalar's dtype ends the kernel's name, and nothing is tried instead: "Failed to create function
state object for: …" for every dtype, on a Mac.

## Example
```metal kernels/Round.metal
template <typename T, typename A>
kernel void unary_alpha_dense(
    device T* out [[buffer(0)]], constant T* input [[buffer(1)]], constant A& alpha [[buffer(2)]]) {
  out[0] = input[0] * T(alpha);
}
template [[host_name("scale_dense_float_float_long")]] kernel void unary_alpha_dense<float, long>(
    device float*, constant float*, constant long&);
```
```objcpp operations/Round.mm
static auto& lib = MetalShaderLibrary::getBundledLibrary();
static void scale(TensorIteratorBase& iter, int64_t by) {
  lib.exec_unary_kernel(iter, "scale", Scalar(by), ScalarType::Int);
}
```

## Use instead
```metal kernels/Round.metal
template <typename T, typename A>
kernel void unary_alpha_dense(
    device T* out [[buffer(0)]], constant T* input [[buffer(1)]], constant A& alpha [[buffer(2)]]) {
  out[0] = input[0] * T(alpha);
}
template [[host_name("scale_dense_float_float_long")]] kernel void unary_alpha_dense<float, long>(
    device float*, constant float*, constant long&);
```
```objcpp operations/Round.mm
static auto& lib = MetalShaderLibrary::getBundledLibrary();
static void scale(TensorIteratorBase& iter, int64_t by) {
  lib.exec_unary_kernel(iter, "scale", Scalar(by), ScalarType::Long);
}
```

## Fix safety
The fix names the one dtype that is registered. It is unsafe: the registrations may be what is
wrong.
"""

from collections.abc import Iterator

from mkls.diagnostics.model import Diagnostic, FileEdit, Fix, Group, Rule, Severity
from mkls.index.dtype_words import SPELLINGS
from mkls.index.exec_calls import WrongScalarType, wrong_scalar_types
from mkls.index.snapshot import Snapshot, Source
from mkls.text.document import Language
from mkls.text.edit import Edit

_ENUMERATORS = {spelling: name for name, spelling in SPELLINGS.items()}


def check(snapshot: Snapshot, source: Source) -> Iterator[Diagnostic]:
    """Report each scalar dtype of `source` that no kernel takes."""
    for found in wrong_scalar_types(snapshot, source.document.uri):
        registered = ", ".join(f"`{it}`" for it in found.registered)
        yield Diagnostic(
            found.place.span,
            f"the kernels take their scalar as {registered}, not as `{found.spelling}`",
            fixes=_other_dtype(found),
        )


def _other_dtype(found: WrongScalarType) -> tuple[Fix, ...]:
    if len(found.registered) != 1 or found.registered[0] not in _ENUMERATORS:
        return ()
    dtype = f"ScalarType::{_ENUMERATORS[found.registered[0]]}"
    edit = FileEdit(found.place.uri, Edit(found.place.span, dtype))
    return (Fix(f"Change to `{dtype}`", (edit,), safe=False),)


RULE = Rule(
    "alpha-type-mismatch",
    Group.KERNEL_NAME,
    Severity.ERROR,
    frozenset((Language.HOST,)),
    check,
    __doc__ or "",
)
