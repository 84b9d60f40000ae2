"""A kernel for an iterator is launched without asking whether 32 bits suffice.

## What it does
Reports a launch in a function that takes a `TensorIterator`, binds its tensors, and nowhere asks
for 32-bit indexing.

## Why is this bad?
Positions in a grid are 32 bits wide. Beyond 2^32 elements, the launch leaves some out or fails with
"Can't be indexed using 32-bit iterator".

## Example
```objcpp operations/Scale.mm
void scale(TensorIteratorBase& iter) {
  bind_iter_tensors(encoder, iter);
  mtl_dispatch1DJob(encoder, pipeline, iter.numel());
}
```

## Use instead
```objcpp operations/Scale.mm
void scale(TensorIteratorBase& iter) {
  TORCH_CHECK(iter.can_use_32bit_indexing());
  bind_iter_tensors(encoder, iter);
  mtl_dispatch1DJob(encoder, pipeline, iter.numel());
}
```
"""

from collections.abc import Iterator

from mkls.diagnostics.model import Diagnostic, Group, Rule, Severity
from mkls.facts.model.launches import EventKind
from mkls.index.launches import launching_functions
from mkls.index.snapshot import Snapshot, Source
from mkls.text.document import Language


def check(snapshot: Snapshot, source: Source) -> Iterator[Diagnostic]:
    """Report launches for iterators of any size."""
    for function, launches in launching_functions(snapshot, source.document.uri):
        parameters = function.function.parameters if function.function else ()
        takes = any("TensorIterator" in it.type for it in parameters)
        dispatches = any(it.kind is EventKind.DISPATCH for it in launches.events)
        if takes and dispatches and not launches.minds_width and not launches.splits:
            yield Diagnostic(
                function.name_place.span,
                "nothing asks whether the iterator fits 32-bit indexing",
            )


RULE = Rule(
    "missing-64bit-split",
    Group.BINDING,
    Severity.INFORMATION,
    frozenset((Language.HOST, Language.CPP)),
    check,
    __doc__ or "",
    default=False,
)
