"""A kernel's name is formatted with fewer arguments than the format has holes.

## What it does
Counts the `{}` of a format that makes a kernel's name, and what it is given. Formats with numbered
or named holes are left alone.

## Why is this bad?
`fmt::format` refuses it when the host is compiled, on a Mac; with a format that is only known at
run time, it throws.

## Example
```metal aten/src/ATen/native/mps/kernels/Ripple.metal
kernel void ripple_float_long(device float* out [[buffer(0)]]) {
  out[0] = 0;
}
```
```objcpp aten/src/ATen/native/mps/operations/Ripple.mm
void ripple(const Tensor& out, const Tensor& index) {
  auto name = fmt::format("ripple_{}_{}", scalarToMetalTypeString(out));
  auto pipeline = lib.getPipelineStateForFunc(name);
}
```

## Use instead
```metal aten/src/ATen/native/mps/kernels/Ripple.metal
kernel void ripple_float_long(device float* out [[buffer(0)]]) {
  out[0] = 0;
}
```
```objcpp aten/src/ATen/native/mps/operations/Ripple.mm
void ripple(const Tensor& out, const Tensor& index) {
  auto name = fmt::format(
      "ripple_{}_{}", scalarToMetalTypeString(out), scalarToMetalTypeString(index));
  auto pipeline = lib.getPipelineStateForFunc(name);
}
```

## Why no fix
What the hole was meant for is written nowhere; or the hole is what is too much.
"""

from collections.abc import Iterator

from mkls.diagnostics.model import Diagnostic, Group, Rule, Severity
from mkls.index.format_faults import format_faults
from mkls.index.snapshot import Snapshot, Source
from mkls.text.document import Language


def check(snapshot: Snapshot, source: Source) -> Iterator[Diagnostic]:
    """Report each format in `source` with more holes than arguments."""
    for found in format_faults(snapshot, source.document.uri):
        plural = "" if found.holes == 1 else "s"
        yield Diagnostic(
            found.place.span,
            f"the format has {found.holes} hole{plural}, and is given {found.arguments}",
        )


RULE = Rule(
    "missing-format-argument",
    Group.KERNEL_NAME,
    Severity.ERROR,
    frozenset((Language.HOST, Language.CPP)),
    check,
    __doc__ or "",
)
