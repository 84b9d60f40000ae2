"""An `exec_*` call asks for kernels that take another number of inputs.

## What it does
Compares the arity in the name of `exec_unary_kernel`, `exec_binary_kernel` and
`exec_ternary_kernel` with the tensors that the kernels of the given name take. All of the kernels
must disagree.

## Why is this bad?
Binary and ternary kernels share parts of their names, unary and binary ones too. The lookup may
succeed, and the kernel then reads arguments that nobody bound.

## Example
```metal kernels/Binary.metal
template <typename T>
kernel void binary_dense(
    device T* out [[buffer(0)]], constant T* left [[buffer(1)]], constant T* right [[buffer(2)]]) {
  out[0] = left[0] + right[0];
}
template [[host_name("plus_dense_float_float")]] kernel void binary_dense<float>(
    device float*, constant float*, constant float*);
```
```objcpp operations/Binary.mm
static auto& lib = MetalShaderLibrary::getBundledLibrary();
static void plus(TensorIteratorBase& iter) {
  lib.exec_unary_kernel(iter, "plus");
}
```

## Use instead
```metal kernels/Binary.metal
template <typename T>
kernel void binary_dense(
    device T* out [[buffer(0)]], constant T* left [[buffer(1)]], constant T* right [[buffer(2)]]) {
  out[0] = left[0] + right[0];
}
template [[host_name("plus_dense_float_float")]] kernel void binary_dense<float>(
    device float*, constant float*, constant float*);
```
```objcpp operations/Binary.mm
static auto& lib = MetalShaderLibrary::getBundledLibrary();
static void plus(TensorIteratorBase& iter) {
  lib.exec_binary_kernel(iter, "plus");
}
```

## Fix safety
The fix calls the function of the kernels' arity. It is unsafe: the name may be what is wrong.
"""

from collections.abc import Iterator

from mkls.diagnostics.model import Diagnostic, FileEdit, Fix, Group, Related, Rule, Severity
from mkls.index.exec_calls import WrongArity, wrong_arities
from mkls.index.snapshot import Snapshot, Source
from mkls.text.document import Language
from mkls.text.edit import Edit

_COUNTS = {1: "one input", 2: "two inputs", 3: "three inputs"}


def check(snapshot: Snapshot, source: Source) -> Iterator[Diagnostic]:
    """Report each `exec_*` call of `source` whose kernels are of another arity."""
    yield from map(_diagnostic, wrong_arities(snapshot, source.document.uri))


def _diagnostic(found: WrongArity) -> Diagnostic:
    kernel, function = found.kernel, found.linked.lookup.function.text
    inputs = _COUNTS.get(found.arity, f"{found.arity} inputs")
    return Diagnostic(
        found.place.span,
        f"`{kernel.host_name}` takes {inputs}, `{function}` is not for it",
        related=(
            *(Related(it.uri, it.span, "in this macro") for it in found.macro),
            Related(kernel.uri, kernel.span, "the kernel"),
        ),
        fixes=_other_function(found),
    )


def _other_function(found: WrongArity) -> tuple[Fix, ...]:
    if found.linked.function.macro or not found.suitable:
        return ()
    edit = FileEdit(found.place.uri, Edit(found.place.span, found.suitable))
    return (Fix(f"Change to `{found.suitable}`", (edit,), safe=False),)


RULE = Rule(
    "exec-arity-mismatch",
    Group.KERNEL_NAME,
    Severity.ERROR,
    frozenset((Language.HOST,)),
    check,
    __doc__ or "",
)
