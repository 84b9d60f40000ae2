"""A row with `ufunc_inner_loop` lists CPU or CUDA in its dispatch as well.

## What it does
Reports `CPU` and `CUDA` in the `dispatch` of a row that has `ufunc_inner_loop`.

## Why is this bad?
torchgen makes the kernels for CPU and CUDA out of the inner loop, and stops at a row that names
them too. So such a row cannot share its kernel with MPS as others do: MPS has a line of its own.

## Example
```yaml aten/src/ATen/native/native_functions.yaml
- func: ripple.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)
  structured: True
  structured_inherits: TensorIteratorBase
  ufunc_inner_loop:
    Generic: ripple (AllAndComplex, Half)
  dispatch:
    CPU, MPS: ripple_out
```

## Use instead
```yaml aten/src/ATen/native/native_functions.yaml
- func: ripple.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)
  structured: True
  structured_inherits: TensorIteratorBase
  ufunc_inner_loop:
    Generic: ripple (AllAndComplex, Half)
  dispatch:
    MPS: ripple_out
```

## Fix safety
The fix is unsafe: the function that MPS is left with may be one that only the other backends have.
"""

from collections.abc import Iterator

from mkls.diagnostics.model import Diagnostic, FileEdit, Fix, Group, Rule, Severity
from mkls.index.dispatch_edits import unlisting
from mkls.index.operators import Row
from mkls.index.snapshot import Snapshot, Source
from mkls.text.document import Language

_SUPPLIED = ("CPU", "CUDA")


def check(snapshot: Snapshot, source: Source) -> Iterator[Diagnostic]:
    """Report each dispatch key that the row's inner loop supplies."""
    for row in snapshot.operators.rows_in.get(source.document.uri, ()):
        if row.entry.ufunc_inner_loop:
            for dispatch_key in _SUPPLIED:
                span = row.key_span(dispatch_key)
                if span is not None:
                    yield Diagnostic(
                        span,
                        f"`ufunc_inner_loop` supplies `{dispatch_key}` already",
                        fixes=_fixes(row, dispatch_key),
                    )


def _fixes(row: Row, dispatch_key: str) -> tuple[Fix, ...]:
    edit = unlisting(row, dispatch_key)
    if edit is None:
        return ()
    title = f"Take `{dispatch_key}` out of the dispatch"
    return (Fix(title, (FileEdit(row.uri, edit),), safe=False),)


RULE = Rule(
    "ufunc-shared-dispatch",
    Group.DISPATCH,
    Severity.ERROR,
    frozenset((Language.NATIVE_FUNCTIONS,)),
    check,
    __doc__ or "",
)
