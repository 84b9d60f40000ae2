"""A switch over dtypes has no way out for the others.

## What it does
Looks for `switch` statements with cases of `ScalarType` and without `default`.

## Why is this bad?
When the host lets another dtype through, the kernel does nothing and the output keeps whatever it
held. There is no error.

## Example
```metal kernels/Store.metal
#include <c10/metal/common.h>

inline void store(device void* out, float value, c10::metal::ScalarType type) {
  switch (type) {
    case c10::metal::ScalarType::Float:
      *static_cast<device float*>(out) = value;
      return;
  }
}
```

## Use instead
```metal kernels/Store.metal
#include <c10/metal/common.h>

inline void store(device void* out, float value, c10::metal::ScalarType type) {
  switch (type) {
    case c10::metal::ScalarType::Float:
      *static_cast<device float*>(out) = value;
      return;
    default:
      return;
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
    """Report the switches over dtypes that leave some out."""
    del snapshot
    for place in bodies_of(source).partial_switches:
        yield Diagnostic(
            place.span, f"`{place.within}` does nothing for other dtypes: no `default`"
        )


RULE = Rule(
    "dtype-switch-without-default",
    Group.KERNEL_BODY,
    Severity.INFORMATION,
    frozenset((Language.METAL,)),
    check,
    __doc__ or "",
    default=False,
)
