"""A test is expected to fail on MPS though a change makes its operator run there.

## What it does
Compares `native_functions.yaml` with the last commit. For each operator that had no kernel for MPS
and has one now, reports its key in `UNIMPLEMENTED_XFAILLIST`; for each `…_backward` operator, the
key of its forward operator in `XFAILLIST_GRAD`.

A key with a list of dtypes is left alone: for them the test may still fail. Without git, or
without a commit, nothing is reported.

## Why is this bad?
The lists mean `unittest.expectedFailure`: a test that passes is then an "unexpected success", which
fails the run, on the machine of whoever has a Mac.

## Example
```python torch/testing/_internal/common_mps.py
def mps_ops_modifier(ops):
    UNIMPLEMENTED_XFAILLIST = {
        "ripple": None,
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

## Fix safety
The fix is unsafe: the new kernel may still fail the test, which only a run on a Mac can tell.
"""

from collections.abc import Iterator

from mkls.diagnostics.model import Diagnostic, FileEdit, Fix, Group, Related, Rule, Severity
from mkls.facts.model.python import OperatorListKey
from mkls.index.changes import Supported, stale_keys
from mkls.index.snapshot import Snapshot, Source
from mkls.text.document import Language, Uri
from mkls.text.edit import Edit


def check(snapshot: Snapshot, source: Source) -> Iterator[Diagnostic]:
    """Report each key that the changes made stale."""
    uri = source.document.uri
    for stale in stale_keys(snapshot).get(uri, ()):
        key, row = stale.key, stale.supported.row
        yield Diagnostic(
            key.name.span,
            _message(key, stale.supported),
            related=(Related(row.uri, row.name_span, "this row has a kernel now"),),
            fixes=_fixes(uri, key),
        )


def _message(key: OperatorListKey, supported: Supported) -> str:
    if supported.base.endswith("_backward"):
        return f"`{supported.base}` now runs on MPS: the gradient test should pass"
    return f"`{key.name.text}` now runs on MPS: its test should pass"


def _fixes(uri: Uri, key: OperatorListKey) -> tuple[Fix, ...]:
    if key.lines is None:
        return ()
    edit = FileEdit(uri, Edit(key.lines, ""))
    return (Fix(f"Delete `{key.name.text}` from the list", (edit,), safe=False),)


RULE = Rule(
    "stale-xfail",
    Group.TESTS,
    Severity.WARNING,
    frozenset((Language.PYTHON,)),
    check,
    __doc__ or "",
)
