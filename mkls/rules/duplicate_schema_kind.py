"""Two overloads of one operator have the same arguments and results.

## What it does
Reports a row whose schema, its overload's name aside, is that of an earlier row.

## Why is this bad?
torchgen takes the variants of a signature together and stops at a second one of the same kind. To
a caller, the two could not be told apart.

## Example
```yaml aten/src/ATen/native/native_functions.yaml
- func: ripple(Tensor self, int step) -> Tensor

- func: ripple.step(Tensor self, int step) -> Tensor
```

## Use instead
```yaml aten/src/ATen/native/native_functions.yaml
- func: ripple(Tensor self, int step) -> Tensor

- func: ripple.step(Tensor self, Tensor step) -> Tensor
```

## Why no fix
Which of the two rows is to take other arguments, and which, is written nowhere.
"""

from collections.abc import Iterator

from mkls.diagnostics.model import Diagnostic, Group, Related, Rule, Severity
from mkls.index.groups import repeated_signatures
from mkls.index.snapshot import Snapshot, Source
from mkls.text.document import Language


def check(snapshot: Snapshot, source: Source) -> Iterator[Diagnostic]:
    """Report each row whose signature an earlier row has."""
    for row, earlier in repeated_signatures(snapshot.operators):
        if row.uri == source.document.uri:
            yield Diagnostic(
                row.name_span,
                f"`{row.name}` has the arguments and results of `{earlier.name}`",
                related=(Related(earlier.uri, earlier.name_span, "this row"),),
            )


RULE = Rule(
    "duplicate-schema-kind",
    Group.DISPATCH,
    Severity.ERROR,
    frozenset((Language.NATIVE_FUNCTIONS,)),
    check,
    __doc__ or "",
)
