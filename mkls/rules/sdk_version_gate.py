"""What was compiled decides what runs, though only newer systems can run it.

## What it does
Reports `#ifdef __MAC_…` and the like within a host function when what follows sends a message and
the function has not asked `is_macos_…` for the version of the system that it runs on.

## Why is this bad?
The macro tells with which SDK PyTorch was built. A wheel built on a new macOS runs on older ones,
and there the method does not exist.

## Example
```objcpp aten/src/ATen/native/mps/operations/Ripple.mm
MPSGraphTensor* ripple(MPSGraph* graph, MPSGraphTensor* input) {
#ifdef __MAC_15_0
  return [graph reciprocalSquareRootWithTensor:input name:nil];
#else
  return [graph reverseSquareRootWithTensor:input name:nil];
#endif
}
```

## Use instead
```objcpp aten/src/ATen/native/mps/operations/Ripple.mm
MPSGraphTensor* ripple(MPSGraph* graph, MPSGraphTensor* input) {
#ifdef __MAC_15_0
  if (is_macos_13_or_newer(MacOSVersion::MACOS_VER_15_0_PLUS)) {
    return [graph reciprocalSquareRootWithTensor:input name:nil];
  }
#endif
  return [graph reverseSquareRootWithTensor:input name:nil];
}
```

## Why no fix
From which system on there is an API says Apple's documentation alone.
"""

from collections.abc import Iterator

from mkls.diagnostics.model import Diagnostic, Group, Rule, Severity
from mkls.index.host_conditions import sdk_gates
from mkls.index.snapshot import Snapshot, Source
from mkls.text.document import Language


def check(snapshot: Snapshot, source: Source) -> Iterator[Diagnostic]:
    """Report each SDK macro in `source` that stands alone."""
    for found in sdk_gates(snapshot, source.document.uri):
        yield Diagnostic(
            found.span,
            f"`{found.macro}` tells of the SDK, and nothing asks for the system's version",
        )


RULE = Rule(
    "sdk-version-gate",
    Group.MPSGRAPH,
    Severity.WARNING,
    frozenset((Language.HOST,)),
    check,
    __doc__ or "",
)
