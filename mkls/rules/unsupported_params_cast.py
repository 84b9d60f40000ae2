"""A binary kernel with parameters may be asked for with inputs of two dtypes, which no macro makes.

## What it does
Where the library's `exec_binary_kernel_with_params` has a name for mixed dtypes that none of the
kernels registered under the given stem has, reports calls without a check that the inputs' dtypes
are equal.

## Why is this bad?
`exec_binary_kernel_with_params` asks for `NAME_dense_cast_OUT_PARAMS`, while the registration macro
makes names with three suffixes. As soon as somebody mixes dtypes, "Failed to create function state
object for: …" is what they get.

## Example
```metal kernels/Elu.metal
template <typename T>
kernel void backward(device T* out [[buffer(0)]], constant T* grad [[buffer(1)]]) {
  out[0] = grad[0];
}
template [[host_name("elu_dense_float_float_Params")]] kernel void backward<float>(
    device float*, constant float*);
```
```objcpp operations/Elu.mm
static auto& lib = MetalShaderLibrary::getBundledLibrary();
static void elu(TensorIteratorBase& iter, const Params& params) {
  lib.exec_binary_kernel_with_params(iter, "elu", params, "Params");
}
```

## Use instead
```metal kernels/Elu.metal
template <typename T>
kernel void backward(device T* out [[buffer(0)]], constant T* grad [[buffer(1)]]) {
  out[0] = grad[0];
}
template [[host_name("elu_dense_float_float_Params")]] kernel void backward<float>(
    device float*, constant float*);
```
```objcpp operations/Elu.mm
static auto& lib = MetalShaderLibrary::getBundledLibrary();
static void elu(TensorIteratorBase& iter, const Params& params) {
  TORCH_CHECK(iter.dtype(1) == iter.dtype(2), "elu expects inputs of one dtype");
  lib.exec_binary_kernel_with_params(iter, "elu", params, "Params");
}
```

## Why no fix
Whether inputs of two dtypes are an error, to be checked, or are to be converted first is for you to
decide.
"""

from collections.abc import Iterator

from mkls.diagnostics.model import Diagnostic, Group, Rule, Severity
from mkls.index.exec_calls import unchecked_params
from mkls.index.snapshot import Snapshot, Source
from mkls.text.document import Language


def check(snapshot: Snapshot, source: Source) -> Iterator[Diagnostic]:
    """Report each call of `source` that may mix dtypes."""
    for place, stem in unchecked_params(snapshot, source.document.uri):
        yield Diagnostic(
            place.span, f"`{stem}` has no kernel for inputs of two dtypes, and nothing checks them"
        )


RULE = Rule(
    "unsupported-params-cast",
    Group.KERNEL_NAME,
    Severity.WARNING,
    frozenset((Language.HOST,)),
    check,
    __doc__ or "",
)
