"""A tensor is bound from the start of its storage.

## What it does
Reports `setBuffer:getMTLBufferStorage(tensor) offset:0`, directly or through a local variable. For
a tensor that the function has just allocated it is information only: its offset is zero today.

## Why is this bad?
A view begins somewhere within its storage. The kernel then reads and writes the elements before it:
wrong results for slices, and memory that belongs to someone else.

## Example
```objcpp operations/Norm.mm
void norm(const Tensor& out) {
  [encoder setBuffer:getMTLBufferStorage(out)
              offset:0
             atIndex:0];
}
```

## Use instead
```objcpp operations/Norm.mm
void norm(const Tensor& out) {
  [encoder setBuffer:getMTLBufferStorage(out)
              offset:out.storage_offset() * out.element_size()
             atIndex:0];
}
```

## Fix safety
The fix is safe: where the offset is zero, nothing changes. `mtl_setBuffer` says the same in fewer
words.
"""

from collections.abc import Iterator

from mkls.diagnostics.model import Diagnostic, FileEdit, Fix, Group, Rule, Severity
from mkls.index.launches import launching_functions
from mkls.index.snapshot import Snapshot, Source
from mkls.text.document import Language
from mkls.text.edit import Edit


def check(snapshot: Snapshot, source: Source) -> Iterator[Diagnostic]:
    """Report each tensor whose storage is bound with the offset 0."""
    for function, launches in launching_functions(snapshot, source.document.uri):
        for raw in launches.raw_buffers:
            span = raw.span.shifted(function.stated.start)
            offset = f"{raw.tensor}.storage_offset() * {raw.tensor}.element_size()"
            edit = FileEdit(source.document.uri, Edit(span, offset))
            yield Diagnostic(
                span,
                f"`{raw.tensor}` is bound without its storage offset",
                fixes=(Fix("Add the offset", (edit,)),),
                severity=Severity.INFORMATION if raw.is_fresh else None,
            )


RULE = Rule(
    "ignored-storage-offset",
    Group.BINDING,
    Severity.WARNING,
    frozenset((Language.HOST, Language.CPP)),
    check,
    __doc__ or "",
)
