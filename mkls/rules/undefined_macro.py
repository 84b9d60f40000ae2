"""A Metal source registers kernels by a macro that nothing defines.

## What it does
Reports invocations between the functions of a Metal source, in capitals, of what neither the source
nor its headers define as a macro. While a header is not at hand, nothing is reported.

## Why is this bad?
The source does not compile, on a Mac; and until it does, nothing is known of the kernels that the
line was to make.

## Example
```metal aten/src/ATen/native/mps/kernels/Ripple.metal
template <typename T>
kernel void ripple(device T* out [[buffer(0)]]) {
  out[0] = 0;
}
#define REGISTER_RIPPLE(DTYPE) \
  template [[host_name("ripple_" #DTYPE)]] kernel void ripple<DTYPE>(device DTYPE* out)
REGISTER_RIPPLE(float);
REGISTER_RIPPEL(half);
```

## Use instead
```metal aten/src/ATen/native/mps/kernels/Ripple.metal
template <typename T>
kernel void ripple(device T* out [[buffer(0)]]) {
  out[0] = 0;
}
#define REGISTER_RIPPLE(DTYPE) \
  template [[host_name("ripple_" #DTYPE)]] kernel void ripple<DTYPE>(device DTYPE* out)
REGISTER_RIPPLE(float);
REGISTER_RIPPLE(half);
```

## Fix safety
The fix proposes the macro with the nearest name; it is unsafe because that is a guess.
"""

from collections.abc import Iterator

from mkls.diagnostics.model import Diagnostic, FileEdit, Fix, Group, Rule, Severity
from mkls.index.broken_invocations import undefined_macros
from mkls.index.snapshot import Snapshot, Source
from mkls.text.document import Language
from mkls.text.edit import Edit


def check(snapshot: Snapshot, source: Source) -> Iterator[Diagnostic]:
    """Report each invocation in `source` of what is no macro."""
    uri = source.document.uri
    for found in undefined_macros(snapshot, uri):
        name = found.invocation.name
        yield Diagnostic(
            name.span,
            f"nothing defines the macro `{name.text}`",
            fixes=tuple(
                Fix(f"Change to `{it}`", (FileEdit(uri, Edit(name.span, it)),), safe=False)
                for it in found.close
            ),
        )


RULE = Rule(
    "undefined-macro",
    Group.KERNEL_NAME,
    Severity.ERROR,
    frozenset((Language.METAL,)),
    check,
    __doc__ or "",
)
