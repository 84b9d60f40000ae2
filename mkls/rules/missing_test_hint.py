"""A change makes an operator run on MPS; this is how to run its tests.

## What it does
Compares `native_functions.yaml` with the last commit, and shows for each operator that had no
kernel for MPS and has one now how to select its tests, as long as the lists of special cases in
`common_mps.py` have not changed too. When the operator is listed as unimplemented there,
`stale-xfail` speaks instead. Off by default.

## Why is this bad?
It is not. But a new kernel is tested by no one else: the tests of all operators exist, and only
run where MPS does.

## Example
```python torch/testing/_internal/common_mps.py
def mps_ops_modifier(ops):
    UNIMPLEMENTED_XFAILLIST = {
        "surge": None,
    }
```
```python HEAD:torch/testing/_internal/common_mps.py
def mps_ops_modifier(ops):
    UNIMPLEMENTED_XFAILLIST = {
        "surge": None,
    }
```
```yaml HEAD:aten/src/ATen/native/native_functions.yaml
- func: ripple(Tensor self) -> Tensor
  dispatch:
    CPU, CUDA: ripple
```
```yaml aten/src/ATen/native/native_functions.yaml
- func: ripple(Tensor self) -> Tensor
  dispatch:
    CPU, CUDA, MPS: ripple
```

## Use instead
```python torch/testing/_internal/common_mps.py
def mps_ops_modifier(ops):
    UNIMPLEMENTED_XFAILLIST = {
        "surge": None,
    }
    SKIPLIST = {
        "ripple": None,
    }
```
```python HEAD:torch/testing/_internal/common_mps.py
def mps_ops_modifier(ops):
    UNIMPLEMENTED_XFAILLIST = {
        "surge": None,
    }
```
```yaml HEAD:aten/src/ATen/native/native_functions.yaml
- func: ripple(Tensor self) -> Tensor
  dispatch:
    CPU, CUDA: ripple
```
```yaml aten/src/ATen/native/native_functions.yaml
- func: ripple(Tensor self) -> Tensor
  dispatch:
    CPU, CUDA, MPS: ripple
```
"""

from collections.abc import Iterator

from mkls.diagnostics.model import Diagnostic, Group, Rule, Severity
from mkls.index.changes import untested
from mkls.index.snapshot import Snapshot, Source
from mkls.text.document import Language


def check(snapshot: Snapshot, source: Source) -> Iterator[Diagnostic]:
    """Report each operator that the changes made run on MPS, at the row that does."""
    for supported in untested(snapshot):
        if supported.row.uri == source.document.uri:
            yield Diagnostic(
                supported.row.name_span,
                f"`{supported.base}` now runs on MPS: "
                f"`python test/test_mps.py -k {_test(supported.base)}` tests it",
            )


def _test(base: str) -> str:
    return f"match_{base}_"


RULE = Rule(
    "missing-test-hint",
    Group.TESTS,
    Severity.HINT,
    frozenset((Language.NATIVE_FUNCTIONS,)),
    check,
    __doc__ or "",
    default=False,
)
