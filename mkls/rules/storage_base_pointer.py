"""The storage's base pointer is handed to Metal in place of the tensor's.

## What it does
Reports `setBytes:tensor.storage().data()` in Objective-C++ files: the bytes that are copied are
those at the start of the storage. Likewise `storage().nbytes()` as a length beside a storage
offset. Headers, which operators share, are left alone.

## Why is this bad?
A tensor without dimensions may be a view of a larger one, such as `x[3]`. Its value then lies
further on, and the kernel computes with element 0.

## Example
```objcpp operations/Scalar.mm
void bind(id<MTLComputeCommandEncoder> encoder, const Tensor& scalar) {
  [encoder setBytes:scalar.storage().data() length:scalar.element_size() atIndex:1];
}
```

## Use instead
```objcpp operations/Scalar.mm
void bind(id<MTLComputeCommandEncoder> encoder, const Tensor& scalar) {
  [encoder setBytes:scalar.const_data_ptr() length:scalar.element_size() atIndex:1];
}
```

## Fix safety
The fix is safe: for a tensor that fills its storage, the two are one.
"""

from collections.abc import Iterator

from mkls.diagnostics.model import Diagnostic, FileEdit, Fix, Group, Rule, Severity
from mkls.index.launches import launching_functions
from mkls.index.snapshot import Snapshot, Source
from mkls.text.document import Language
from mkls.text.edit import Edit


def check(snapshot: Snapshot, source: Source) -> Iterator[Diagnostic]:
    """Report each base pointer whose bytes are copied to a kernel."""
    for function, launches in launching_functions(snapshot, source.document.uri):
        for pointer in launches.base_pointers:
            span = pointer.span.shifted(function.stated.start)
            is_length = pointer.text.endswith("nbytes()")
            own = "nbytes()" if is_length else "const_data_ptr()"
            what = "ends" if is_length else "begins"
            edit = FileEdit(source.document.uri, Edit(span, own))
            yield Diagnostic(
                span,
                f"the storage is not where the tensor {what}",
                fixes=(Fix(f"Use the tensor's own `{own}`", (edit,)),),
            )


RULE = Rule(
    "storage-base-pointer",
    Group.BINDING,
    Severity.WARNING,
    frozenset((Language.HOST,)),
    check,
    __doc__ or "",
)
