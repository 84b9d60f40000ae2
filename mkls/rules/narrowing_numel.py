"""The number of a tensor's elements is cut to 32 bits.

## What it does
Reports `uint32_t n = tensor.numel();` in a function that launches kernels and nowhere asks how wide
an index must be.

## Why is this bad?
A tensor of 2^32 elements or more has its count cut off without a word: the kernel works on a part.

## Example
```objcpp operations/Scale.mm
void scale(const Tensor& out) {
  uint32_t length = out.numel();
  mtl_dispatch1DJob(encoder, pipeline, length);
}
```

## Use instead
```objcpp operations/Scale.mm
void scale(const Tensor& out) {
  auto length = c10::checked_convert<uint32_t>(out.numel(), "uint32_t");
  mtl_dispatch1DJob(encoder, pipeline, length);
}
```
"""

from collections.abc import Iterator

from mkls.diagnostics.model import Diagnostic, Group, Rule, Severity
from mkls.index.launches import launching_functions
from mkls.index.snapshot import Snapshot, Source
from mkls.text.document import Language


def check(snapshot: Snapshot, source: Source) -> Iterator[Diagnostic]:
    """Report each count of elements that a 32-bit variable is made from."""
    for function, launches in launching_functions(snapshot, source.document.uri):
        for count in launches.narrowed if not launches.minds_width else ():
            yield Diagnostic(
                count.span.shifted(function.stated.start), f"`{count.text}` may not fit 32 bits"
            )


RULE = Rule(
    "narrowing-numel",
    Group.BINDING,
    Severity.INFORMATION,
    frozenset((Language.HOST, Language.CPP)),
    check,
    __doc__ or "",
    default=False,
)
