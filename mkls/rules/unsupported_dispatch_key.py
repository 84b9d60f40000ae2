"""A dispatch key is misspelled, or this checkout's torchgen takes no kernels for it.

## What it does
Compares each key of `dispatch` with the `dispatch_keys` of the checkout's `torchgen/model.py`.
Where the workspace has none, with every key that torchgen 2.6 to 2.13 takes.

## Why is this bad?
torchgen stops at the key. `SparseMPS`, for one, came after PyTorch 2.6, and `NestedTensorMPS` is a
dispatch key for which torchgen takes no kernels to this day.

## Example
```yaml aten/src/ATen/native/native_functions.yaml
- func: twice(Tensor self) -> Tensor
  dispatch:
    CPU, CUDA, MSP: twice
```

## Use instead
```yaml aten/src/ATen/native/native_functions.yaml
- func: twice(Tensor self) -> Tensor
  dispatch:
    CPU, CUDA, MPS: twice
```

## Fix safety
The fix is unsafe: only you know which backend is meant.
"""

from collections.abc import Iterator

from mkls.diagnostics.model import Diagnostic, FileEdit, Fix, Group, Rule, Severity
from mkls.facts.model.name import Name
from mkls.index.accepted import Accepted
from mkls.index.dispatch_edits import unlisting
from mkls.index.operators import Row
from mkls.index.snapshot import Snapshot, Source
from mkls.index.spelling import close_names
from mkls.text.document import Language
from mkls.text.edit import Edit


def check(snapshot: Snapshot, source: Source) -> Iterator[Diagnostic]:
    """Report each dispatch key that torchgen does not take."""
    operators = snapshot.operators
    for row in operators.rows_in.get(source.document.uri, ()):
        if row.entry.dispatch_lines.keys() <= operators.accepted.dispatch_keys:
            continue
        for line in row.entry.dispatch:
            for key in line.keys:
                if key.text and key.text not in operators.accepted.dispatch_keys:
                    message = _message(key.text, operators.accepted)
                    fixes = _fixes(row, key, operators.accepted)
                    yield Diagnostic(row.place(key.span), message, fixes=fixes)


def _message(key: str, accepted: Accepted) -> str:
    if key in accepted.known_dispatch_keys:
        return f"torchgen takes no kernels for the dispatch key `{key}`"
    where = "in this checkout" if accepted.is_known else "in any torchgen"
    return f"no dispatch key is called `{key}` {where}"


def _fixes(row: Row, key: Name, accepted: Accepted) -> tuple[Fix, ...]:
    fixes: list[Fix] = []
    if key.text not in accepted.known_dispatch_keys:
        for close in close_names(key.text, accepted.dispatch_keys):
            if close not in row.entry.dispatch_lines and _same_backend(key.text, close, accepted):
                edit = FileEdit(row.uri, Edit(row.place(key.span), close))
                fixes.append(Fix(f"Change to `{close}`", (edit,), safe=False))
    removal = unlisting(row, key.text)
    if removal is not None:
        edits = (FileEdit(row.uri, removal),)
        fixes.append(Fix(f"Remove `{key.text}`", edits, safe=False))
    return tuple(fixes)


def _same_backend(written: str, close: str, accepted: Accepted) -> bool:
    """Whether a guess leaves alone a backend that is spelled right: `…MPS` never means `…XPU`."""
    return all(close.endswith(key) for key in accepted.dispatch_keys if written.endswith(key))


RULE = Rule(
    "unsupported-dispatch-key",
    Group.DISPATCH,
    Severity.ERROR,
    frozenset((Language.NATIVE_FUNCTIONS,)),
    check,
    __doc__ or "",
)
