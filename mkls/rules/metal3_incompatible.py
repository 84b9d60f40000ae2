"""Metal 3 does not know this syntax.

## What it does
Looks for `if constexpr`, lambdas and structured bindings in trees that still build for Metal 3:
they define `IF_CONSTEXPR` as nothing for it, or guard code with `__METAL_VERSION__ >= 310`.

## Why is this bad?
Metal 3 is C++14 without lambdas. The tree builds every kernel for it too, and this does not
compile there, whatever the compiler for Metal 4 says on the author's Mac.

## Example
```metal c10/metal/common.h
#if __METAL_VERSION__ >= 400
#define IF_CONSTEXPR constexpr
#else
#define IF_CONSTEXPR
#endif
```
```metal kernels/Sign.metal
#include <c10/metal/common.h>

template <typename T, bool positive>
T sign(T x) {
  if constexpr (positive) {
    return x;
  }
  return -x;
}
```

## Use instead
```metal c10/metal/common.h
#if __METAL_VERSION__ >= 400
#define IF_CONSTEXPR constexpr
#else
#define IF_CONSTEXPR
#endif
```
```metal kernels/Sign.metal
#include <c10/metal/common.h>

template <typename T, bool positive>
T sign(T x) {
  if IF_CONSTEXPR (positive) {
    return x;
  }
  return -x;
}
```

## Fix safety
The fix writes the tree's macro. It is unsafe: both branches must then compile for Metal 3.
"""

from collections.abc import Iterator

from mkls.diagnostics.body_places import bodies_of, cure, is_conditional
from mkls.diagnostics.model import Diagnostic, Group, Rule, Severity
from mkls.index.metal_versions import builds_for_metal3, has_constexpr_macro
from mkls.index.snapshot import Snapshot, Source
from mkls.text.document import Language


def check(snapshot: Snapshot, source: Source) -> Iterator[Diagnostic]:
    """Report what Metal 3 does not compile."""
    places = bodies_of(source).modern_syntax
    if not places or not snapshot.once(builds_for_metal3):
        return
    for place in places:
        if is_conditional(source, place.span, ("__METAL_VERSION__", "__METAL__")):
            continue
        yield Diagnostic(
            place.span,
            f"Metal 3 does not have {_shown(place.name)}",
            fixes=cure(source, place, "Use `IF_CONSTEXPR`")
            if snapshot.once(has_constexpr_macro)
            else (),
        )


def _shown(syntax: str) -> str:
    return f"`{syntax}`" if syntax == "if constexpr" else syntax.removeprefix("a ") + "s"


RULE = Rule(
    "metal3-incompatible",
    Group.KERNEL_BODY,
    Severity.ERROR,
    frozenset((Language.METAL,)),
    check,
    __doc__ or "",
)
