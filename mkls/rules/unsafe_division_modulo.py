"""The remainder of a quotient: the Metal compiler gets it wrong.

## What it does
Looks for `(a / b) % c`.

## Why is this bad?
Some versions of the compiler miscompile it for integers (pytorch/pytorch#175481). The helper
`c10::metal::safe_mod` keeps the division and the remainder apart.

## Example
```metal kernels/Digit.metal
#include <c10/metal/utils.h>

inline int digit(int value, int place, int base) {
  return (value / place) % base;
}
```

## Use instead
```metal kernels/Digit.metal
#include <c10/metal/utils.h>

inline int digit(int value, int place, int base) {
  return c10::metal::safe_mod(value / place, base);
}
```

## Fix safety
The fix calls the helper. It is unsafe: not every release of PyTorch has it.
"""

from collections.abc import Iterator

from mkls.diagnostics.body_places import bodies_of, cure, includes
from mkls.diagnostics.model import Diagnostic, Group, Rule, Severity
from mkls.index.snapshot import Snapshot, Source
from mkls.text.document import Language


def check(snapshot: Snapshot, source: Source) -> Iterator[Diagnostic]:
    """Report the remainders of quotients."""
    del snapshot
    for place in bodies_of(source).quotient_remainders:
        yield Diagnostic(
            place.span,
            f"the compiler may get the remainder of `{place.name}` wrong",
            fixes=cure(source, place, "Call `c10::metal::safe_mod`")
            if includes(source, "c10/metal/")
            else (),
        )


RULE = Rule(
    "unsafe-division-modulo",
    Group.KERNEL_BODY,
    Severity.INFORMATION,
    frozenset((Language.METAL,)),
    check,
    __doc__ or "",
    default=False,
)
