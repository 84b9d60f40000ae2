r"""A registration spells a dtype otherwise than the host does when it makes the kernel's name.

## What it does
Reports C++'s names of types (`int64_t`, `uint8_t`, …) in the arguments of a registration macro that
makes them part of a host name. Names that host code spells in the same way are left alone.

## Why is this bad?
The macro puts the spelling itself into the name, and `scalarToMetalTypeString` says `long`, `uchar`
and so on. The kernel is compiled, and nobody ever finds it.

## Example
```metal kernels/Index.metal
template <typename T>
kernel void index(constant T* input [[buffer(0)]], device T* output [[buffer(1)]]) {
  output[0] = input[0];
}
#define REGISTER_INDEX(DTYPE) \
  template [[host_name("index_" #DTYPE)]] kernel void \
  index<DTYPE>(constant DTYPE* input, device DTYPE* output)
REGISTER_INDEX(int);
REGISTER_INDEX(int64_t);
```

## Use instead
```metal kernels/Index.metal
template <typename T>
kernel void index(constant T* input [[buffer(0)]], device T* output [[buffer(1)]]) {
  output[0] = input[0];
}
#define REGISTER_INDEX(DTYPE) \
  template [[host_name("index_" #DTYPE)]] kernel void \
  index<DTYPE>(constant DTYPE* input, device DTYPE* output)
REGISTER_INDEX(int);
REGISTER_INDEX(long);
```

## Fix safety
The fix replaces the spelling by Metal's. Both name one type.
"""

from collections.abc import Iterator

from mkls.diagnostics.model import Diagnostic, FileEdit, Fix, Group, Rule, Severity
from mkls.index.dtype_mistakes import misspelt_dtypes
from mkls.index.snapshot import Snapshot, Source
from mkls.text.document import Language
from mkls.text.edit import Edit


def check(snapshot: Snapshot, source: Source) -> Iterator[Diagnostic]:
    """Report each misspelt dtype that stands in `source`."""
    uri = source.document.uri
    for found in misspelt_dtypes(snapshot, uri):
        span = found.argument.place.span
        yield Diagnostic(
            span,
            f"host names spell `{found.argument.text}` as `{found.spelling}`: "
            f"nothing asks for `{found.host_name}`",
            fixes=(
                Fix(
                    f"Change to `{found.spelling}`",
                    (FileEdit(uri, Edit(span, found.spelling)),),
                ),
            ),
        )


RULE = Rule(
    "misspelt-dtype-token",
    Group.KERNEL_NAME,
    Severity.ERROR,
    frozenset((Language.METAL,)),
    check,
    __doc__ or "",
)
