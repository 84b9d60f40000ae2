r"""The two dtypes of a kernel's name stand in each other's place.

## What it does
Reports a registration whose two dtypes fit those of its neighbours only when they are swapped, and
a lookup that names the output's and the input's dtype in another order than its kernels do.

## Why is this bad?
Registration macros take the input's dtype first and put the output's first into the name; some take
them the other way round. Swapped, the kernel is there under a name that nobody asks for.

## Example
```metal kernels/Search.metal
template <typename T, typename I>
kernel void search(constant T* input [[buffer(0)]], device I* output [[buffer(1)]]) {
  output[0] = I(input[0]);
}
#define REGISTER_SEARCH(INPUT, OUTPUT) \
  template [[host_name("search_" #INPUT "_" #OUTPUT)]] kernel void \
  search<INPUT, OUTPUT>(constant INPUT* input, device OUTPUT* output)
REGISTER_SEARCH(float, long);
REGISTER_SEARCH(long, half);
REGISTER_SEARCH(bfloat, long);
```

## Use instead
```metal kernels/Search.metal
template <typename T, typename I>
kernel void search(constant T* input [[buffer(0)]], device I* output [[buffer(1)]]) {
  output[0] = I(input[0]);
}
#define REGISTER_SEARCH(INPUT, OUTPUT) \
  template [[host_name("search_" #INPUT "_" #OUTPUT)]] kernel void \
  search<INPUT, OUTPUT>(constant INPUT* input, device OUTPUT* output)
REGISTER_SEARCH(float, long);
REGISTER_SEARCH(half, long);
REGISTER_SEARCH(bfloat, long);
```

## Fix safety
The fix swaps the two. It is unsafe because the other order may be meant.
"""

from collections.abc import Iterator

from mkls.diagnostics.model import Diagnostic, FileEdit, Fix, Group, Related, Rule, Severity
from mkls.index.dtype_mistakes import Swapped, SwappedLookup, swapped_dtypes, swapped_lookups
from mkls.index.inline_shaders import real_place
from mkls.index.snapshot import Snapshot, Source
from mkls.text.document import Language
from mkls.text.edit import Edit
from mkls.text.span import Span


def check(snapshot: Snapshot, source: Source) -> Iterator[Diagnostic]:
    """Report swapped dtypes in registrations and in lookups."""
    uri = source.document.uri
    if source.document.language is Language.METAL:
        yield from map(_registration, swapped_dtypes(snapshot, uri))
    else:
        yield from map(_lookup, swapped_lookups(snapshot, uri))


def _registration(found: Swapped) -> Diagnostic:
    first, second = found.first, found.second
    uri = first.place.uri
    edits = (
        FileEdit(uri, Edit(first.place.span, second.text)),
        FileEdit(second.place.uri, Edit(second.place.span, first.text)),
    )
    return Diagnostic(
        Span(first.place.span.start, second.place.span.end)
        if uri == second.place.uri
        else found.step.place.span,
        f"`{first.text}, {second.text}` makes `{found.host_name}`: the others have the order "
        f"of `{found.usual}`",
        fixes=(Fix("Swap the two dtypes", edits, safe=False),),
    )


def _lookup(found: SwappedLookup) -> Diagnostic:
    kernel = real_place(found.kernel.uri, found.kernel.span)
    return Diagnostic(
        found.place.span,
        f"the dtypes stand in the other order in `{found.kernel.host_name}`",
        related=(Related(kernel.uri, kernel.span, "a kernel that is meant"),),
    )


RULE = Rule(
    "swapped-dtype-order",
    Group.KERNEL_NAME,
    Severity.WARNING,
    frozenset((Language.METAL, Language.HOST)),
    check,
    __doc__ or "",
)
