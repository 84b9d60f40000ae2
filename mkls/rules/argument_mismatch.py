"""The host binds other buffers than the kernel takes.

## What it does
Follows each straight path through a host function, from the pipeline that is set to the launch:
`mtl_setArgs`, `mtl_setBuffer`, `mtl_setBytes`, `setBuffer:`, `setBytes:` and `bind_iter_tensors`.
Reports a launch when none of the kernels that the lookup may give takes exactly these buffer
numbers. Unnumbered parameters count as the compiler numbers them. A buffer that the kernel never
uses need not be bound, nor one that a function constant takes away; what an `if` binds only
sometimes counts as bound. A launch whose encoder was handed to unknown code is left alone.

In a Metal source, it reports a buffer number that a kernel gives to two parameters.

## Why is this bad?
Nothing checks the numbers. A parameter without a buffer reads whatever an earlier kernel left
there, or faults; an argument too many often means that all that follow it are off by one.

## Example
```metal kernels/Diagonal.metal
kernel void diagonal_float(
    device float* out, constant float* in, constant uint& stride,
    uint i [[thread_position_in_grid]]) {
  out[i] = in[i * stride];
}
```
```objcpp operations/Diagonal.mm
void diagonal(const Tensor& in, const Tensor& out, uint32_t stride, int64_t length) {
  auto pipeline = lib.getPipelineStateForFunc("diagonal_float");
  [encoder setComputePipelineState:pipeline];
  mtl_setArgs(encoder, out, in, stride, length);
  mtl_dispatch1DJob(encoder, pipeline, length);
}
```

## Use instead
```metal kernels/Diagonal.metal
kernel void diagonal_float(
    device float* out, constant float* in, constant uint& stride,
    uint i [[thread_position_in_grid]]) {
  out[i] = in[i * stride];
}
```
```objcpp operations/Diagonal.mm
void diagonal(const Tensor& in, const Tensor& out, uint32_t stride, int64_t length) {
  auto pipeline = lib.getPipelineStateForFunc("diagonal_float");
  [encoder setComputePipelineState:pipeline];
  mtl_setArgs(encoder, out, in, stride);
  mtl_dispatch1DJob(encoder, pipeline, length);
}
```

## Fix safety
The fix leaves out the last argument where the kernel has no buffer for it. It is unsafe: perhaps it
is the kernel that lacks a parameter.
"""

from collections.abc import Iterator

from mkls.diagnostics.model import Diagnostic, FileEdit, Fix, Group, Related, Rule, Severity
from mkls.facts.model.launches import Event, EventKind
from mkls.facts.model.metal import KernelArgument, MetalFacts
from mkls.index.bindings import Fault
from mkls.index.instantiations import deviating_templates
from mkls.index.launches import Misfit, misfits, parameter_place, place_of
from mkls.index.snapshot import Snapshot, Source
from mkls.text.document import Language
from mkls.text.edit import Edit
from mkls.text.span import Span


def check(snapshot: Snapshot, source: Source) -> Iterator[Diagnostic]:
    """Report launches whose buffer numbers fit no kernel, and numbers given to two parameters."""
    if isinstance(source.facts, MetalFacts):
        yield from _repeated(snapshot, source, source.facts)
        return
    for misfit in misfits(snapshot, source.document.uri):
        if misfit.mismatch.fault is Fault.EXTRA:
            yield _extra(source, misfit)
        elif misfit.mismatch.fault is Fault.MISSING:
            yield _missing(source, misfit)


def _extra(source: Source, misfit: Misfit) -> Diagnostic:
    mismatch = misfit.mismatch
    event = mismatch.event or misfit.launch.dispatch
    what = "threadgroup memory" if event.kind is EventKind.MEMORY else "buffer"
    lacks = any(it.fault is Fault.MISSING for it in misfit.others)
    return Diagnostic(
        _span(misfit, event),
        f"kernel `{mismatch.kernel.host_name}` has no {what} {mismatch.number}",
        related=_related(misfit),
        fixes=() if lacks else _removal(source, misfit, event),
        severity=None if lacks else Severity.WARNING,
    )


def _removal(source: Source, misfit: Misfit, event: Event) -> tuple[Fix, ...]:
    """Offer to leave out the last of several arguments that one call binds."""
    of_call = [it for it in misfit.launch.bound.events.values() if it.span == event.span]
    previous = next((it for it in of_call if it.index == event.index - 1), None)
    if previous is None or any(it.index > event.index for it in of_call):
        return ()
    cut = Span(previous.name.span.end, event.name.span.end)
    cut = cut.shifted(misfit.launch.function.stated.start)
    edit = FileEdit(source.document.uri, Edit(cut, ""))
    return (Fix(f"Leave out `{event.name.text}`", (edit,), safe=False),)


def _missing(source: Source, misfit: Misfit) -> Diagnostic:
    """Report at what took another's number, else at the binding before the one that lacks."""
    mismatch = misfit.mismatch
    bound = misfit.launch.bound
    before = [index for index in bound.events if index < mismatch.number] or list(bound.events)
    event = bound.events[max(before)] if before else misfit.launch.dispatch
    again: tuple[Related, ...] = ()
    sometimes = [it for index, it in bound.skipped.items() if index in bound.events]
    if bound.repeated or sometimes:
        both = (bound.events[sometimes[0].index], sometimes[0]) if sometimes else None
        event, second = both or bound.repeated[0]
        again = (Related(source.document.uri, _span(misfit, second), "has the same buffer number"),)
    name = mismatch.argument.name.text if mismatch.argument else ""
    return Diagnostic(
        _span(misfit, event),
        f"buffer {mismatch.number} (`{name}`) of kernel `{mismatch.kernel.host_name}` is not bound",
        related=(*again, *_related(misfit)),
    )


def _span(misfit: Misfit, event: Event) -> Span:
    return event.name.span.shifted(misfit.launch.function.stated.start)


def _related(misfit: Misfit) -> tuple[Related, ...]:
    """Return the parameters that nothing is bound to, else the kernel."""
    kernel = misfit.mismatch.kernel
    missing = [it for it in (misfit.mismatch, *misfit.others) if it.fault is Fault.MISSING]
    places = [parameter_place(kernel, it.argument) for it in missing]
    found = [place for place in places if place is not None] or [place_of(kernel)]
    return tuple(Related(it.uri, it.span, "what the kernel takes") for it in found)


def _repeated(snapshot: Snapshot, source: Source, facts: MetalFacts) -> Iterator[Diagnostic]:
    """Report numbers that two parameters have, unless instantiations disagree with them anyway."""
    uri = source.document.uri
    deviating = [it.span for it in deviating_templates(snapshot) if it.uri == uri]
    for kernel in facts.kernels:
        if any(kernel.span.covers(it) for it in deviating):
            continue
        seen: dict[tuple[str, int], KernelArgument] = {}
        for argument in kernel.arguments or ():
            if argument.index is None or argument.optional or kernel.explicit:
                continue
            first = seen.setdefault((argument.kind, argument.index), argument)
            if first is not argument and argument.explicit:
                yield Diagnostic(
                    argument.span,
                    f"{argument.kind} {argument.index} is `{first.name.text}` already",
                    related=(Related(source.document.uri, first.span, "the other parameter"),),
                )


RULE = Rule(
    "argument-mismatch",
    Group.BINDING,
    Severity.ERROR,
    frozenset((Language.HOST, Language.CPP, Language.METAL)),
    check,
    __doc__ or "",
    in_strings=True,
)
