"""The width of an index is chosen by what MPSGraph can take.

## What it does
Reports `isTooLargeForMPSGraph`, or a flag that it makes, where it chooses between a 64-bit and a
32-bit index: by `?:`, or in the two branches of an `if`.

## Why is this bad?
`isTooLargeForMPSGraph` looks at single dimensions, as MPSGraph does. A tensor of many small
dimensions passes, and its offsets need more than 32 bits all the same: `cat` corrupted large
tensors that way.

## Example
```objcpp aten/src/ATen/native/mps/operations/Ripple.mm
void ripple(const Tensor& out) {
  bool large = isTooLargeForMPSGraph(out);
  if (large) {
    ripple_impl<int64_t>(out);
  } else {
    ripple_impl<int32_t>(out);
  }
}
```

## Use instead
```objcpp aten/src/ATen/native/mps/operations/Ripple.mm
void ripple(const Tensor& out) {
  bool large = !offsetsFitIn<int32_t>(out);
  if (large) {
    ripple_impl<int64_t>(out);
  } else {
    ripple_impl<int32_t>(out);
  }
}
```

## Why no fix
What to ask instead depends on which offsets the kernel computes, and of which tensors.
"""

from collections.abc import Iterator

from mkls.diagnostics.model import Diagnostic, Group, Related, Rule, Severity
from mkls.index.host_conditions import widths_by_dimension
from mkls.index.snapshot import Snapshot, Source
from mkls.text.document import Language


def check(snapshot: Snapshot, source: Source) -> Iterator[Diagnostic]:
    """Report each index in `source` whose width such a flag chooses."""
    uri = source.document.uri
    for found in widths_by_dimension(snapshot, uri):
        yield Diagnostic(
            found.span,
            f"`{found.name}` tells of single dimensions, not of offsets",
            related=(Related(uri, found.decided, "made here"),) if found.decided else (),
        )


RULE = Rule(
    "width-by-dimension",
    Group.BINDING,
    Severity.WARNING,
    frozenset((Language.HOST,)),
    check,
    __doc__ or "",
)
