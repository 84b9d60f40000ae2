"""An argument has another size or kind than the kernel's parameter.

## What it does
Reports a number or an array whose C++ type is certain, when the kernel's parameter takes another
number of bytes or reads floating point as integers; a number where the kernel takes a whole
buffer; and a tensor where it takes an integer. Only launches that fit none of the kernels which the
lookup may give are reported, each once.

## Why is this bad?
Arguments are copied byte by byte. Eight bytes for a `uint` only work as long as the number is small
and the machine little-endian; four bytes for a `long` leave the upper half undefined. Two arguments
that changed places are found this way, too.

## Example
```metal kernels/Rotate.metal
kernel void rotate_float(device float* out [[buffer(0)]], constant uint& by [[buffer(1)]]) {
  out[by] = by;
}
```
```objcpp operations/Rotate.mm
void rotate(const Tensor& out, int64_t by) {
  auto pipeline = lib.getPipelineStateForFunc("rotate_float");
  [encoder setComputePipelineState:pipeline];
  mtl_setArgs(encoder, out, by);
  mtl_dispatch1DJob(encoder, pipeline, out.numel());
}
```

## Use instead
```metal kernels/Rotate.metal
kernel void rotate_float(device float* out [[buffer(0)]], constant uint& by [[buffer(1)]]) {
  out[by] = by;
}
```
```objcpp operations/Rotate.mm
void rotate(const Tensor& out, int64_t by) {
  auto pipeline = lib.getPipelineStateForFunc("rotate_float");
  [encoder setComputePipelineState:pipeline];
  mtl_setArgs(encoder, out, static_cast<uint32_t>(by));
  mtl_dispatch1DJob(encoder, pipeline, out.numel());
}
```

## Fix safety
The fix casts the number to the type that the kernel takes. It is unsafe: the number may not fit, or
another argument was meant.
"""

from collections.abc import Iterator

from mkls.diagnostics.model import Diagnostic, FileEdit, Fix, Group, Related, Rule, Severity
from mkls.facts.model.launches import Event, ValueKind
from mkls.facts.model.metal import KernelArgument
from mkls.index.argument_types import cpp_name, host_is_floating, host_size, shape_of
from mkls.index.bindings import Fault
from mkls.index.launches import Misfit, misfits, parameter_place
from mkls.index.snapshot import Snapshot, Source
from mkls.text.document import Language
from mkls.text.edit import Edit
from mkls.text.span import Span


def check(snapshot: Snapshot, source: Source) -> Iterator[Diagnostic]:
    """Report each argument of another size or kind than the kernel's parameter."""
    for misfit in misfits(snapshot, source.document.uri):
        if misfit.mismatch.fault in (Fault.SIZE, Fault.KIND):
            yield from _diagnostic(source, misfit)


def _diagnostic(source: Source, misfit: Misfit) -> Iterator[Diagnostic]:
    event, argument = misfit.mismatch.event, misfit.mismatch.argument
    if event is None or argument is None:
        return
    span = event.name.span.shifted(misfit.launch.function.stated.start)
    place = parameter_place(misfit.mismatch.kernel, argument)
    is_size = misfit.mismatch.fault is Fault.SIZE
    yield Diagnostic(
        span,
        _size_message(event, argument) if is_size else _kind_message(misfit, event, argument),
        related=(Related(place.uri, place.span, "the kernel's parameter"),) if place else (),
        fixes=_cast(source, event, argument, span) if is_size else (),
    )


def _size_message(event: Event, argument: KernelArgument) -> str:
    shape = shape_of(argument.type)
    written = argument.type.removeprefix("constant ").removeprefix("const ").rstrip("&* ")
    size, count = host_size(event.type), event.type.count
    given = f"{size * count} bytes" if count else f"elements of {size} bytes"
    if shape and host_is_floating(event.type) is not shape.is_floating and size == shape.size:
        return f"`{event.type.element}` is bound where the kernel reads `{written}`"
    if not shape:
        return f"{given} are bound where the kernel reads `{written}`"
    whole = argument.indirection == "&"
    takes = shape.total if whole and count else shape.size
    return f"{given} are bound where the kernel reads `{written}` of {takes}"


def _kind_message(misfit: Misfit, event: Event, argument: KernelArgument) -> str:
    kernel = misfit.mismatch.kernel.host_name
    what = "a number" if event.type.kind is ValueKind.SCALAR else "a tensor"
    return f"{what} is bound where kernel `{kernel}` takes `{argument.type}`"


def _cast(source: Source, event: Event, argument: KernelArgument, span: Span) -> tuple[Fix, ...]:
    shape = shape_of(argument.type)
    if event.type.kind is not ValueKind.SCALAR or not shape or shape.elements != 1:
        return ()
    name = cpp_name(shape)
    if not name or event.name.text.startswith(("&", "static_cast")):
        return ()
    new = f"static_cast<{name}>({event.name.text})"
    edit = FileEdit(source.document.uri, Edit(span, new))
    return (Fix(f"Cast to `{name}`", (edit,), safe=False),)


RULE = Rule(
    "argument-size-mismatch",
    Group.BINDING,
    Severity.WARNING,
    frozenset((Language.HOST, Language.CPP)),
    check,
    __doc__ or "",
)
