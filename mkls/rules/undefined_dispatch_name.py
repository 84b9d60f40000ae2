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

from collections.abc import Iterator
from difflib import get_close_matches

from mkls.diagnostics.model import Diagnostic, FileEdit, Fix, Group, Rule, Severity
from mkls.facts.model.native_functions import HostFunctionName
from mkls.index.links import MPS_KEYS, has_host_code, named_functions
from mkls.index.operators import Row
from mkls.index.snapshot import Snapshot, Source
from mkls.text.document import Language
from mkls.text.edit import Edit
from mkls.text.span import Span


def check(snapshot: Snapshot, source: Source) -> Iterator[Diagnostic]:
    """Report each name of an MPS key that has no definition."""
    if not has_host_code(snapshot):
        return
    for row in snapshot.operators.rows_in.get(source.document.uri, ()):
        for line in row.entry.dispatch:
            name = line.function
            for_mps = any(key.text in MPS_KEYS for key in line.keys)
            if for_mps and name and name.symbol and not snapshot.host.functions(name.symbol):
                yield Diagnostic(
                    row.place(name.span),
                    f"nothing defines `{name.symbol}`",
                    # Other backends may define the name of a shared line.
                    fixes=() if line.is_shared else _spellings(snapshot, row, name),
                )


def _spellings(snapshot: Snapshot, row: Row, name: HostFunctionName) -> tuple[Fix, ...]:
    free = [it for it in snapshot.host.names if it not in named_functions(snapshot)]
    span = row.place(name.span)
    symbol = Span(span.end - len(name.symbol), span.end)
    return tuple(
        Fix(f"Change to `{close}`", (FileEdit(row.uri, Edit(symbol, close)),), safe=False)
        for close in get_close_matches(name.symbol, free, n=3, cutoff=0.75)
    )


RULE = Rule(
    "undefined-dispatch-name",
    Group.DISPATCH,
    Severity.ERROR,
    frozenset((Language.NATIVE_FUNCTIONS,)),
    check,
    __doc__ or "",
)
