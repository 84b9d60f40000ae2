"""The number of threads is given as the number of threadgroups.

## What it does
Reports `dispatchThreadgroups:` with a tensor's number of elements as an extent, or two of its sides
along which a group has several threads, when the kernels that the lookup may give find their
element by `thread_position_in_grid` and never ask for their group.

## Why is this bad?
`dispatchThreadgroups:` counts groups. The grid is then larger by the size of a group, and threads
beyond the last element read and write out of bounds.

## Example
```metal kernels/Square.metal
kernel void square(device float* out, uint i [[thread_position_in_grid]]) { out[i] *= out[i]; }
```
```objcpp operations/Square.mm
void square(const Tensor& out) {
  auto pipeline = lib.getPipelineStateForFunc("square");
  [encoder setComputePipelineState:pipeline];
  mtl_setArgs(encoder, out);
  [encoder dispatchThreadgroups:MTLSizeMake(out.numel(), 1, 1)
      threadsPerThreadgroup:MTLSizeMake(64, 1, 1)];
}
```

## Use instead
```metal kernels/Square.metal
kernel void square(device float* out, uint i [[thread_position_in_grid]]) { out[i] *= out[i]; }
```
```objcpp operations/Square.mm
void square(const Tensor& out) {
  auto pipeline = lib.getPipelineStateForFunc("square");
  [encoder setComputePipelineState:pipeline];
  mtl_setArgs(encoder, out);
  [encoder dispatchThreads:MTLSizeMake(out.numel(), 1, 1)
      threadsPerThreadgroup:MTLSizeMake(64, 1, 1)];
}
```

## Fix safety
The fix counts threads. It is unsafe, as it changes what is launched.
"""

from collections.abc import Iterator

from mkls.diagnostics.model import Diagnostic, FileEdit, Fix, Group, Rule, Severity
from mkls.index.kernels_link import Kernel
from mkls.index.launches import launches
from mkls.index.snapshot import Snapshot, Source
from mkls.text.document import Language
from mkls.text.edit import Edit
from mkls.text.span import Span


def check(snapshot: Snapshot, source: Source) -> Iterator[Diagnostic]:
    """Report each launch of as many groups as there are elements."""
    reported: set[Span] = set()
    for launch in launches(snapshot, source.document.uri):
        event = launch.dispatch
        span = event.name.span.shifted(launch.function.stated.start)
        counts = event.name.text == "dispatchThreadgroups" and event.elements is not None
        if not counts or event.group[:1] == (1,) or span in reported:
            continue
        if _count_threads(tuple(launch.kernels)):
            reported.add(span)
            edit = FileEdit(source.document.uri, Edit(span, "dispatchThreads"))
            yield Diagnostic(
                span,
                f"`{event.elements.text if event.elements else ''}` counts threads, not groups",
                fixes=(Fix("Count threads", (edit,), safe=False),),
            )


def _count_threads(kernels: tuple[Kernel, ...]) -> bool:
    """Whether kernels know of their place in the grid, and none of groups; one may do all alone."""
    attributes = {it.attribute for kernel in kernels for it in kernel.arguments}
    of_groups = any("group" in it for it in attributes) or any(it.cooperates for it in kernels)
    return "thread_position_in_grid" in attributes and not of_groups


RULE = Rule(
    "threads-as-threadgroups",
    Group.BINDING,
    Severity.WARNING,
    frozenset((Language.HOST, Language.CPP)),
    check,
    __doc__ or "",
)
