"""A definition does not fit the row that dispatches to it.

## What it does
Looks at the definitions in Objective-C++ files that rows name for `MPS`. Reports a structured row's
function that is no `TORCH_IMPL_FUNC`, a `TORCH_IMPL_FUNC` of a row that is not structured, and
parameters that are not those of the row's schema: their number, and their types as far as no alias
can be meant. For a structured row, `precomputed` is taken into account. Where a definition fits
one of the rows that name it, it reports the other rows.

## Why is this bad?
torchgen declares what the row says. A definition of another shape defines something else: it does
not compile, or the declared function is missing when the library is linked, on a Mac.

## Example
```yaml aten/src/ATen/native/native_functions.yaml
- func: ripple.out(Tensor self, int step, *, Tensor(a!) out) -> Tensor(a!)
  structured: True
  dispatch:
    CPU: ripple_out
    MPS: ripple_out_mps
```
```objcpp aten/src/ATen/native/mps/operations/Ripple.mm
TORCH_IMPL_FUNC(ripple_out_mps)(const Tensor& self, int step, const Tensor& out) {
  run(self, out);
}
```

## Use instead
```yaml aten/src/ATen/native/native_functions.yaml
- func: ripple.out(Tensor self, int step, *, Tensor(a!) out) -> Tensor(a!)
  structured: True
  dispatch:
    CPU: ripple_out
    MPS: ripple_out_mps
```
```objcpp aten/src/ATen/native/mps/operations/Ripple.mm
TORCH_IMPL_FUNC(ripple_out_mps)(const Tensor& self, int64_t step, const Tensor& out) {
  run(self, out);
}
```

## Fix safety
The fix writes the type that the row asks for, or names the function that was meant. It is unsafe:
the row may be what is wrong. What is missing, or too much, is for you to add or to remove.
"""

from collections.abc import Iterator

from mkls.diagnostics.model import Diagnostic, FileEdit, Fix, Group, Related, Rule, Severity
from mkls.index.implementation_parameters import (
    Misnamed,
    Wrong,
    misnamed_rows,
    wrong_implementations,
)
from mkls.index.operators import MPS, Row
from mkls.index.snapshot import Snapshot, Source
from mkls.text.document import Language
from mkls.text.edit import Edit
from mkls.text.span import Span


def check(snapshot: Snapshot, source: Source) -> Iterator[Diagnostic]:
    """Report each definition in `source` that fits no row which names it, and misnamed rows."""
    for misnamed in misnamed_rows(snapshot, source.document.uri):
        yield _of_row(misnamed)
    for wrong in wrong_implementations(snapshot, source.document.uri):
        yield Diagnostic(
            _span(wrong),
            _message(wrong),
            related=(Related(wrong.row.uri, _listed(wrong.row), "dispatched to from here"),),
            fixes=_fixes(wrong),
        )


def _of_row(misnamed: Misnamed) -> Diagnostic:
    """Report where a row names a function that is right for other rows."""
    row, function = misnamed.wrong.row, misnamed.wrong.function
    fixes = tuple(
        Fix(
            f"Change to `{it.name.text}`",
            (FileEdit(row.uri, Edit(_listed(row), it.name.text)),),
            safe=False,
        )
        for it in misnamed.meant[:1]
    )
    place = function.name_place
    return Diagnostic(
        _listed(row),
        f"`{function.name.text}` fits other rows that name it, but not `{row.name}`",
        related=(Related(place.uri, place.span, _message(misnamed.wrong)),),
        fixes=fixes,
    )


def _span(wrong: Wrong) -> Span:
    """Return the parameter that differs, else the name; of a macro-made one always the name."""
    if wrong.parameter is None or wrong.function.macro:
        return wrong.function.name_place.span
    return wrong.function.stated.place(wrong.parameter.span).span


def _listed(row: Row) -> Span:
    function = row.function(MPS)
    return row.place(function.span) if function else row.name_span


def _message(wrong: Wrong) -> str:
    row, function = wrong.row, wrong.function
    if wrong.is_kind:
        if row.entry.structured:
            return f"`{row.name}` is structured: its implementation is a `TORCH_IMPL_FUNC`"
        return f"`{row.name}` is not structured: its implementation is a plain function"
    if wrong.parameter is None or wrong.index is None:
        count = len(function.function.parameters) if function.function else 0
        wanted = len(wrong.expected)
        return f"`{function.name.text}` has {count} parameters, `{row.name}` asks for {wanted}"
    wanted = wrong.expected[wrong.index]
    return f"`{row.name}` asks for `{wanted}` here, not `{wrong.parameter.type}`"


def _fixes(wrong: Wrong) -> tuple[Fix, ...]:
    parameter = wrong.parameter
    if parameter is None or wrong.index is None or wrong.function.macro or parameter.default:
        return ()
    wanted = wrong.expected[wrong.index]
    edit = Edit(_span(wrong), f"{wanted} {parameter.name}".rstrip())
    return (Fix(f"Change to `{wanted}`", (FileEdit(wrong.function.uri, edit),), safe=False),)


RULE = Rule(
    "implementation-kind-mismatch",
    Group.DISPATCH,
    Severity.ERROR,
    frozenset((Language.HOST, Language.CPP, Language.NATIVE_FUNCTIONS)),
    check,
    __doc__ or "",
)
