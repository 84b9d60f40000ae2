"""An offset is multiplied in 32 bits.

## What it does
Looks for `int` and `uint` variables that are initialised from a product with a stride or a size,
and then used as an offset.

## Why is this bad?
The product of an index and a stride passes 2**32 in tensors that fit into memory. It then wraps,
and the kernel silently reads and writes other elements.

## Example
```metal kernels/Rows.metal
kernel void rows(
    device float* out [[buffer(0)]],
    constant uint& stride [[buffer(1)]],
    uint2 position [[thread_position_in_grid]]) {
  uint offset = position.y * stride + position.x;
  out[offset] = 1;
}
```

## Use instead
```metal kernels/Rows.metal
kernel void rows(
    device float* out [[buffer(0)]],
    constant uint& stride [[buffer(1)]],
    uint2 position [[thread_position_in_grid]]) {
  ulong offset = ulong(position.y) * stride + position.x;
  out[offset] = 1;
}
```
"""

from collections.abc import Iterator

from mkls.diagnostics.body_places import bodies_of
from mkls.diagnostics.model import Diagnostic, Group, Rule, Severity
from mkls.index.snapshot import Snapshot, Source
from mkls.text.document import Language


def check(snapshot: Snapshot, source: Source) -> Iterator[Diagnostic]:
    """Report the products of sizes that 32 bits may not hold."""
    del snapshot
    for place in bodies_of(source).narrow_products:
        yield Diagnostic(
            place.span, f"the offset `{place.name}` is multiplied in 32 bits, as `{place.other}`"
        )


RULE = Rule(
    "narrow-offset-product",
    Group.KERNEL_BODY,
    Severity.INFORMATION,
    frozenset((Language.METAL,)),
    check,
    __doc__ or "",
    default=False,
)
