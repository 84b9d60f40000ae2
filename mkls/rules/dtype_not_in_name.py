"""A kernel reads a tensor as the dtype of another one.

## What it does
Looks at kernels that are looked up by the dtype of one tensor, and that read a second one as the
same type. Reports the second one where it is a parameter of a function that rows dispatch to, and
that function neither compares nor converts nor asks for its dtype. Structured implementations,
helpers, and functions that build a `TensorIterator` are left alone: there it was seen to before.

## Why is this bad?
Nothing converts what is bound: a `half` input with a `float` weight makes the kernel read the
weight's bytes as `half`. That is how LayerNorm came to give garbage in mixed precision.

## Example
```metal aten/src/ATen/native/mps/kernels/Bias.metal
template <typename T>
kernel void bias(
    device T* out [[buffer(0)]],
    constant T* offset [[buffer(1)]],
    uint i [[thread_position_in_grid]]) {
  out[i] += offset[i];
}
template [[host_name("bias_float")]] kernel void bias<float>(device float*, constant float*, uint);
template [[host_name("bias_half")]] kernel void bias<half>(device half*, constant half*, uint);
template [[host_name("bias_bfloat")]] kernel void bias<bfloat>(
    device bfloat*, constant bfloat*, uint);
```
```yaml aten/src/ATen/native/native_functions.yaml
- func: bias_(Tensor(a!) self, Tensor offset) -> Tensor(a!)
  dispatch:
    MPS: bias_mps_
```
```objcpp aten/src/ATen/native/mps/operations/Bias.mm
Tensor& bias_mps_(Tensor& out, const Tensor& offset) {
  if (out.numel() == 0) {
    return out;
  }
  auto pipeline = lib.getPipelineStateForFunc("bias_" + scalarToMetalTypeString(out));
  [encoder setComputePipelineState:pipeline];
  mtl_setArgs(encoder, out, offset);
  mtl_dispatch1DJob(encoder, pipeline, out.numel());
  return out;
}
```

## Use instead
```metal aten/src/ATen/native/mps/kernels/Bias.metal
template <typename T>
kernel void bias(
    device T* out [[buffer(0)]],
    constant T* offset [[buffer(1)]],
    uint i [[thread_position_in_grid]]) {
  out[i] += offset[i];
}
template [[host_name("bias_float")]] kernel void bias<float>(device float*, constant float*, uint);
template [[host_name("bias_half")]] kernel void bias<half>(device half*, constant half*, uint);
template [[host_name("bias_bfloat")]] kernel void bias<bfloat>(
    device bfloat*, constant bfloat*, uint);
```
```yaml aten/src/ATen/native/native_functions.yaml
- func: bias_(Tensor(a!) self, Tensor offset) -> Tensor(a!)
  dispatch:
    MPS: bias_mps_
```
```objcpp aten/src/ATen/native/mps/operations/Bias.mm
Tensor& bias_mps_(Tensor& out, const Tensor& offset) {
  TORCH_CHECK(offset.scalar_type() == out.scalar_type(), "bias_ expects one dtype");
  if (out.numel() == 0) {
    return out;
  }
  auto pipeline = lib.getPipelineStateForFunc("bias_" + scalarToMetalTypeString(out));
  [encoder setComputePipelineState:pipeline];
  mtl_setArgs(encoder, out, offset);
  mtl_dispatch1DJob(encoder, pipeline, out.numel());
  return out;
}
```

## Why no fix
Whether tensors of two dtypes are an error, to be checked, are to be converted first, or need a
kernel of their own is for you to decide.
"""

from collections.abc import Iterator

from mkls.diagnostics.model import Diagnostic, Group, Related, Rule, Severity
from mkls.index.launches import place_of
from mkls.index.snapshot import Snapshot, Source
from mkls.index.unnamed_dtypes import unnamed_dtypes
from mkls.text.document import Language


def check(snapshot: Snapshot, source: Source) -> Iterator[Diagnostic]:
    """Report each tensor in `source` whose dtype nothing looks at."""
    for found in unnamed_dtypes(snapshot, source.document.uri):
        kernel = place_of(found.kernel)
        name = found.event.name
        yield Diagnostic(
            name.span.shifted(found.function.stated.start),
            f"`{name.text}` is read as what `{found.named}` is, and nothing compares their dtypes",
            related=(Related(kernel.uri, kernel.span, f"reads it as `{found.parameter}`"),),
        )


RULE = Rule(
    "dtype-not-in-name",
    Group.BINDING,
    Severity.WARNING,
    frozenset((Language.HOST, Language.CPP)),
    check,
    __doc__ or "",
)
