"""A threadgroup has more threads than a pipeline can take.

## What it does
Reports `threadsPerThreadgroup:` with literals or constants whose product is above 1024, or above
what the kernel itself states by `[[max_total_threads_per_threadgroup(n)]]`.

## Why is this bad?
No Apple GPU takes more than 1024 threads in a group. The launch is dropped: without the validation
layer nothing says so, and the output keeps what was in it.

## Example
```objcpp operations/Sort.mm
void sort(const Tensor& out, id<MTLComputeCommandEncoder> encoder) {
  [encoder dispatchThreads:grid threadsPerThreadgroup:MTLSizeMake(64, 32, 1)];
}
```

## Use instead
```objcpp operations/Sort.mm
void sort(const Tensor& out, id<MTLComputeCommandEncoder> encoder) {
  [encoder dispatchThreads:grid threadsPerThreadgroup:MTLSizeMake(32, 32, 1)];
}
```

## Why no fix
How the work is to be cut into smaller groups follows from the kernel's algorithm.
"""

from collections.abc import Iterator

from mkls.diagnostics.model import Diagnostic, Group, Rule, Severity
from mkls.index.launches import group_limits, launching_functions
from mkls.index.snapshot import Snapshot, Source
from mkls.text.document import Language


def check(snapshot: Snapshot, source: Source) -> Iterator[Diagnostic]:
    """Report each threadgroup of literal size that is too large."""
    limits = group_limits(snapshot, source.document.uri)
    for function, launches in launching_functions(snapshot, source.document.uri):
        for event in launches.events:
            known = [number for number in event.group if number]
            threads = 1
            for number in known:
                threads *= number
            span = event.group_span.shifted(function.stated.start)
            limit = limits.get(span, 1024)
            if known and threads > limit:
                yield Diagnostic(span, f"{threads} threads are more than the {limit} of a group")


RULE = Rule(
    "oversized-threadgroup",
    Group.BINDING,
    Severity.WARNING,
    frozenset((Language.HOST, Language.CPP)),
    check,
    __doc__ or "",
)
