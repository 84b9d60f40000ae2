"""Three numbers are bound where the kernel takes a vector of three.

## What it does
Reports an array of three numbers that is bound to a parameter such as `constant uint3&`, whose size
is that of four.

## Why is this bad?
In Metal a vector of three is padded to four elements: `uint3` takes 16 bytes and an array of three
`uint32_t` supplies 12. The kernel's parameter reaches past what was copied, and the validation
layer (`MTL_DEBUG_LAYER=1`) aborts.

## Example
```metal kernels/Product.metal
kernel void product_float(device float* out [[buffer(0)]], constant uint3& sizes [[buffer(1)]]) {
  out[sizes.z] = sizes.x;
}
```
```objcpp operations/Product.mm
void product(const Tensor& out) {
  std::array<uint32_t, 3> sizes = {1, 2, 3};
  auto pipeline = lib.getPipelineStateForFunc("product_float");
  [encoder setComputePipelineState:pipeline];
  mtl_setArgs(encoder, out, sizes);
  mtl_dispatch1DJob(encoder, pipeline, out.numel());
}
```

## Use instead
```metal kernels/Product.metal
kernel void product_float(device float* out [[buffer(0)]], constant uint3& sizes [[buffer(1)]]) {
  out[sizes.z] = sizes.x;
}
```
```objcpp operations/Product.mm
void product(const Tensor& out) {
  std::array<uint32_t, 4> sizes = {1, 2, 3};
  auto pipeline = lib.getPipelineStateForFunc("product_float");
  [encoder setComputePipelineState:pipeline];
  mtl_setArgs(encoder, out, sizes);
  mtl_dispatch1DJob(encoder, pipeline, out.numel());
}
```

## Fix safety
The fix makes the array one element longer, which stays zero. It is unsafe, as other code may count
the array's elements.
"""

from collections.abc import Iterator

from mkls.diagnostics.model import Diagnostic, FileEdit, Fix, Group, Related, Rule, Severity
from mkls.index.argument_types import host_size, shape_of
from mkls.index.bindings import Fault
from mkls.index.launches import Misfit, misfits, parameter_place
from mkls.index.snapshot import Snapshot, Source
from mkls.text.document import Language
from mkls.text.edit import Edit


def check(snapshot: Snapshot, source: Source) -> Iterator[Diagnostic]:
    """Report each array that is too short for the vector of three that the kernel takes."""
    for misfit in misfits(snapshot, source.document.uri):
        if misfit.mismatch.fault is Fault.SHORT_VECTOR:
            yield from _diagnostic(source, misfit)


def _diagnostic(source: Source, misfit: Misfit) -> Iterator[Diagnostic]:
    event, argument = misfit.mismatch.event, misfit.mismatch.argument
    shape = shape_of(argument.type) if argument else None
    if event is None or shape is None:
        return
    start = misfit.launch.function.stated.start
    place = parameter_place(misfit.mismatch.kernel, argument)
    fixes: tuple[Fix, ...] = ()
    if event.count_span and event.type.count == 3:
        edit = FileEdit(source.document.uri, Edit(event.count_span.shifted(start), "4"))
        fixes = (Fix("Make room for four elements", (edit,), safe=False),)
    given = host_size(event.type) * event.type.count
    yield Diagnostic(
        event.name.span.shifted(start),
        f"`{event.name.text}` has {given} bytes; `{shape.element}3` takes {shape.total}",
        related=(Related(place.uri, place.span, "the kernel's parameter"),) if place else (),
        fixes=fixes,
    )


RULE = Rule(
    "short-vector-argument",
    Group.BINDING,
    Severity.ERROR,
    frozenset((Language.HOST, Language.CPP)),
    check,
    __doc__ or "",
)
