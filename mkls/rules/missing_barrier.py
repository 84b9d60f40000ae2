"""Threadgroup memory is read before all threads have written it.

## What it does
Looks for a read of a threadgroup array at another subscript than it was last written at, without
a barrier in between.

## Why is this bad?
The element may be another thread's, which may not have come that far. The result depends on how
the threads are scheduled.

## Example
```metal kernels/Turn.metal
kernel void turn(device float* data [[buffer(0)]], uint at [[thread_position_in_threadgroup]]) {
  threadgroup float shared[256];
  shared[at] = data[at];
  data[at] = shared[255 - at];
}
```

## Use instead
```metal kernels/Turn.metal
kernel void turn(device float* data [[buffer(0)]], uint at [[thread_position_in_threadgroup]]) {
  threadgroup float shared[256];
  shared[at] = data[at];
  threadgroup_barrier(mem_flags::mem_threadgroup);
  data[at] = shared[255 - at];
}
```
"""

from collections.abc import Iterator

from mkls.diagnostics.body_places import bodies_of
from mkls.diagnostics.model import Diagnostic, Group, Rule, Severity
from mkls.index.snapshot import Snapshot, Source
from mkls.text.document import Language


def check(snapshot: Snapshot, source: Source) -> Iterator[Diagnostic]:
    """Report the reads that no barrier parts from a write."""
    del snapshot
    for place in bodies_of(source).unfenced_reads:
        yield Diagnostic(
            place.span, f"`{place.name}` is read without a barrier after it was written"
        )


RULE = Rule(
    "missing-barrier",
    Group.KERNEL_BODY,
    Severity.HINT,
    frozenset((Language.METAL,)),
    check,
    __doc__ or "",
    default=False,
)
