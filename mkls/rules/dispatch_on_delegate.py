"""A row that delegates to a structured out row lists a kernel of its own.

## What it does
Reports `MPS`, `CPU`, `CUDA`, `XPU` and `MTIA` in the `dispatch` of a row with a
`structured_delegate`. Sparse, quantized and nested keys are allowed there.

## Why is this bad?
torchgen makes the row's kernel from the out row's and stops at a second one. The line belongs to
the out row.

## Example
```yaml aten/src/ATen/native/native_functions.yaml
- func: twice(Tensor self) -> Tensor
  structured_delegate: twice.out
  dispatch:
    MPS: twice_out_mps

- func: twice.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)
  structured: True
  dispatch:
    CPU: twice_out
```

## Use instead
```yaml aten/src/ATen/native/native_functions.yaml
- func: twice(Tensor self) -> Tensor
  structured_delegate: twice.out

- func: twice.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)
  structured: True
  dispatch:
    CPU: twice_out
    MPS: twice_out_mps
```

## Fix safety
The fix is unsafe: a structured kernel has another signature than the function that moves.
"""

from collections.abc import Iterator

from mkls.diagnostics.model import Diagnostic, FileEdit, Fix, Group, Related, Rule, Severity
from mkls.facts.model.name import Name
from mkls.facts.model.native_functions import NativeFunctionsFacts
from mkls.index.dispatch_edits import new_line, unlisting
from mkls.index.operators import Row
from mkls.index.snapshot import Snapshot, Source
from mkls.text.document import Language


def check(snapshot: Snapshot, source: Source) -> Iterator[Diagnostic]:
    """Report each dispatch key that a delegating row may not list."""
    facts = source.facts
    if not isinstance(facts, NativeFunctionsFacts):
        return
    operators = snapshot.operators
    for row in operators.rows_in[source.document.uri]:
        delegate = row.entry.structured_delegate
        if delegate is None or not row.entry.dispatch:
            continue
        out = operators.delegate(row)
        for line in row.entry.dispatch:
            for key in line.keys:
                if key.text in operators.accepted.structured_keys:
                    yield _diagnostic(row, out, key, delegate, facts.newline)


def _diagnostic(row: Row, out: Row | None, key: Name, delegate: Name, newline: str) -> Diagnostic:
    message = f"`{row.name}` delegates to `{delegate.text}`: `{key.text}` belongs there"
    related = (Related(out.uri, out.name_span, "here"),) if out is not None else ()
    return Diagnostic(row.place(key.span), message, related, _fixes(row, out, key.text, newline))


def _fixes(row: Row, out: Row | None, dispatch_key: str, newline: str) -> tuple[Fix, ...]:
    removal, function = unlisting(row, dispatch_key), row.function(dispatch_key)
    if out is None or removal is None or function is None:
        return ()
    if out.line(dispatch_key) is not None:
        title = f"Remove `{dispatch_key}`, which `{out.name}` has already"
        return (Fix(title, (FileEdit(row.uri, removal),), safe=False),)
    addition = new_line(out, dispatch_key, function.text, newline)
    edits = (FileEdit(row.uri, removal), FileEdit(out.uri, addition))
    return (Fix(f"Move `{dispatch_key}` to `{out.name}`", edits, safe=False),)


RULE = Rule(
    "dispatch-on-delegate",
    Group.DISPATCH,
    Severity.ERROR,
    frozenset((Language.NATIVE_FUNCTIONS,)),
    check,
    __doc__ or "",
)
