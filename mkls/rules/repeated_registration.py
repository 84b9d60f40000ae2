"""An extension registers the same operator twice.

## What it does
Reports a second `m.def` of an operator, and a second `m.impl` of it for the same dispatch key, in
one file. What stands between `#if` and `#endif` is left alone.

## Why is this bad?
A second definition fails when the library is loaded. Of two implementations, the last one counts,
with a warning that is easily missed.

## Example
```objcpp csrc/ops.mm
TORCH_LIBRARY(ripple, m) {
  m.def("scale(Tensor self, float factor) -> Tensor");
}
TORCH_LIBRARY_IMPL(ripple, MPS, m) {
  m.impl("scale", &scale_mps);
  m.impl("scale", &shift_mps);
}
```

## Use instead
```objcpp csrc/ops.mm
TORCH_LIBRARY(ripple, m) {
  m.def("scale(Tensor self, float factor) -> Tensor");
}
TORCH_LIBRARY_IMPL(ripple, MPS, m) {
  m.impl("scale", &scale_mps);
}
```

## Why no fix
Which of the two is meant, only the author knows.
"""

from collections.abc import Iterator

from mkls.diagnostics.model import Diagnostic, Group, Related, Rule, Severity
from mkls.index.custom_operators import repeated
from mkls.index.snapshot import Snapshot, Source
from mkls.text.document import Language


def check(snapshot: Snapshot, source: Source) -> Iterator[Diagnostic]:
    """Report what is registered a second time."""
    for first, second in repeated(snapshot, source.document.uri):
        impl, place = second.impl, first.place()
        what = "declared" if impl.defines else f"implemented for `{impl.dispatch_key or 'all'}`"
        yield Diagnostic(
            second.place().span,
            f"`{impl.operator.text}` is {what} already",
            related=(Related(place.uri, place.span, "the first time"),),
        )


RULE = Rule(
    "repeated-registration",
    Group.EXTENSION,
    Severity.ERROR,
    frozenset((Language.HOST, Language.CPP)),
    check,
    __doc__ or "",
)
