"""Two rows name one operator.

## What it does
Reports each row whose name and overload an earlier row has already, and each `autogen` name that
has a row of its own.

## Why is this bad?
An operator has one schema. torchgen stops at the second row, and makes no operator that exists.

## Example
```yaml aten/src/ATen/native/native_functions.yaml
- func: twice.Tensor(Tensor self) -> Tensor

- func: twice.Tensor(Tensor self) -> Tensor
```

## Use instead
```yaml aten/src/ATen/native/native_functions.yaml
- func: twice.Tensor(Tensor self) -> Tensor

```

## Fix safety
The fix removes a second row that says nothing else than the first; it is safe. Of rows that say
different things, it is for you to decide which goes, or gets another overload name.
"""

from collections.abc import Iterator

from mkls.diagnostics.model import Diagnostic, FileEdit, Fix, Group, Related, Rule, Severity
from mkls.index.operators import OperatorIndex, Row
from mkls.index.snapshot import Snapshot, Source
from mkls.text.document import Language
from mkls.text.edit import Edit
from mkls.text.span import Span


def check(snapshot: Snapshot, source: Source) -> Iterator[Diagnostic]:
    """Report each second row of an operator."""
    operators = snapshot.operators
    uri = source.document.uri
    for row in operators.duplicates:
        if row.uri == uri:
            message = f"`{row.name}` has a row already"
            first = operators.by_name[row.name]
            yield Diagnostic(row.name_span, message, (_first(first),), _removal(row, first))
    for row in operators.rows_in.get(uri, ()):
        if row.entry.autogen:
            yield from _made_and_written(operators, row)


def _made_and_written(operators: OperatorIndex, row: Row) -> Iterator[Diagnostic]:
    for name in row.entry.autogen:
        written = operators.row(name.text)
        if written is not None:
            message = f"`{name.text}` has a row of its own: torchgen does not make it"
            yield Diagnostic(row.place(name.span), message, (_first(written),))


def _removal(row: Row, first: Row) -> tuple[Fix, ...]:
    """Offer to remove a row that says nothing else than the first one."""
    if row.entry != first.entry:
        return ()
    edit = FileEdit(row.uri, Edit(Span(row.start, row.start + row.entry.end), ""))
    return (Fix("Remove the second row", (edit,)),)


def _first(row: Row) -> Related:
    return Related(row.uri, row.name_span, "the row that is there already")


RULE = Rule(
    "duplicate-operator",
    Group.DISPATCH,
    Severity.ERROR,
    frozenset((Language.NATIVE_FUNCTIONS,)),
    check,
    __doc__ or "",
)
