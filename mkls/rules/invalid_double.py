"""Metal has no double.

## What it does
Looks for the type `double`, and for vectors of it, in what is compiled as Metal.

## Why is this bad?
Metal knows no floating-point numbers of 64 bits (MSL 4, section 2.1): the source does not compile.

## Example
```metal kernels/Mean.metal
kernel void mean(constant float* input [[buffer(0)]], device float* out [[buffer(1)]]) {
  double sum = input[0] + input[1];
  out[0] = sum / 2;
}
```

## Use instead
```metal kernels/Mean.metal
kernel void mean(constant float* input [[buffer(0)]], device float* out [[buffer(1)]]) {
  float sum = input[0] + input[1];
  out[0] = sum / 2;
}
```

## Fix safety
The fix uses `float`. It is unsafe: precision is lost that the formula may count on.
"""

from collections.abc import Iterator

from mkls.diagnostics.body_places import bodies_of, cure, includes, is_conditional
from mkls.diagnostics.model import Diagnostic, Group, Rule, Severity
from mkls.index.snapshot import Snapshot, Source
from mkls.text.document import Language

_HOST_TOO = ("__METAL__", "__OBJC__", "__cplusplus", "__APPLE__")


def check(snapshot: Snapshot, source: Source) -> Iterator[Diagnostic]:
    """Report each use of double that Metal gets to see."""
    del snapshot
    is_shared = source.document.uri.endswith(".h") and not includes(source, "metal_")
    for place in () if is_shared else bodies_of(source).doubles:
        if not is_conditional(source, place.span, _HOST_TOO):
            yield Diagnostic(
                place.span,
                f"Metal has no `{place.name}`",
                fixes=cure(source, place, f"Use `{place.new_text}`"),
            )


RULE = Rule(
    "invalid-double",
    Group.KERNEL_BODY,
    Severity.ERROR,
    frozenset((Language.METAL,)),
    check,
    __doc__ or "",
)
