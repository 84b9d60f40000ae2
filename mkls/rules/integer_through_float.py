"""An overload for integers computes its integer result in float.

## What it does
Looks in overloads that `enable_if` selects for integers, and that return the same type, for a
result that is computed from arguments converted to `float`.

## Why is this bad?
A float holds 24 bits of an integer. Beyond 16,777,216 the result is wrong for `int` and `long`,
without any error.

## Example
```metal kernels/Twice.metal
#include <metal_stdlib>
using namespace metal;

struct twice_functor {
  template <typename T>
  enable_if_t<is_integral_v<T>, T> operator()(const T x) {
    return T(float(x) * 2);
  }
};
```

## Use instead
```metal kernels/Twice.metal
#include <metal_stdlib>
using namespace metal;

struct twice_functor {
  template <typename T>
  enable_if_t<is_integral_v<T>, T> operator()(const T x) {
    return x * T(2);
  }
};
```

## Why no fix
The formula for integers is another one than for floating-point numbers, if there is one.
"""

from collections.abc import Iterator

from mkls.diagnostics.body_places import bodies_of
from mkls.diagnostics.model import Diagnostic, Group, Rule, Severity
from mkls.index.snapshot import Snapshot, Source
from mkls.text.document import Language


def check(snapshot: Snapshot, source: Source) -> Iterator[Diagnostic]:
    """Report the conversions through which integers lose bits."""
    del snapshot
    for place in bodies_of(source).float_detours:
        yield Diagnostic(
            place.span,
            f"`{place.name}` is an integer and so is the result: float keeps 24 bits of it",
        )


RULE = Rule(
    "integer-through-float",
    Group.KERNEL_BODY,
    Severity.WARNING,
    frozenset((Language.METAL,)),
    check,
    __doc__ or "",
)
