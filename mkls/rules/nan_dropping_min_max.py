"""A minimum or maximum that should be NaN is a number.

## What it does
Looks in functors and functions that are about extremes (`maximum`, `clamp`, `argmax`, …) for
Metal's own `min`, `max` and `clamp` of floating-point values, and anywhere for one that is nested
with its NaN-safe counterpart.

## Why is this bad?
Metal's functions prefer a number to NaN (MSL 4, section 6.5), as `fmin` and `fmax` do. PyTorch's
minimum, maximum and clamp give NaN for NaN, on every other device.

## Example
```metal kernels/Larger.metal
#include <c10/metal/utils.h>

struct maximum_functor {
  template <typename T>
  T operator()(const T a, const T b) {
    return ::metal::max(a, b);
  }
};
```

## Use instead
```metal kernels/Larger.metal
#include <c10/metal/utils.h>

struct maximum_functor {
  template <typename T>
  T operator()(const T a, const T b) {
    return c10::metal::max(a, b);
  }
};
```

## Fix safety
The fix calls the function of `c10::metal` that keeps NaN; results for NaN change, as they should.
"""

from collections.abc import Iterator

from mkls.diagnostics.body_places import bodies_of, cure, includes
from mkls.diagnostics.model import Diagnostic, Group, Rule, Severity
from mkls.index.dtype_words import FLOATING
from mkls.index.registered_dtypes import registered_dtypes
from mkls.index.snapshot import Snapshot, Source
from mkls.text.document import Language


def check(snapshot: Snapshot, source: Source) -> Iterator[Diagnostic]:
    """Report the calls that drop a NaN which the result should be."""
    for place in bodies_of(source).extremes:
        dtypes = registered_dtypes(snapshot, source.document.uri, place.within)
        if place.other == "any" and dtypes and dtypes.keys().isdisjoint(FLOATING):
            continue
        safe = f"c10::metal::{place.name}"
        yield Diagnostic(
            place.span,
            f"Metal's `{place.name}` drops NaN, which the result of `{place.within}` should be",
            fixes=cure(source, place, f"Call `{safe}`") if includes(source, "c10/metal/") else (),
        )


RULE = Rule(
    "nan-dropping-min-max",
    Group.KERNEL_BODY,
    Severity.WARNING,
    frozenset((Language.METAL,)),
    check,
    __doc__ or "",
)
