"""A pointer is made from one of another address space.

## What it does
Looks at local pointers that are initialised from a parameter of the same function, and compares
the address spaces to which both point.

## Why is this bad?
Address spaces are memories of their own, and no pointer can leave its own (MSL 4, section 4): the
source does not compile.

## Example
```metal kernels/Row.metal
kernel void row(
    constant float* input [[buffer(0)]],
    device float* out [[buffer(1)]],
    uint at [[thread_position_in_grid]]) {
  device const float* own = input + 4 * at;
  out[at] = own[0];
}
```

## Use instead
```metal kernels/Row.metal
kernel void row(
    constant float* input [[buffer(0)]],
    device float* out [[buffer(1)]],
    uint at [[thread_position_in_grid]]) {
  constant const float* own = input + 4 * at;
  out[at] = own[0];
}
```

## Fix safety
The fix gives the local pointer the parameter's address space. It is unsafe: the parameter may be
what is wrong.
"""

from collections.abc import Iterator

from mkls.diagnostics.body_places import bodies_of, cure
from mkls.diagnostics.model import Diagnostic, Group, Rule, Severity
from mkls.index.snapshot import Snapshot, Source
from mkls.text.document import Language


def check(snapshot: Snapshot, source: Source) -> Iterator[Diagnostic]:
    """Report the pointers that cannot be made from what they are made from."""
    del snapshot
    for place in bodies_of(source).mixed_spaces:
        yield Diagnostic(
            place.span,
            f"a `{place.name}` pointer is made from a `{place.other}` one",
            fixes=cure(source, place, f"Point to `{place.other}`"),
        )


RULE = Rule(
    "mixed-address-spaces",
    Group.KERNEL_BODY,
    Severity.ERROR,
    frozenset((Language.METAL,)),
    check,
    __doc__ or "",
)
