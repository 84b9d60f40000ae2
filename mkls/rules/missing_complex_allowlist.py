"""A change registers complex kernels for an operator whose complex tests are expected to fail.

## What it does
Compares the kernels of the Metal sources with those of the last commit. For each operator that has
kernels for `float2` or `half2` now and had none before, reports `SUPPORTED_COMPLEX_OPS` when it
does not list the operator. An operator is known by the name with which its kernels' host names
begin, where a row of `native_functions.yaml` has that name. Without git, or without a commit,
nothing is reported.

## Why is this bad?
The tests of an operator that is not listed there are expected to fail for complex inputs. They
pass now, which is an "unexpected success" and fails the run.

## Example
```python torch/testing/_internal/common_mps.py
def mps_ops_modifier(ops):
    SUPPORTED_COMPLEX_OPS = {
        "abs",
        "tanh",
    }
```
```yaml aten/src/ATen/native/native_functions.yaml
- func: ripple(Tensor self) -> Tensor
  dispatch:
    CPU, MPS: ripple
```
```metal HEAD:aten/src/ATen/native/mps/kernels/Ripple.metal
kernel void ripple_dense_float_float(device float* out [[buffer(0)]]) {}
```
```metal aten/src/ATen/native/mps/kernels/Ripple.metal
kernel void ripple_dense_float_float(device float* out [[buffer(0)]]) {}
kernel void ripple_dense_float2_float2(device float2* out [[buffer(0)]]) {}
```

## Use instead
```python torch/testing/_internal/common_mps.py
def mps_ops_modifier(ops):
    SUPPORTED_COMPLEX_OPS = {
        "abs",
        "ripple",
        "tanh",
    }
```
```yaml aten/src/ATen/native/native_functions.yaml
- func: ripple(Tensor self) -> Tensor
  dispatch:
    CPU, MPS: ripple
```
```metal HEAD:aten/src/ATen/native/mps/kernels/Ripple.metal
kernel void ripple_dense_float_float(device float* out [[buffer(0)]]) {}
```
```metal aten/src/ATen/native/mps/kernels/Ripple.metal
kernel void ripple_dense_float_float(device float* out [[buffer(0)]]) {}
kernel void ripple_dense_float2_float2(device float2* out [[buffer(0)]]) {}
```

## Fix safety
The fix is unsafe: the new kernels may still fail the tests, which only a run on a Mac can tell.
"""

from collections.abc import Iterator

from mkls.diagnostics.model import Diagnostic, FileEdit, Fix, Group, Related, Rule, Severity
from mkls.facts.model.python import OperatorList
from mkls.index.changes import key_of_base, unlisted_complex
from mkls.index.snapshot import Snapshot, Source
from mkls.text.document import Language, Uri
from mkls.text.edit import Edit
from mkls.text.span import Span


def check(snapshot: Snapshot, source: Source) -> Iterator[Diagnostic]:
    """Report the list that lacks an operator which the changes made complex."""
    uri = source.document.uri
    for missing in unlisted_complex(snapshot).get(uri, ()):
        kernel = missing.kernel
        yield Diagnostic(
            missing.operators.name.span,
            f"`{missing.base}` now has complex kernels, but is not listed here",
            related=(Related(kernel.uri, kernel.span, f"`{kernel.host_name}` is new"),),
            fixes=_fixes(uri, missing.operators, key_of_base(missing.base)),
        )


def _fixes(uri: Uri, operators: OperatorList, key: str) -> tuple[Fix, ...]:
    lines = [it.lines for it in operators.keys if it.lines and it.name.text > key]
    last = operators.keys[-1].lines if operators.keys else None
    at = lines[0].start if lines else last.end if last else None
    if at is None:
        return ()
    edit = FileEdit(uri, Edit(Span(at, at), f'{operators.indent}"{key}",\n'))
    return (Fix(f"List `{key}`", (edit,), safe=False),)


RULE = Rule(
    "missing-complex-allowlist",
    Group.TESTS,
    Severity.WARNING,
    frozenset((Language.PYTHON,)),
    check,
    __doc__ or "",
)
