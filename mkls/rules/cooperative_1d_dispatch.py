"""A kernel whose threads work together is launched by `mtl_dispatch1DJob`.

## What it does
Reports `mtl_dispatch1DJob` when every kernel that the lookup may give uses threadgroup memory,
barriers or functions of a simdgroup, itself or in a function of its own source.

## Why is this bad?
`mtl_dispatch1DJob` makes threadgroups as large as the job allows: their size depends on the number
of threads and on the pipeline. What a kernel assumes about its group holds for some sizes only, and
the results of others are wrong without any error.

## Example
```metal kernels/Total.metal
kernel void total_float(device float* out [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  threadgroup float shared[32];
  shared[i % 32] = out[i];
  threadgroup_barrier(mem_flags::mem_threadgroup);
  out[i] = shared[31 - i % 32];
}
```
```objcpp operations/Total.mm
void total(const Tensor& out) {
  auto pipeline = lib.getPipelineStateForFunc("total_float");
  [encoder setComputePipelineState:pipeline];
  mtl_setArgs(encoder, out);
  mtl_dispatch1DJob(encoder, pipeline, out.numel());
}
```

## Use instead
```metal kernels/Total.metal
kernel void total_float(device float* out [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  threadgroup float shared[32];
  shared[i % 32] = out[i];
  threadgroup_barrier(mem_flags::mem_threadgroup);
  out[i] = shared[31 - i % 32];
}
```
```objcpp operations/Total.mm
void total(const Tensor& out) {
  auto pipeline = lib.getPipelineStateForFunc("total_float");
  [encoder setComputePipelineState:pipeline];
  mtl_setArgs(encoder, out);
  [encoder dispatchThreads:MTLSizeMake(out.numel(), 1, 1)
      threadsPerThreadgroup:MTLSizeMake(32, 1, 1)];
}
```

## Why no fix
How many threads a group needs follows from the kernel's algorithm.
"""

from collections.abc import Iterator

from mkls.diagnostics.model import Diagnostic, Group, Related, Rule, Severity
from mkls.index.launches import launches, place_of
from mkls.index.snapshot import Snapshot, Source
from mkls.text.document import Language
from mkls.text.span import Span


def check(snapshot: Snapshot, source: Source) -> Iterator[Diagnostic]:
    """Report each job of cooperating threads."""
    reported: set[Span] = set()
    for launch in launches(snapshot, source.document.uri):
        span = launch.dispatch.name.span.shifted(launch.function.stated.start)
        is_job = launch.dispatch.name.text == "mtl_dispatch1DJob"
        if not is_job or span in reported or not all(it.cooperates for it in launch.kernels):
            continue
        reported.add(span)
        kernel = next(launch.kernels)
        place = place_of(kernel)
        yield Diagnostic(
            span,
            f"threads of `{kernel.host_name}` work together; the groups of a job have any size",
            related=(Related(place.uri, place.span, "the kernel"),),
        )


RULE = Rule(
    "cooperative-1d-dispatch",
    Group.BINDING,
    Severity.WARNING,
    frozenset((Language.HOST, Language.CPP)),
    check,
    __doc__ or "",
)
