"""A kernel is launched on an encoder for which no pipeline was set.

## What it does
Follows each straight path through a host function that fetches the command encoder and looks up a
pipeline. Reports a launch before which no path sets a pipeline on that encoder, nor hands the
encoder to another function, which may. On an encoder that is a parameter, it reports a launch that
names a pipeline which the function looks up itself.

## Why is this bad?
The encoder is the stream's and lives on between operators: without
`setComputePipelineState:` the launch runs the last kernel of whatever came before, with this
one's arguments. `mtl_dispatch1DJob` is given the pipeline for its limits alone.

## Example
```metal aten/src/ATen/native/mps/kernels/Ripple.metal
kernel void ripple_float(device float* out [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  out[i] = 0;
}
```
```objcpp aten/src/ATen/native/mps/operations/Ripple.mm
void ripple(const Tensor& out) {
  MPSStream* stream = getCurrentMPSStream();
  dispatch_sync_with_rethrow(stream->queue(), ^() {
    auto encoder = stream->commandEncoder();
    auto pipeline = lib.getPipelineStateForFunc("ripple_float");
    mtl_setArgs(encoder, out);
    mtl_dispatch1DJob(encoder, pipeline, out.numel());
  });
}
```

## Use instead
```metal aten/src/ATen/native/mps/kernels/Ripple.metal
kernel void ripple_float(device float* out [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  out[i] = 0;
}
```
```objcpp aten/src/ATen/native/mps/operations/Ripple.mm
void ripple(const Tensor& out) {
  MPSStream* stream = getCurrentMPSStream();
  dispatch_sync_with_rethrow(stream->queue(), ^() {
    auto encoder = stream->commandEncoder();
    auto pipeline = lib.getPipelineStateForFunc("ripple_float");
    mtl_setArgs(encoder, out);
    [encoder setComputePipelineState:pipeline];
    mtl_dispatch1DJob(encoder, pipeline, out.numel());
  });
}
```

## Fix safety
The fix sets the pipeline that the launch names, or the only one that the function looks up. It is
unsafe: another one may be meant.
"""

from collections.abc import Iterator

from mkls.diagnostics.model import Diagnostic, FileEdit, Fix, Group, Rule, Severity
from mkls.index.pipelines import Unset, unset_pipelines
from mkls.index.snapshot import Snapshot, Source
from mkls.text.document import Language
from mkls.text.edit import line_before


def check(snapshot: Snapshot, source: Source) -> Iterator[Diagnostic]:
    """Report each launch in `source` without a pipeline."""
    for found in unset_pipelines(snapshot, source.document.uri):
        span = found.dispatch.name.span.shifted(found.function.stated.start)
        encoder = found.dispatch.encoder
        said = f"no pipeline is set on `{encoder}` before this launch"
        yield Diagnostic(span, said, fixes=_fixes(source, found))


def _fixes(source: Source, found: Unset) -> tuple[Fix, ...]:
    start = found.dispatch.span.shifted(found.function.stated.start).start
    written = f"[{found.dispatch.encoder} setComputePipelineState:{found.pipeline}];"
    edit = line_before(source.document.text, start, written)
    if not found.pipeline.isidentifier() or edit is None:
        return ()
    title = f"Set the pipeline `{found.pipeline}`"
    return (Fix(title, (FileEdit(source.document.uri, edit),), safe=False),)


RULE = Rule(
    "missing-pipeline",
    Group.BINDING,
    Severity.ERROR,
    frozenset((Language.HOST, Language.CPP)),
    check,
    __doc__ or "",
)
