"""A dispatch line names an MPS function that nothing defines.

## What it does
Checks that each host function that a row names for `MPS`, `SparseMPS` or `SparseCsrMPS` has a
definition: a free function, a `TORCH_IMPL_FUNC`, or one that a macro makes, in ATen's Objective-C++
or C++ sources.

## Why is this bad?
torchgen declares the function and calls it. The mistake shows as an undefined symbol when the
library is linked, on a Mac, at the end of the build.

## Example
```yaml aten/src/ATen/native/native_functions.yaml
- func: ripple(Tensor self) -> Tensor
  dispatch:
    MPS: riple_mps
```
```objcpp aten/src/ATen/native/mps/operations/Ripple.mm
Tensor ripple_mps(const Tensor& self) {
  return self;
}
```

## Use instead
```yaml aten/src/ATen/native/native_functions.yaml
- func: ripple(Tensor self) -> Tensor
  dispatch:
    MPS: ripple_mps
```
```objcpp aten/src/ATen/native/mps/operations/Ripple.mm
Tensor ripple_mps(const Tensor& self) {
  return self;
}
```

## Fix safety
The fix proposes the nearest name that is defined; it is unsafe because that is a guess.
"""

from collections.abc import Iterable, Iterator

from mkls.diagnostics.model import Diagnostic, FileEdit, Fix, Group, Related, Rule, Severity
from mkls.index.snapshot import Snapshot, Source
from mkls.index.undefined_names import UndefinedName, undefined_names
from mkls.text.document import Language
from mkls.text.edit import Edit
from mkls.text.span import Span


def check(snapshot: Snapshot, source: Source) -> Iterator[Diagnostic]:
    """Report each name of an MPS key that has no definition."""
    for found in undefined_names(snapshot, source.document.uri):
        yield Diagnostic(
            found.row.place(found.name.span),
            f"nothing defines `{found.name.symbol}`",
            related=tuple(_definitions(snapshot, found.close[:1])),
            fixes=() if found.is_shared else _spellings(found),
        )


def _definitions(snapshot: Snapshot, names: Iterable[str]) -> Iterator[Related]:
    for name in names:
        for function in snapshot.host.functions(name)[:1]:
            place = function.name_place
            yield Related(place.uri, place.span, f"`{name}` is defined here, and no row names it")


def _spellings(found: UndefinedName) -> tuple[Fix, ...]:
    end = found.row.place(found.name.span).end
    symbol = Span(end - len(found.name.symbol), end)
    return tuple(
        Fix(f"Change to `{it}`", (FileEdit(found.row.uri, Edit(symbol, it)),), safe=False)
        for it in found.close
    )


RULE = Rule(
    "undefined-dispatch-name",
    Group.DISPATCH,
    Severity.ERROR,
    frozenset((Language.NATIVE_FUNCTIONS,)),
    check,
    __doc__ or "",
)
