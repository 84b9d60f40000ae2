"""A kernel is launched without asking whether there is anything to do.

## What it does
Reports a launch in an operator's own function (a `TORCH_IMPL_FUNC`, or one with `mps` in its name)
that takes tensors, no iterator, and nowhere compares a count with zero.

## Why is this bad?
A grid of no threads is an error of the validation layer, and a tensor without elements may have no
buffer to bind. Callers often have asked already; the rule does not know.

## Example
```objcpp operations/Scale.mm
void scale_mps(const Tensor& out) {
  mtl_setArgs(encoder, out);
  mtl_dispatch1DJob(encoder, pipeline, out.numel());
}
```

## Use instead
```objcpp operations/Scale.mm
void scale_mps(const Tensor& out) {
  if (out.numel() == 0) {
    return;
  }
  mtl_setArgs(encoder, out);
  mtl_dispatch1DJob(encoder, pipeline, out.numel());
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
    """Report launches that an empty tensor reaches."""
    for function, launches in launching_functions(snapshot, source.document.uri):
        types = [it.type for it in function.function.parameters] if function.function else []
        takes = any("Tensor" in it for it in types)
        iterates = any("TensorIterator" in it for it in types)
        dispatches = any(it.kind is EventKind.DISPATCH for it in launches.events)
        operates = function.is_torch_impl or "mps" in function.name.text
        if operates and takes and not iterates and dispatches and not launches.minds_empty:
            yield Diagnostic(
                function.name_place.span,
                "nothing asks whether there are elements at all",
            )


RULE = Rule(
    "missing-empty-guard",
    Group.BINDING,
    Severity.HINT,
    frozenset((Language.HOST, Language.CPP)),
    check,
    __doc__ or "",
    default=False,
)
