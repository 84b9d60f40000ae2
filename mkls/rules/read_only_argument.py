"""Bytes are bound to a buffer that the kernel may write.

## What it does
Reports a number, an array or other bytes (`mtl_setArgs` with a value, `mtl_setBytes`, `setBytes:`)
for a parameter in the `device` address space that is not `const`.

## Why is this bad?
What is set as bytes lives in read-only memory. Metal's validation rejects the binding, and a kernel
that writes there faults. A value belongs into `constant`.

## Example
```metal kernels/Fill.metal
kernel void fill_float(device float* out [[buffer(0)]], device uint& count [[buffer(1)]]) {
  out[0] = count;
}
```
```objcpp operations/Fill.mm
void fill(const Tensor& out, uint32_t count) {
  auto pipeline = lib.getPipelineStateForFunc("fill_float");
  [encoder setComputePipelineState:pipeline];
  mtl_setArgs(encoder, out, count);
  mtl_dispatch1DJob(encoder, pipeline, count);
}
```

## Use instead
```metal kernels/Fill.metal
kernel void fill_float(device float* out [[buffer(0)]], constant uint& count [[buffer(1)]]) {
  out[0] = count;
}
```
```objcpp operations/Fill.mm
void fill(const Tensor& out, uint32_t count) {
  auto pipeline = lib.getPipelineStateForFunc("fill_float");
  [encoder setComputePipelineState:pipeline];
  mtl_setArgs(encoder, out, count);
  mtl_dispatch1DJob(encoder, pipeline, count);
}
```

## Fix safety
The fix makes a reference that the kernel only reads `constant`. It is unsafe, as it edits the
kernel, which others may launch as well.
"""

from collections.abc import Iterator

from mkls.diagnostics.model import Diagnostic, FileEdit, Fix, Group, Related, Rule, Severity
from mkls.facts.model.metal import KernelArgument
from mkls.index.bindings import Fault
from mkls.index.launches import Misfit, misfits, parameter_place
from mkls.index.place import Place
from mkls.index.snapshot import Snapshot, Source
from mkls.text.document import Language
from mkls.text.edit import Edit
from mkls.text.span import Span

_DEVICE = "device"


def check(snapshot: Snapshot, source: Source) -> Iterator[Diagnostic]:
    """Report each value that is bound to a buffer which the kernel may write."""
    for misfit in misfits(snapshot, source.document.uri):
        if misfit.mismatch.fault is Fault.READ_ONLY:
            yield from _diagnostic(misfit)


def _diagnostic(misfit: Misfit) -> Iterator[Diagnostic]:
    event, argument = misfit.mismatch.event, misfit.mismatch.argument
    if event is None or argument is None:
        return
    kernel = misfit.mismatch.kernel
    place = parameter_place(kernel, argument)
    may_edit = place is not None and not kernel.registered.kernel.explicit
    yield Diagnostic(
        event.name.span.shifted(misfit.launch.function.stated.start),
        f"a value is read-only, and kernel `{kernel.host_name}` takes `{argument.type}`",
        related=(Related(place.uri, place.span, "the kernel's parameter"),) if place else (),
        fixes=_constant(place, argument) if place and may_edit else (),
    )


def _constant(place: Place, argument: KernelArgument) -> tuple[Fix, ...]:
    reads = argument.access in ("read", "") and argument.indirection == "&"
    if not reads or not argument.type.startswith(f"{_DEVICE} "):
        return ()
    space = Span(place.span.start, place.span.start + len(_DEVICE))
    return (Fix("Make it `constant`", (FileEdit(place.uri, Edit(space, "constant")),), safe=False),)


RULE = Rule(
    "read-only-argument",
    Group.BINDING,
    Severity.ERROR,
    frozenset((Language.HOST, Language.CPP)),
    check,
    __doc__ or "",
)
