"""Two kernels of the library have one host name.

## What it does
Reports a kernel whose host name was given before, in the same Metal source or, below PyTorch's
`native/mps/kernels`, in another one, by hand or by a registration macro, for the same version of
Metal.

## Why is this bad?
All Metal sources of PyTorch are linked into one library, in which a name means one function. At
best the link fails, on a Mac; at worst the kernel that wins is the other one. Registration macros
make several names at once, some from the input's dtype alone: register each pair of operator and
input dtype once.

## Example
```metal aten/src/ATen/native/mps/kernels/Cross.metal
template <typename T>
kernel void cross(device T* out [[buffer(0)]]) {
  out[0] = 1;
}
#define REGISTER_CROSS_OP(T) template [[host_name("cross_" #T)]] kernel void cross<T>(device T*)

REGISTER_CROSS_OP(float);
REGISTER_CROSS_OP(float);
REGISTER_CROSS_OP(half);
```

## Use instead
```metal aten/src/ATen/native/mps/kernels/Cross.metal
template <typename T>
kernel void cross(device T* out [[buffer(0)]]) {
  out[0] = 1;
}
#define REGISTER_CROSS_OP(T) template [[host_name("cross_" #T)]] kernel void cross<T>(device T*)

REGISTER_CROSS_OP(float);
REGISTER_CROSS_OP(half);
```

## Fix safety
The fix removes a registration that says once more what another one says; it is safe. Of kernels
that differ, it is for you to decide which gets another name.
"""

from collections.abc import Iterator

from mkls.diagnostics.model import Diagnostic, FileEdit, Fix, Group, Related, Rule, Severity
from mkls.index.accused_registrations import is_accused
from mkls.index.kernels_link import Kernel
from mkls.index.place import Place
from mkls.index.snapshot import Snapshot, Source
from mkls.text.document import Language
from mkls.text.edit import Edit
from mkls.text.span import Span

_BUNDLED = "/native/mps/kernels/"
"""Below this folder, all sources make one library."""


def check(snapshot: Snapshot, source: Source) -> Iterator[Diagnostic]:
    """Report each registration in `source` that repeats an earlier one."""
    repeated: dict[Span, list[tuple[Kernel, Kernel]]] = {}
    for kernels in snapshot.kernels.duplicates.values():
        if any(is_accused(snapshot, it) for it in kernels):
            continue
        first, *others = sorted(kernels, key=_place)
        for other in others:
            is_here = other.uri == source.document.uri and _place(other) != _place(first)
            if is_here and _in_one_library(first, other):
                repeated.setdefault(other.span, []).append((first, other))
    for pairs in repeated.values():
        yield _diagnostic(source, pairs)


def _place(kernel: Kernel) -> Place:
    return Place(kernel.uri, kernel.span)


def _in_one_library(one: Kernel, other: Kernel) -> bool:
    """Whether two kernels are linked together: outside of PyTorch, a file is a library."""
    return one.unit == other.unit or all(_BUNDLED in it.unit for it in (one, other))


def _diagnostic(source: Source, pairs: list[tuple[Kernel, Kernel]]) -> Diagnostic:
    first, other = pairs[0]
    more = len({again.host_name for _, again in pairs}) - 1
    and_more = f" (and {more} more)" if more else ""
    return Diagnostic(
        other.name_span or other.span,
        f"another kernel has the host name `{other.host_name}`{and_more}",
        related=(Related(first.uri, first.span, "the other one"),),
        fixes=_removal(source, first, other),
    )


def _removal(source: Source, first: Kernel, other: Kernel) -> tuple[Fix, ...]:
    """Offer to remove a macro invocation that says the same once more."""
    again = (first.macro, first.macro_arguments) == (other.macro, other.macro_arguments)
    if not other.macro or not again:
        return ()
    text, span = source.document.text, other.span
    end = span.end + 1 if text[span.end : span.end + 1] == ";" else span.end
    line_start = text.rfind("\n", 0, span.start) + 1
    line_end = text.find("\n", end) + 1
    if not text[line_start : span.start].strip() and line_end and not text[end:line_end].strip():
        span = Span(line_start, line_end)
    else:
        span = Span(span.start, end)
    edit = FileEdit(other.uri, Edit(span, ""))
    return (Fix("Remove the second registration", (edit,)),)


RULE = Rule(
    "duplicate-host-name",
    Group.KERNEL_NAME,
    Severity.ERROR,
    frozenset((Language.METAL,)),
    check,
    __doc__ or "",
)
