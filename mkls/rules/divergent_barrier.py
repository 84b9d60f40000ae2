"""Some threads may return before a barrier.

## What it does
Looks in kernels for a `threadgroup_barrier` after a `return` on a condition that names the thread's
own position.

## Why is this bad?
Every thread of the threadgroup must reach the barrier, or none (MSL 4, section 6.9). Where the
return depends on the thread, the rest waits for ever, or reads what was not written yet.

## Example
```metal kernels/Turn.metal
kernel void turn(
    device float* data [[buffer(0)]],
    constant uint& count [[buffer(1)]],
    threadgroup float* shared [[threadgroup(0)]],
    uint at [[thread_position_in_threadgroup]]) {
  if (at >= count) {
    return;
  }
  shared[at] = data[at];
  threadgroup_barrier(mem_flags::mem_threadgroup);
  data[at] = shared[count - 1 - at];
}
```

## Use instead
```metal kernels/Turn.metal
kernel void turn(
    device float* data [[buffer(0)]],
    constant uint& count [[buffer(1)]],
    threadgroup float* shared [[threadgroup(0)]],
    uint at [[thread_position_in_threadgroup]]) {
  if (at < count) {
    shared[at] = data[at];
  }
  threadgroup_barrier(mem_flags::mem_threadgroup);
  if (at < count) {
    data[at] = shared[count - 1 - at];
  }
}
```
"""

from collections.abc import Iterator

from mkls.diagnostics.body_places import bodies_of
from mkls.diagnostics.model import Diagnostic, Group, Rule, Severity
from mkls.index.snapshot import Snapshot, Source
from mkls.text.document import Language


def check(snapshot: Snapshot, source: Source) -> Iterator[Diagnostic]:
    """Report the barriers that not every thread may reach."""
    del snapshot
    for place in bodies_of(source).late_barriers:
        yield Diagnostic(place.span, f"threads of `{place.within}` may return before this barrier")


RULE = Rule(
    "divergent-barrier",
    Group.KERNEL_BODY,
    Severity.HINT,
    frozenset((Language.METAL,)),
    check,
    __doc__ or "",
    default=False,
)
