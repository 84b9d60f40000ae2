"""A kernel is not in the Metal source that this file compiles just in time.

## What it does
A host file gets its kernels from the bundled library or, where shaders are compiled just in time,
from the one Metal source whose `…_metallib.h` it includes. Reports lookups of kernels that only
other sources have, or the include when none of the file's kernels is in that source.

## Why is this bad?
The bundled library holds every kernel, so the mistake does not show in CI. Whoever builds without
the full Xcode gets "Failed to create function state object for: …".

## Example
```metal kernels/Cross.metal
kernel void cross_float(device float* out [[buffer(0)]]) {}
```
```metal kernels/Renorm.metal
kernel void renorm_float(device float* out [[buffer(0)]]) {}
```
```objcpp operations/Cross.mm
#ifndef PYTORCH_JIT_COMPILE_SHADERS
static auto& lib = MetalShaderLibrary::getBundledLibrary();
#else
#include <ATen/native/mps/Renorm_metallib.h>
#endif
void cross(const Tensor& out) {
  auto pipeline = lib.getPipelineStateForFunc("cross_float");
}
```
```objcpp operations/Renorm.mm
void renorm(const Tensor& out) {
  auto pipeline = lib.getPipelineStateForFunc("renorm_float");
}
```

## Use instead
```metal kernels/Cross.metal
kernel void cross_float(device float* out [[buffer(0)]]) {}
```
```metal kernels/Renorm.metal
kernel void renorm_float(device float* out [[buffer(0)]]) {}
```
```objcpp operations/Cross.mm
#ifndef PYTORCH_JIT_COMPILE_SHADERS
static auto& lib = MetalShaderLibrary::getBundledLibrary();
#else
#include <ATen/native/mps/Cross_metallib.h>
#endif
void cross(const Tensor& out) {
  auto pipeline = lib.getPipelineStateForFunc("cross_float");
}
```
```objcpp operations/Renorm.mm
void renorm(const Tensor& out) {
  auto pipeline = lib.getPipelineStateForFunc("renorm_float");
}
```

## Fix safety
The fix includes the one source that has all the kernels; for builds with the bundled library
nothing changes.
"""

from collections.abc import Iterator

from mkls.diagnostics.model import Diagnostic, FileEdit, Fix, Group, Related, Rule, Severity
from mkls.index.libraries import Exchanged, wrong_libraries
from mkls.index.place import Place
from mkls.index.snapshot import Snapshot, Source
from mkls.text.document import Language
from mkls.text.edit import Edit


def check(snapshot: Snapshot, source: Source) -> Iterator[Diagnostic]:
    """Report what `source` asks of its just-in-time library in vain, each place once."""
    reported: set[Place] = set()
    for found in wrong_libraries(snapshot, source.document.uri):
        if isinstance(found, Exchanged):
            yield _exchanged(found)
        elif found.request.place not in reported:
            reported.add(found.request.place)
            yield Diagnostic(
                found.request.place.span,
                f"this kernel is in `{found.source}.metal`, not in `{found.stem}.metal`",
                related=(Related(found.include.uri, found.include.span, "compiled just in time"),),
            )


def _exchanged(found: Exchanged) -> Diagnostic:
    fixes = tuple(
        Fix(f"Change to `{it}`", (FileEdit(found.place.uri, Edit(found.place.span, it)),))
        for it in found.right
    )
    return Diagnostic(
        found.place.span,
        f"`{found.stem}.metal` has none of this file's kernels, such as `{found.missing}`",
        fixes=fixes if len(fixes) == 1 else (),
    )


RULE = Rule(
    "kernel-in-other-library",
    Group.KERNEL_NAME,
    Severity.WARNING,
    frozenset((Language.HOST,)),
    check,
    __doc__ or "",
)
