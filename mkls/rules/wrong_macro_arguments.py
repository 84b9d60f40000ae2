"""A registration gives its macro too few or too many arguments.

## What it does
Compares the arguments of each macro invocation between the functions of a Metal source with the
parameters of the macro. A macro that is defined in several ways is left alone.

## Why is this bad?
The source does not compile, on a Mac. A comma that is lost between two dtypes makes one argument
of them.

## Example
```metal aten/src/ATen/native/mps/kernels/Ripple.metal
template <typename T, typename U>
kernel void ripple(device U* out [[buffer(0)]], constant T* in [[buffer(1)]]) {
  out[0] = in[0];
}
#define REGISTER_RIPPLE(IN, OUT)                                                    \
  template [[host_name("ripple_" #OUT "_" #IN)]] kernel void ripple<IN, OUT>(       \
      device OUT* out, constant IN* in)
REGISTER_RIPPLE(float, float);
REGISTER_RIPPLE(long float);
```

## Use instead
```metal aten/src/ATen/native/mps/kernels/Ripple.metal
template <typename T, typename U>
kernel void ripple(device U* out [[buffer(0)]], constant T* in [[buffer(1)]]) {
  out[0] = in[0];
}
#define REGISTER_RIPPLE(IN, OUT)                                                    \
  template [[host_name("ripple_" #OUT "_" #IN)]] kernel void ripple<IN, OUT>(       \
      device OUT* out, constant IN* in)
REGISTER_RIPPLE(float, float);
REGISTER_RIPPLE(long, float);
```

## Fix safety
The fix puts a comma between two words that make one argument. It is unsafe: more may be missing.
"""

from collections.abc import Iterator

from mkls.diagnostics.model import Diagnostic, FileEdit, Fix, Group, Related, Rule, Severity
from mkls.index.broken_invocations import WrongCount, wrong_counts
from mkls.index.snapshot import Snapshot, Source
from mkls.text.document import Language
from mkls.text.edit import Edit
from mkls.text.span import Span


def check(snapshot: Snapshot, source: Source) -> Iterator[Diagnostic]:
    """Report each invocation in `source` with another number of arguments than its macro takes."""
    for found in wrong_counts(snapshot, source.document.uri):
        name = found.invocation.name
        plural = "" if found.wanted == 1 else "s"
        yield Diagnostic(
            name.span,
            f"`{name.text}` takes {found.wanted} argument{plural}, not {found.given}",
            related=(Related(found.place.uri, found.place.span, "the macro"),),
            fixes=_comma(source, found),
        )


def _comma(source: Source, found: WrongCount) -> tuple[Fix, ...]:
    """Offer a comma between two words that make one argument, if that is all that lacks."""
    pairs = [it for it in found.invocation.arguments or () if len(it.text.split()) == 2]
    if found.given + 1 != found.wanted or len(pairs) != 1:
        return ()
    start = pairs[0].span.start + len(pairs[0].text.split()[0])
    edit = FileEdit(source.document.uri, Edit(Span(start, start), ","))
    return (Fix("Separate the two words by a comma", (edit,), safe=False),)


RULE = Rule(
    "wrong-macro-arguments",
    Group.KERNEL_NAME,
    Severity.ERROR,
    frozenset((Language.METAL,)),
    check,
    __doc__ or "",
)
