"""A row still has its own MPS kernel where a sibling has moved to the shared one.

## What it does
Looks at the rows that share a base name. Reports a structured row with an own `MPS:` line beside
`CPU, CUDA:`, when a sibling already lists MPS in its shared line and calls its stub through
TensorIterator (`structured_inherits: TensorIteratorBase`).

## Why is this bad?
PyTorch moves MPS operators from kernels of their own to the stubs that CPU and CUDA use. A half
moved operator has two implementations that must agree, and the old one keeps its MPSGraph code
alive.

## Example
```yaml aten/src/ATen/native/native_functions.yaml
- func: raise.Tensor_out(Tensor self, Tensor exponent, *, Tensor(a!) out) -> Tensor(a!)
  structured: True
  structured_inherits: TensorIteratorBase
  dispatch:
    CPU, CUDA: raise_tensor_out
    MPS: raise_tensor_out_mps

- func: raise.Scalar_out(Tensor self, Scalar exponent, *, Tensor(a!) out) -> Tensor(a!)
  structured: True
  structured_inherits: TensorIteratorBase
  dispatch:
    CPU, CUDA, MPS: raise_scalar_out
```

## Use instead
```yaml aten/src/ATen/native/native_functions.yaml
- func: raise.Tensor_out(Tensor self, Tensor exponent, *, Tensor(a!) out) -> Tensor(a!)
  structured: True
  structured_inherits: TensorIteratorBase
  dispatch:
    CPU, CUDA, MPS: raise_tensor_out

- func: raise.Scalar_out(Tensor self, Scalar exponent, *, Tensor(a!) out) -> Tensor(a!)
  structured: True
  structured_inherits: TensorIteratorBase
  dispatch:
    CPU, CUDA, MPS: raise_scalar_out
```

## Fix safety
The fix is unsafe: it is right only once a Metal kernel is registered for the row's stub.
"""

from collections.abc import Iterator

from mkls.diagnostics.model import Diagnostic, FileEdit, Fix, Group, Related, Rule, Severity
from mkls.index.dispatch_edits import listing, unlisting
from mkls.index.groups import migrated_sibling
from mkls.index.operators import MPS, Row
from mkls.index.snapshot import Snapshot, Source
from mkls.text.document import Language


def check(snapshot: Snapshot, source: Source) -> Iterator[Diagnostic]:
    """Report each row that its siblings have left behind."""
    operators = snapshot.operators
    for row in operators.rows_in.get(source.document.uri, ()):
        sibling = migrated_sibling(operators, row) if row.entry.structured else None
        if sibling is None:
            continue
        function, span = row.function(MPS), row.key_span(MPS)
        if function is None or span is None:
            continue
        yield Diagnostic(
            span,
            f"`{row.name}` has its own `{function.text}`, while `{sibling.name}` shares its kernel",
            related=(Related(sibling.uri, sibling.name_span, "this one has moved"),),
            fixes=_fixes(row),
        )


def _fixes(row: Row) -> tuple[Fix, ...]:
    shared, edit = row.line("CUDA"), unlisting(row, MPS)
    if shared is None or edit is None:
        return ()
    edits = (FileEdit(row.uri, listing(row, shared, MPS)), FileEdit(row.uri, edit))
    return (Fix("List MPS beside CPU and CUDA", edits, safe=False),)


RULE = Rule(
    "mixed-dispatch-group",
    Group.DISPATCH,
    Severity.WARNING,
    frozenset((Language.NATIVE_FUNCTIONS,)),
    check,
    __doc__ or "",
)
