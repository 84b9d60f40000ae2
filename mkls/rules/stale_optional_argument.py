"""An optional argument is not bound on every path.

## What it does
Reports what an `if` without `else` binds, when every kernel that the lookup may give takes that
buffer on the other path as well.

## Why is this bad?
A buffer number keeps what was bound to it last, perhaps by another kernel. On the path without the
argument the kernel sees that: it must be given a null buffer, or be another kernel. From 2.13 on,
`mtl_setArgs` does so for an empty optional.

## Example
```metal kernels/Bias.metal
kernel void add_bias(device float* out, constant float* bias, uint i [[thread_position_in_grid]]) {
  out[i] += bias[i];
}
```
```objcpp operations/Bias.mm
void add_bias(const Tensor& out, const Tensor& bias) {
  auto pipeline = lib.getPipelineStateForFunc("add_bias");
  [encoder setComputePipelineState:pipeline];
  mtl_setArgs(encoder, out);
  if (bias.defined()) {
    mtl_setBuffer(encoder, bias, 1);
  }
  mtl_dispatch1DJob(encoder, pipeline, 16);
}
```

## Use instead
```metal kernels/Bias.metal
kernel void add_bias(device float* out, constant float* bias, uint i [[thread_position_in_grid]]) {
  out[i] += bias[i];
}
```
```objcpp operations/Bias.mm
void add_bias(const Tensor& out, const Tensor& bias) {
  auto pipeline = lib.getPipelineStateForFunc("add_bias");
  [encoder setComputePipelineState:pipeline];
  mtl_setArgs(encoder, out);
  if (bias.defined()) {
    mtl_setBuffer(encoder, bias, 1);
  } else {
    [encoder setBuffer:nil offset:0 atIndex:1];
  }
  mtl_dispatch1DJob(encoder, pipeline, 16);
}
```
"""

from collections.abc import Iterator

from mkls.diagnostics.model import Diagnostic, Group, Related, Rule, Severity
from mkls.index.launches import parameter_place, stale_arguments
from mkls.index.snapshot import Snapshot, Source
from mkls.text.document import Language


def check(snapshot: Snapshot, source: Source) -> Iterator[Diagnostic]:
    """Report each argument that one path leaves out and the kernel takes."""
    for misfit in stale_arguments(snapshot, source.document.uri):
        event, kernel = misfit.mismatch.event, misfit.mismatch.kernel
        place = parameter_place(kernel, misfit.mismatch.argument)
        if event is not None:
            yield Diagnostic(
                event.name.span.shifted(misfit.launch.function.stated.start),
                f"without `{event.name.text}`, buffer {event.index} holds what was bound before",
                related=(Related(place.uri, place.span, "the kernel's parameter"),)
                if place
                else (),
            )


RULE = Rule(
    "stale-optional-argument",
    Group.BINDING,
    Severity.INFORMATION,
    frozenset((Language.HOST, Language.CPP)),
    check,
    __doc__ or "",
    default=False,
)
