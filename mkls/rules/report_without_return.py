"""A function reports an error and goes on.

## What it does
Looks at what follows `TORCH_REPORT_ERROR`: a `return`, `continue` or `break`, an assignment that
notes what happened, or the end of the function. Anything else is reported.

## Why is this bad?
The macro writes a message for the host and returns. What it complains about, such as an index
out of bounds, is then used all the same, and memory is overwritten before the host can raise.

## Example
```metal kernels/Pick.metal
#include <c10/metal/error.h>

kernel void pick(
    device float* out [[buffer(0)]],
    constant float* input [[buffer(1)]],
    constant long& at [[buffer(2)]],
    constant long& count [[buffer(3)]],
    device c10::metal::ErrorMessages* errors [[buffer(4)]]) {
  if (at >= count) {
    TORCH_REPORT_ERROR(errors, at, " is out of bounds");
  }
  out[0] = input[at];
}
```

## Use instead
```metal kernels/Pick.metal
#include <c10/metal/error.h>

kernel void pick(
    device float* out [[buffer(0)]],
    constant float* input [[buffer(1)]],
    constant long& at [[buffer(2)]],
    constant long& count [[buffer(3)]],
    device c10::metal::ErrorMessages* errors [[buffer(4)]]) {
  if (at >= count) {
    TORCH_REPORT_ERROR(errors, at, " is out of bounds");
    return;
  }
  out[0] = input[at];
}
```

## Fix safety
The fix returns after the report, in functions without a result. It is unsafe: what comes after
may be a barrier that all threads must reach.
"""

from collections.abc import Iterator

from mkls.diagnostics.body_places import bodies_of, cure
from mkls.diagnostics.model import Diagnostic, Group, Rule, Severity
from mkls.index.snapshot import Snapshot, Source
from mkls.text.document import Language


def check(snapshot: Snapshot, source: Source) -> Iterator[Diagnostic]:
    """Report the errors after which a function goes on."""
    del snapshot
    for place in bodies_of(source).reports:
        yield Diagnostic(
            place.span,
            f"`{place.within}` goes on after it has reported an error",
            fixes=cure(source, place, "Return after the report"),
        )


RULE = Rule(
    "report-without-return",
    Group.KERNEL_BODY,
    Severity.WARNING,
    frozenset((Language.METAL,)),
    check,
    __doc__ or "",
)
