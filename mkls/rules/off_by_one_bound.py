"""A bounds check lets the first index beyond the end pass.

## What it does
Looks at checks that leave a function when an index is greater than a size, where the index was
read from a buffer or is the thread's own and is then used to address memory, or where the check's
other half says `index < -size`.

## Why is this bad?
A size is the first index that is out of bounds. A kernel that lets it pass reads or writes beside
the buffer: Metal gives no error, only wrong values.

## Example
```metal kernels/Pick.metal
kernel void pick(
    device float* out [[buffer(0)]],
    constant float* input [[buffer(1)]],
    constant long* chosen [[buffer(2)]],
    constant long& count [[buffer(3)]],
    uint thread_index [[thread_position_in_grid]]) {
  const auto at = chosen[thread_index];
  if (at < 0 || at > count) {
    return;
  }
  out[thread_index] = input[at];
}
```

## Use instead
```metal kernels/Pick.metal
kernel void pick(
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

## Fix safety
The fix makes the check stricter by one. It is unsafe: the bound may be meant as the last index.
"""

from collections.abc import Iterator

from mkls.diagnostics.body_places import bodies_of, cure
from mkls.diagnostics.model import Diagnostic, Group, Rule, Severity
from mkls.index.snapshot import Snapshot, Source
from mkls.text.document import Language


def check(snapshot: Snapshot, source: Source) -> Iterator[Diagnostic]:
    """Report the comparisons that let an index equal a size."""
    del snapshot
    for place in bodies_of(source).loose_bounds:
        yield Diagnostic(
            place.span,
            f"`{place.name}` can equal `{place.other}`, which is out of bounds",
            fixes=cure(source, place, "Compare with `>=`"),
        )


RULE = Rule(
    "off-by-one-bound",
    Group.KERNEL_BODY,
    Severity.WARNING,
    frozenset((Language.METAL,)),
    check,
    __doc__ or "",
)
