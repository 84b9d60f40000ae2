"""An index from a tensor is used without a check.

## What it does
Looks for integers that a function reads from a buffer and uses as a subscript, without comparing,
clamping or handing them on before.

## Why is this bad?
The values of a tensor can be anything. An index beyond the end reads or writes other memory, and
Metal gives no error.

## Example
```metal kernels/Take.metal
kernel void take(
    device float* out [[buffer(0)]],
    constant float* input [[buffer(1)]],
    constant long* chosen [[buffer(2)]],
    constant long& count [[buffer(3)]],
    uint thread_index [[thread_position_in_grid]]) {
  const auto at = chosen[thread_index];
  out[thread_index] = input[at];
}
```

## Use instead
```metal kernels/Take.metal
kernel void take(
    device float* out [[buffer(0)]],
    constant float* input [[buffer(1)]],
    constant long* chosen [[buffer(2)]],
    constant long& count [[buffer(3)]],
    uint thread_index [[thread_position_in_grid]]) {
  const auto at = chosen[thread_index];
  if (at < 0 || at >= count) {
    return;
  }
  out[thread_index] = input[at];
}
```
"""

from collections.abc import Iterator

from mkls.diagnostics.body_places import bodies_of
from mkls.diagnostics.model import Diagnostic, Group, Rule, Severity
from mkls.index.snapshot import Snapshot, Source
from mkls.text.document import Language


def check(snapshot: Snapshot, source: Source) -> Iterator[Diagnostic]:
    """Report the indices that nothing checks."""
    del snapshot
    for place in bodies_of(source).trusted_indices:
        yield Diagnostic(
            place.span, f"nothing checks `{place.name}`, which comes from `{place.other}`"
        )


RULE = Rule(
    "unchecked-index",
    Group.KERNEL_BODY,
    Severity.INFORMATION,
    frozenset((Language.METAL,)),
    check,
    __doc__ or "",
    default=False,
)
