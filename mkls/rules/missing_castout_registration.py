"""A comparison cannot store its result as another dtype than bool.

## What it does
Reports calls of `exec_binary_kernel` whose kernels all give bool, without a natural output dtype or
without a `_castout_` kernel.

## Why is this bad?
With `out=` of another dtype, the host asks for a kernel that writes that dtype, and there is none.
With `kBool` as natural output dtype it asks for the kernel that casts as it stores.

## Example
```metal kernels/Compare.metal
template <typename T>
kernel void binary_dense(
    device bool* out [[buffer(0)]],
    constant T* left [[buffer(1)]],
    constant T* right [[buffer(2)]]) {
  out[0] = left[0] < right[0];
}
template <typename T>
kernel void binary_strided_castout(
    device void* out [[buffer(0)]],
    constant void* left [[buffer(1)]],
    constant void* right [[buffer(2)]]) {
  *static_cast<device bool*>(out) = true;
}
template [[host_name("less_dense_bool_float")]] kernel void binary_dense<float>(
    device bool*, constant float*, constant float*);
template [[host_name("less_strided_castout_bool_float")]] kernel void binary_strided_castout<float>(
    device void*, constant void*, constant void*);
```
```objcpp operations/Compare.mm
static auto& lib = MetalShaderLibrary::getBundledLibrary();
static void less(TensorIteratorBase& iter) {
  lib.exec_binary_kernel(iter, "less");
}
```

## Use instead
```metal kernels/Compare.metal
template <typename T>
kernel void binary_dense(
    device bool* out [[buffer(0)]],
    constant T* left [[buffer(1)]],
    constant T* right [[buffer(2)]]) {
  out[0] = left[0] < right[0];
}
template <typename T>
kernel void binary_strided_castout(
    device void* out [[buffer(0)]],
    constant void* left [[buffer(1)]],
    constant void* right [[buffer(2)]]) {
  *static_cast<device bool*>(out) = true;
}
template [[host_name("less_dense_bool_float")]] kernel void binary_dense<float>(
    device bool*, constant float*, constant float*);
template [[host_name("less_strided_castout_bool_float")]] kernel void binary_strided_castout<float>(
    device void*, constant void*, constant void*);
```
```objcpp operations/Compare.mm
static auto& lib = MetalShaderLibrary::getBundledLibrary();
static void less(TensorIteratorBase& iter) {
  lib.exec_binary_kernel(iter, "less", std::nullopt, std::nullopt, kBool);
}
```
"""

from collections.abc import Iterator

from mkls.diagnostics.model import Diagnostic, Group, Related, Rule, Severity
from mkls.index.expected_kernels import lacking_castouts
from mkls.index.snapshot import Snapshot, Source
from mkls.text.document import Language


def check(snapshot: Snapshot, source: Source) -> Iterator[Diagnostic]:
    """Report each call of `source` whose bool result cannot be cast."""
    for place, kernel in lacking_castouts(snapshot, source.document.uri):
        yield Diagnostic(
            place.span,
            f"`{kernel.host_name}` gives bool, and nothing stores it as another dtype",
            related=(Related(kernel.uri, kernel.span, "a kernel that is asked for"),),
        )


RULE = Rule(
    "missing-castout-registration",
    Group.KERNEL_NAME,
    Severity.INFORMATION,
    frozenset((Language.HOST,)),
    check,
    __doc__ or "",
    default=False,
)
