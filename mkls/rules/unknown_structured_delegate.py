"""A row delegates to an out row that is not there, or not the right one.

## What it does
Checks that each `structured_delegate` names a row, that this row is `structured: True`, and that it
is the out variant of the delegating row: the same arguments, and an out argument for each result.

## Why is this bad?
torchgen makes the kernel of the row from that of the out row and stops when it cannot.

## Example
```yaml aten/src/ATen/native/native_functions.yaml
- func: twice(Tensor self) -> Tensor
  structured_delegate: twice.ouut

- func: twice.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)
  structured: True
  dispatch:
    CPU, CUDA, MPS: twice_out
```

## Use instead
```yaml aten/src/ATen/native/native_functions.yaml
- func: twice(Tensor self) -> Tensor
  structured_delegate: twice.out

- func: twice.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)
  structured: True
  dispatch:
    CPU, CUDA, MPS: twice_out
```

## Fix safety
The fix is safe: it names the one row whose signature fits.
"""

from collections.abc import Iterator

from mkls.diagnostics.model import Diagnostic, FileEdit, Fix, Group, Related, Rule, Severity
from mkls.facts.model.name import Name
from mkls.index.groups import variants
from mkls.index.operators import OperatorIndex, Row
from mkls.index.snapshot import Snapshot, Source
from mkls.syntax.native_functions.schema import SchemaKind
from mkls.text.document import Language
from mkls.text.edit import Edit


def check(snapshot: Snapshot, source: Source) -> Iterator[Diagnostic]:
    """Report each delegate that torchgen could not use."""
    operators = snapshot.operators
    for row in operators.rows_in.get(source.document.uri, ()):
        delegate = row.entry.structured_delegate
        if delegate is None:
            continue
        target = operators.row(delegate.text)
        message = _message(row, delegate, target)
        if message is not None:
            related = (Related(target.uri, target.name_span, "here"),) if target else ()
            fixes = _fixes(operators, row, delegate)
            yield Diagnostic(row.place(delegate.span), message, related, fixes)


def _message(row: Row, delegate: Name, target: Row | None) -> str | None:
    if target is None:
        return f"no row is called `{delegate.text}`"
    if not target.entry.structured:
        return f"`{target.name}` is not `structured`, so that nothing can delegate to it"
    if row.entry.schema_problems or target.entry.schema_problems:
        return None
    if target.entry.signature != row.entry.signature:
        return f"`{target.name}` is not the out variant of `{row.name}`: their signatures differ"
    return None


def _fixes(operators: OperatorIndex, row: Row, delegate: Name) -> tuple[Fix, ...]:
    out = variants(operators, row).get(SchemaKind.OUT)
    if out is None or out.name == delegate.text or not out.entry.structured:
        return ()
    edit = Edit(row.place(delegate.span), out.name)
    return (Fix(f"Change to `{out.name}`", (FileEdit(row.uri, edit),)),)


RULE = Rule(
    "unknown-structured-delegate",
    Group.DISPATCH,
    Severity.ERROR,
    frozenset((Language.NATIVE_FUNCTIONS,)),
    check,
    __doc__ or "",
)
