"""A function schema is not one that torchgen takes.

## What it does
Reads the schema of each row as torchgen does and reports what it would stop at: spelling, unknown
types, alias annotations that do not match, out arguments that are not returned, in-place operators
that do not return `self`. A type counts as unknown when no torchgen has it, or when the checkout's
`torchgen/model.py` has not.

## Why is this bad?
The schema makes the C++ and Python signatures of the operator, and tells the dispatcher, autograd
and functionalization what it writes to.

## Example
```yaml aten/src/ATen/native/native_functions.yaml
- func: twice(Tensr self) -> Tensor
```

## Use instead
```yaml aten/src/ATen/native/native_functions.yaml
- func: twice(Tensor self) -> Tensor
```

## Fix safety
The fix is unsafe: it guesses which type is meant.
"""

from collections.abc import Iterator

from mkls.diagnostics.model import Diagnostic, FileEdit, Fix, Group, Rule, Severity
from mkls.facts.model.name import Name
from mkls.facts.model.native_functions import Entry, NativeFunctionsFacts
from mkls.index.snapshot import Snapshot, Source
from mkls.index.spelling import close_names
from mkls.syntax.native_functions.declaration import BASE_TYPES
from mkls.syntax.problem import Problem
from mkls.text.document import Language, Uri
from mkls.text.edit import Edit


def check(snapshot: Snapshot, source: Source) -> Iterator[Diagnostic]:
    """Report what is wrong with each schema."""
    facts = source.facts
    if not isinstance(facts, NativeFunctionsFacts):
        return
    types = snapshot.operators.accepted.base_types or BASE_TYPES
    removed = BASE_TYPES - types
    for placed in facts.entries:
        entry = placed.entry
        problems = entry.schema_problems or _removed_types(entry, removed)
        for problem in problems:
            wrong = next((it for it in entry.type_names if it.span == problem.span), None)
            span = placed.place(problem.span)
            fixes = _fixes(source.document.uri, Name(wrong.text, span), types) if wrong else ()
            yield Diagnostic(span, problem.message, fixes=fixes)


def _removed_types(entry: Entry, removed: frozenset[str]) -> list[Problem]:
    for name in removed:
        if entry.func is not None and name in entry.func.text:
            break
    else:
        # So that a schema is taken apart only when it must be.
        return []
    return [
        Problem(it.span, f"this checkout's torchgen has no type `{it.text}`")
        for it in entry.type_names
        if it.text in removed
    ]


def _fixes(uri: Uri, wrong: Name, types: frozenset[str]) -> tuple[Fix, ...]:
    return tuple(
        Fix(f"Change to `{close}`", (FileEdit(uri, Edit(wrong.span, close)),), safe=False)
        for close in close_names(wrong.text, types)
        if wrong.text not in types
    )


RULE = Rule(
    "malformed-schema",
    Group.DISPATCH,
    Severity.ERROR,
    frozenset((Language.NATIVE_FUNCTIONS,)),
    check,
    __doc__ or "",
)
