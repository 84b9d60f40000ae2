"""No host code asks for a kernel.

## What it does
Reports registrations of which no kernel has a name that some lookup may ask for, parts of names
that cannot be worked out standing for anything. Says nothing while there are no lookups at all, or
one of whose name nothing is known; a library that is never asked counts as asked for nothing.

## Why is this bad?
A kernel that nothing asks for is left over, or was added and never put to use: the operator still
runs the old code. It costs compile time in every build.

## Example
```metal kernels/Cross.metal
kernel void cross_float(device float* out [[buffer(0)]]) {}
kernel void dot_float(device float* out [[buffer(0)]]) {}
```
```objcpp operations/Cross.mm
void cross(const Tensor& out) {
  auto pipeline = lib.getPipelineStateForFunc("cross_float");
}
```

## Use instead
```metal kernels/Cross.metal
kernel void cross_float(device float* out [[buffer(0)]]) {}
```
```objcpp operations/Cross.mm
void cross(const Tensor& out) {
  auto pipeline = lib.getPipelineStateForFunc("cross_float");
}
```
"""

from collections.abc import Iterator

from mkls.diagnostics.model import Diagnostic, Group, Rule, Severity
from mkls.index.expected_kernels import unused_kernels
from mkls.index.snapshot import Snapshot, Source
from mkls.text.document import Language


def check(snapshot: Snapshot, source: Source) -> Iterator[Diagnostic]:
    """Report each registration of `source` that no lookup can mean."""
    for registration, kernel in unused_kernels(snapshot, source.document.uri):
        more = len(registration.kernels) - 1
        and_more = f" (and {more} more)" if more else ""
        yield Diagnostic(
            registration.top.place.span,
            f"nothing asks for `{kernel.host_name}`{and_more}",
            unnecessary=True,
        )


RULE = Rule(
    "unused-kernel",
    Group.KERNEL_NAME,
    Severity.INFORMATION,
    frozenset((Language.METAL,)),
    check,
    __doc__ or "",
    default=False,
)
