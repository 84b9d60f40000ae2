"""An explicit instantiation says something else than its template.

## What it does
Compares an explicit instantiation with the template of the same name: how many template arguments
it has, how many parameters, their types and address spaces with the template's arguments put in,
and, where both write them, the attributes (`[[buffer(1)]]`, `[[thread_position_in_grid]]`). What
has a default or follows from the parameters need not be given.

## Why is this bad?
With other parameters nothing is instantiated: the Metal source does not compile, on a Mac. With
other attributes it depends on the compiler which of the two counts, and readers are misled.

## Example
```metal kernels/Rows.metal
template <typename T>
kernel void rows(
    constant T* input [[buffer(0)]],
    device T* output [[buffer(1)]],
    uint row [[threadgroup_position_in_grid]]) {
  output[row] = input[row];
}
template [[host_name("rows_float")]] kernel void rows<float>(
    constant float* input [[buffer(0)]],
    device float* output [[buffer(1)]],
    uint row [[thread_position_in_grid]]);
```

## Use instead
```metal kernels/Rows.metal
template <typename T>
kernel void rows(
    constant T* input [[buffer(0)]],
    device T* output [[buffer(1)]],
    uint row [[threadgroup_position_in_grid]]) {
  output[row] = input[row];
}
template [[host_name("rows_float")]] kernel void rows<float>(
    constant float* input [[buffer(0)]],
    device float* output [[buffer(1)]],
    uint row [[threadgroup_position_in_grid]]);
```

## Fix safety
The fix says what the template says. It is unsafe: the template may be what is wrong.
"""

from collections.abc import Iterator

from mkls.diagnostics.model import Diagnostic, FileEdit, Fix, Group, Related, Rule, Severity
from mkls.index.instantiations import COUNTS, Deviation, deviations, wrong_words
from mkls.index.snapshot import Snapshot, Source
from mkls.text.document import Language
from mkls.text.edit import Edit


def check(snapshot: Snapshot, source: Source) -> Iterator[Diagnostic]:
    """Report each instantiation of `source` that deviates from its template."""
    for found in deviations(snapshot, source.document.uri):
        yield _diagnostic(snapshot, found)


def _diagnostic(snapshot: Snapshot, found: Deviation) -> Diagnostic:
    if found.what in COUNTS:
        verb = "has" if found.what == "parameters" else "takes"
        function = found.kernel.function
        said = f"`{function}` {verb} {found.wanted} {found.what}, not {found.given}"
    else:
        said = f"{found.what} is `{found.wanted}` in the template, not `{found.given}`"
    template = found.template
    related = [Related(template.uri, template.span, "the template")]
    if found.written is not None:
        related.append(Related(found.written.uri, found.written.span, "what is instantiated"))
    return Diagnostic(found.place.span, said, related=tuple(related), fixes=_fixes(snapshot, found))


def _fixes(snapshot: Snapshot, found: Deviation) -> tuple[Fix, ...]:
    place = wrong_words(snapshot, found)
    if place is None or not found.wanted:
        return ()
    edit = FileEdit(place.uri, Edit(place.span, found.wanted))
    return (Fix(f"Change to `{found.wanted}`", (edit,), safe=False),)


RULE = Rule(
    "instantiation-mismatch",
    Group.KERNEL_NAME,
    Severity.ERROR,
    frozenset((Language.METAL,)),
    check,
    __doc__ or "",
    in_strings=True,
)
