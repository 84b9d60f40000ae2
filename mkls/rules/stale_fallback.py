"""An operator with an MPS kernel is registered a second time in a `TORCH_LIBRARY_IMPL` block.

## What it does
Reports `m.impl("operator", …)` in `TORCH_LIBRARY_IMPL(aten, MPS, m)` when the operator's row in
`native_functions.yaml`, or the structured out row that it delegates to, lists MPS.

## Why is this bad?
The dispatcher holds one kernel for each operator and dispatch key, and the last registration wins,
in an order that nobody chose. Where `MPSFallback.mm` sends the operator to the CPU, the new kernel
may never run.

## Example
```yaml aten/src/ATen/native/native_functions.yaml
- func: ripple_(Tensor(a!) self) -> Tensor(a!)
  dispatch:
    CPU: ripple_cpu_
    MPS: ripple_mps_
```
```objcpp aten/src/ATen/native/mps/operations/Ripple.mm
Tensor& ripple_mps_(Tensor& self) {
  return self;
}
```
```objcpp aten/src/ATen/mps/MPSFallback.mm
TORCH_LIBRARY_IMPL(aten, MPS, m) {
  m.impl("ripple_", torch::CppFunction::makeFromBoxedFunction<&mps_fallback>());
  m.impl("surge", torch::CppFunction::makeFromBoxedFunction<&mps_fallback>());
}
```

## Use instead
```yaml aten/src/ATen/native/native_functions.yaml
- func: ripple_(Tensor(a!) self) -> Tensor(a!)
  dispatch:
    CPU: ripple_cpu_
    MPS: ripple_mps_
```
```objcpp aten/src/ATen/native/mps/operations/Ripple.mm
Tensor& ripple_mps_(Tensor& self) {
  return self;
}
```
```objcpp aten/src/ATen/mps/MPSFallback.mm
TORCH_LIBRARY_IMPL(aten, MPS, m) {
  m.impl("surge", torch::CppFunction::makeFromBoxedFunction<&mps_fallback>());
}
```

## Fix safety
The fix is unsafe: it changes what runs, from whichever kernel won to that of the row.
"""

from collections.abc import Iterator

from mkls.diagnostics.model import Diagnostic, FileEdit, Fix, Group, Related, Rule, Severity
from mkls.index.operators import MPS, Row
from mkls.index.place import Place
from mkls.index.resolution import has_native_kernel
from mkls.index.snapshot import Snapshot, Source
from mkls.text.document import Language
from mkls.text.edit import Edit
from mkls.text.line_index import LineIndex
from mkls.text.span import Span


def check(snapshot: Snapshot, source: Source) -> Iterator[Diagnostic]:
    """Report each registration whose operator has a kernel of its own."""
    for operator, impls in snapshot.host.library_impls.items():
        places = [place for place, _ in impls if place.uri == source.document.uri]
        row = snapshot.operators.row(operator) if places else None
        if row is None or not has_native_kernel(snapshot.operators, row):
            continue
        listing = _listing(snapshot, row)
        for place, impl in impls:
            if place in places:
                yield Diagnostic(
                    # Which is relative to its item, as the whole is.
                    impl.operator.span.shifted(place.span.start - impl.span.start),
                    f"`{listing.name}` has an MPS kernel, which this replaces or repeats",
                    related=(
                        Related(listing.uri, listing.key_span(MPS) or listing.name_span, "listed"),
                    ),
                    fixes=_fixes(place, source.document.lines),
                )


def _listing(snapshot: Snapshot, row: Row) -> Row:
    """Return the row that lists MPS: `row`, or what it delegates to."""
    return row if row.line(MPS) else snapshot.operators.delegate(row) or row


def _fixes(place: Place, lines: LineIndex) -> tuple[Fix, ...]:
    """Return the fix that deletes the lines of a registration."""
    start, end = lines.line(place.span.start), lines.line(place.span.end)
    if end + 1 >= len(lines.starts):
        return ()
    span = Span(lines.starts[start], lines.starts[end + 1])
    return (Fix("Delete this registration", (FileEdit(place.uri, Edit(span, "")),), safe=False),)


RULE = Rule(
    "stale-fallback",
    Group.DISPATCH,
    Severity.WARNING,
    frozenset((Language.HOST, Language.CPP)),
    check,
    __doc__ or "",
)
