"""A parameter is a pointer or reference without an address space.

## What it does
Looks for parameters of kernels and functions that point or refer to a plain type and name none of
`device`, `constant`, `threadgroup` and `thread`.

## Why is this bad?
Each of them is memory of its own, and Metal assumes none (MSL 4, section 4): the source does not
compile.

## Example
```metal kernels/Twice.metal
kernel void twice(constant float* input [[buffer(0)]], float* out [[buffer(1)]]) {
  out[0] = 2 * input[0];
}
```

## Use instead
```metal kernels/Twice.metal
kernel void twice(constant float* input [[buffer(0)]], device float* out [[buffer(1)]]) {
  out[0] = 2 * input[0];
}
```

## Why no fix
The address space is that of what callers hand over, and they may differ.
"""

from collections.abc import Iterator

from mkls.diagnostics.body_places import bodies_of, includes, is_conditional
from mkls.diagnostics.model import Diagnostic, Group, Rule, Severity
from mkls.index.snapshot import Snapshot, Source
from mkls.text.document import Language

_HOST_TOO = ("__METAL__", "__OBJC__", "__cplusplus", "__APPLE__")


def check(snapshot: Snapshot, source: Source) -> Iterator[Diagnostic]:
    """Report the parameters without an address space."""
    del snapshot
    is_shared = source.document.uri.endswith(".h") and not includes(source, "metal_")
    for place in () if is_shared else bodies_of(source).unqualified_pointers:
        if not is_conditional(source, place.span, _HOST_TOO):
            yield Diagnostic(
                place.span,
                f"the {place.other} `{place.name}` of `{place.within}` has no address space",
            )


RULE = Rule(
    "unqualified-pointer",
    Group.KERNEL_BODY,
    Severity.ERROR,
    frozenset((Language.METAL,)),
    check,
    __doc__ or "",
)
