r"""A kernel is registered for some dtypes but not for another that it is asked for.

## What it does
Compares the dtypes that the host lets pass (`AT_DISPATCH_…`, `TORCH_CHECK` and `if` on the dtype)
with those for which the kernel is registered, and the registrations with each other: half where
float and bfloat are there, float where half is, one dtype that all other operators of the source's
own macro have. Only names that the host may ask for count. Where nothing but float and half are
registered, the lack of bfloat is only noted.

## Why is this bad?
The kernel's name is made from the dtype when the operator runs. Without the registration it ends in
"Failed to create function state object for: …", for this one dtype only, and on a Mac only.

## Example
```metal kernels/Trace.metal
template <typename T>
kernel void trace(constant T* input [[buffer(0)]], device T* output [[buffer(1)]]) {
  output[0] = input[0];
}
#define REGISTER_TRACE(DTYPE) \
  template [[host_name("trace_" #DTYPE)]] kernel void \
  trace<DTYPE>(constant DTYPE* input, device DTYPE* output)
REGISTER_TRACE(float);
REGISTER_TRACE(bfloat);
```
```objcpp operations/Trace.mm
void trace(const Tensor& self) {
  lib.getPipelineStateForFunc("trace_" + scalarToMetalTypeString(self));
}
```

## Use instead
```metal kernels/Trace.metal
template <typename T>
kernel void trace(constant T* input [[buffer(0)]], device T* output [[buffer(1)]]) {
  output[0] = input[0];
}
#define REGISTER_TRACE(DTYPE) \
  template [[host_name("trace_" #DTYPE)]] kernel void \
  trace<DTYPE>(constant DTYPE* input, device DTYPE* output)
REGISTER_TRACE(float);
REGISTER_TRACE(half);
REGISTER_TRACE(bfloat);
```
```objcpp operations/Trace.mm
void trace(const Tensor& self) {
  lib.getPipelineStateForFunc("trace_" + scalarToMetalTypeString(self));
}
```

## Fix safety
The fix adds the registration where it belongs among those of its kind. It is unsafe: the functor
may not take the dtype, in which case the host should refuse it.
"""

from collections.abc import Iterator

from mkls.diagnostics.model import Diagnostic, FileEdit, Fix, Group, Related, Rule, Severity
from mkls.index.dtype_domains import lacking_dtypes
from mkls.index.dtype_families import MissingDtype, insertion_line, last_member
from mkls.index.near_names import idle_kernels
from mkls.index.place import Place
from mkls.index.snapshot import Snapshot, Source
from mkls.text.document import Language
from mkls.text.edit import Edit

_MOST_RELATED = 12


def check(snapshot: Snapshot, source: Source) -> Iterator[Diagnostic]:
    """Report each registration that the source lacks, at the last one like it."""
    here = source.document.uri
    for uri, found in lacking_dtypes(snapshot).items():
        for missing in found:
            last = last_member(missing.family)
            if here == (last.uri if last.uri in snapshot.sources else uri):
                yield _diagnostic(snapshot, missing, last)


def _diagnostic(snapshot: Snapshot, missing: MissingDtype, last: Place) -> Diagnostic:
    needed = f": `{missing.text}` is missing" if missing.text else ""
    places = sorted(it.step.place for it in missing.family.members.values())
    line = insertion_line(snapshot, missing)
    here = (Related(line.uri, line.span, "it would stand here"),) if line else ()
    return Diagnostic(
        last.span,
        f"no kernel `{missing.host_name}`{needed}",
        related=(
            *here,
            *_misspelt(snapshot, missing),
            *(
                Related(it.uri, it.span, "registered for another dtype")
                for it in places[-_MOST_RELATED:]
                if it != last
            ),
        ),
        fixes=_addition(snapshot, missing, last, line),
        severity=None if missing.certain else Severity.INFORMATION,
    )


def _misspelt(snapshot: Snapshot, missing: MissingDtype) -> Iterator[Related]:
    for kernel in () if missing.text else idle_kernels(snapshot, missing.host_name):
        yield Related(kernel.uri, kernel.span, "nothing asks for this name")


def _addition(
    snapshot: Snapshot, missing: MissingDtype, last: Place, line: Place | None
) -> tuple[Fix, ...]:
    text = snapshot.sources[last.uri].document.text
    start = text.rfind("\n", 0, last.span.start) + 1
    indent = text[start : last.span.start]
    ends = text[last.span.end : last.span.end + 1] == ";"
    whole_line = text[last.span.end + ends :][:1] in ("", "\n", "\r")
    if line is None or not missing.text or indent.strip() or not whole_line:
        return ()
    added = f"{indent}{missing.text}{';' if ends else ''}\n"
    if text[line.span.start - 1 : line.span.start] != "\n":
        added = f"\n{added}"
    edit = FileEdit(line.uri, Edit(line.span, added))
    return (Fix(f"Add `{missing.text}`", (edit,), safe=False),)


RULE = Rule(
    "missing-dtype-registration",
    Group.KERNEL_NAME,
    Severity.WARNING,
    frozenset((Language.METAL,)),
    check,
    __doc__ or "",
)
