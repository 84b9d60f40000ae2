"""No row dispatches to an MPS implementation.

## What it does
Reports a `TORCH_IMPL_FUNC` in an Objective-C++ file whose name no row of `native_functions.yaml`
dispatches to; and a function that is named as rows name them (`x_mps`, `x_out_mps`), that other
files can call, and that neither a row nor any host code mentions.

## Why is this bad?
`TORCH_IMPL_FUNC(x)` defines a member of a struct that torchgen declares only for names in the YAML:
without a row the file does not compile. It is what a migration leaves behind, or a row that was
forgotten. A free function compiles, and is dead code.

## Example
```yaml aten/src/ATen/native/native_functions.yaml
- func: ripple.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)
  structured: True
  dispatch:
    CPU, CUDA: ripple_out
```
```objcpp aten/src/ATen/native/mps/operations/Ripple.mm
TORCH_IMPL_FUNC(ripple_out_mps)(const Tensor& self, const Tensor& result) {
  run(self, result);
}
```

## Use instead
```yaml aten/src/ATen/native/native_functions.yaml
- func: ripple.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)
  structured: True
  dispatch:
    CPU, CUDA: ripple_out
    MPS: ripple_out_mps
```
```objcpp aten/src/ATen/native/mps/operations/Ripple.mm
TORCH_IMPL_FUNC(ripple_out_mps)(const Tensor& self, const Tensor& result) {
  run(self, result);
}
```

## Fix safety
The fix dispatches to the function from the one row that it fits and is named after. It is unsafe:
the function may be what a migration left over, and is to be removed.
"""

from collections.abc import Iterator

from mkls.diagnostics.model import Diagnostic, FileEdit, Fix, Group, Related, Rule, Severity
from mkls.facts.model.native_functions import NativeFunctionsFacts
from mkls.index.dispatch_edits import new_line
from mkls.index.groups import is_left_out
from mkls.index.host_documents import HostFunction
from mkls.index.implementation_parameters import fits, functions_meant_instead
from mkls.index.links import has_rows, named_functions
from mkls.index.mentions import rows_like_function, unmentioned_functions
from mkls.index.operators import MPS, Row
from mkls.index.snapshot import Snapshot, Source
from mkls.index.undefined_names import meant_functions
from mkls.index.unregistered import claimed_functions, is_without_stub, misspelt_functions
from mkls.text.document import Language
from mkls.text.span import Span


def check(snapshot: Snapshot, source: Source) -> Iterator[Diagnostic]:
    """Report each implementation in `source` that no row names.

    One that a misspelt row means is that row's mistake.
    """
    if not has_rows(snapshot):
        return
    uri = source.document.uri
    meant = meant_functions(snapshot) | misspelt_functions(snapshot, uri)
    meant |= functions_meant_instead(snapshot)
    claimed = claimed_functions(snapshot)
    for function in snapshot.host.orphans_in(uri, named_functions(snapshot) | meant):
        yield from _diagnostics(snapshot, function, "")
    for function in unmentioned_functions(snapshot, uri):
        if function.name.text not in meant and function.name_place not in claimed:
            yield from _diagnostics(snapshot, function, ", and nothing calls it")


def _diagnostics(snapshot: Snapshot, function: HostFunction, remark: str) -> Iterator[Diagnostic]:
    """Yield the diagnostic, unless a row that may be meant to name it is a mistake of its own."""
    name = function.name.text
    rows = rows_like_function(snapshot, name)
    left_out = (row for row in rows if is_left_out(snapshot.operators, row))
    if any(row.entry.problems for row in rows) or any(fits(row, function) for row in left_out):
        return
    if any(is_without_stub(snapshot, row) for row in rows):
        return
    yield Diagnostic(
        function.name_place.span,
        f"no row dispatches to `{name}`{remark}",
        related=tuple(
            Related(row.uri, _dispatch_of(row), f"`{row.name}` may be meant to") for row in rows
        ),
        fixes=_fixes(snapshot, function, rows),
        unnecessary=True,
    )


def _fixes(snapshot: Snapshot, function: HostFunction, rows: list[Row]) -> tuple[Fix, ...]:
    """Offer a line in the one row that lacks MPS and that the function fits."""
    own = [row for row in rows if row.line("CPU") and not row.line(MPS) and fits(row, function)]
    facts = snapshot.sources[own[0].uri].facts if len(own) == 1 else None
    if not isinstance(facts, NativeFunctionsFacts):
        return ()
    edit = FileEdit(own[0].uri, new_line(own[0], MPS, function.name.text, facts.newline))
    return (Fix(f"Dispatch to it from `{own[0].name}`", (edit,), safe=False),)


def _dispatch_of(row: Row) -> Span:
    dispatch = row.entry.key("dispatch")
    return row.place(dispatch.lines) if dispatch else row.name_span


RULE = Rule(
    "orphan-implementation",
    Group.DISPATCH,
    Severity.WARNING,
    frozenset((Language.HOST,)),
    check,
    __doc__ or "",
)
