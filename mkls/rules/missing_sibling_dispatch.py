"""A row has kernels for CPU and CUDA but none for MPS, where its siblings have one.

## What it does
Looks at the rows that share a base name, such as `logit`, `logit_` and `logit.out`. Reports a row
that lists `CPU` and `CUDA` and resolves to nothing on MPS, when another of them runs on MPS.

Rows that need no MPS line are left alone: those that delegate to a structured out row, those with
a composite kernel, those that torchgen makes (`autogen`), those that a
`TORCH_LIBRARY_IMPL(aten, MPS, …)` block implements, and rows for CUDA alone, such as `mm.dtype`.

## Why is this bad?
The operator works on MPS or fails with `NotImplementedError`, depending on which overload a model
happens to call: `x.logit()` runs and `x.logit_()` does not.

## Example
```yaml aten/src/ATen/native/native_functions.yaml
- func: twice.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)
  dispatch:
    CPU, CUDA, MPS: twice_out

- func: twice_(Tensor(a!) self) -> Tensor(a!)
  dispatch:
    CPU, CUDA: twice_
```

## Use instead
```yaml aten/src/ATen/native/native_functions.yaml
- func: twice.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)
  dispatch:
    CPU, CUDA, MPS: twice_out

- func: twice_(Tensor(a!) self) -> Tensor(a!)
  dispatch:
    CPU, CUDA, MPS: twice_
```

## Fix safety
The fix is unsafe: it makes the row call a function on MPS tensors that may not be ready for them,
or one that has still to be written.
"""

from collections.abc import Iterator

from mkls.diagnostics.model import Diagnostic, FileEdit, Fix, Group, Related, Rule, Severity
from mkls.facts.model.native_functions import NativeFunctionsFacts
from mkls.index.dispatch_edits import listing, new_line
from mkls.index.groups import lacks_mps, sibling_with_mps
from mkls.index.operators import MPS, Row
from mkls.index.snapshot import Snapshot, Source
from mkls.text.document import Language


def check(snapshot: Snapshot, source: Source) -> Iterator[Diagnostic]:
    """Report each row that lacks MPS while a sibling has it."""
    facts = source.facts
    if not isinstance(facts, NativeFunctionsFacts):
        return
    operators = snapshot.operators
    for row in operators.rows_in[source.document.uri]:
        if not lacks_mps(operators, row):
            continue
        sibling = sibling_with_mps(operators, row)
        if sibling is not None:
            yield Diagnostic(
                row.name_span,
                f"`{row.name}` has CPU and CUDA kernels but no MPS, which `{sibling.name}` has",
                related=(Related(sibling.uri, sibling.name_span, "this one runs on MPS"),),
                fixes=_fixes(row, sibling, facts.newline),
            )


def _fixes(row: Row, sibling: Row, newline: str) -> tuple[Fix, ...]:
    line = row.line("CUDA")
    share = None
    if line is not None and line is row.line("CPU"):
        share = Fix(
            "List MPS beside CPU and CUDA",
            (FileEdit(row.uri, listing(row, line, MPS)),),
            safe=False,
        )
    function = _function_for_mps(row)
    edit = new_line(row, MPS, function, newline)
    own = Fix(f"Add `MPS: {function}`", (FileEdit(row.uri, edit),), safe=False)
    # Do as the sibling does first.
    fixes = (share, own) if sibling.is_shared_line() else (own, share)
    return tuple(fix for fix in fixes if fix is not None)


def _function_for_mps(row: Row) -> str:
    """Return the name that PyTorch's habit gives to the row's MPS function."""
    cuda = row.function("CUDA") or row.function("CPU")
    if cuda is None:
        return row.name.replace(".", "_") + "_mps"
    for backend in ("cuda", "cpu"):
        if backend in cuda.text:
            return cuda.text.replace(backend, "mps")
    inplace = "_" if cuda.text.endswith("_") else ""
    return f"{cuda.text.removesuffix('_')}_mps{inplace}"


RULE = Rule(
    "missing-sibling-dispatch",
    Group.DISPATCH,
    Severity.WARNING,
    frozenset((Language.NATIVE_FUNCTIONS,)),
    check,
    __doc__ or "",
)
