"""A block runs by `dispatch_sync`, which loses exceptions.

## What it does
Reports `dispatch_sync` in a function that looks up kernels or launches them.

## Why is this bad?
An exception that leaves a block of Grand Central Dispatch ends the process. `TORCH_CHECK` and every
kernel lookup throw; `dispatch_sync_with_rethrow` hands the exception to the caller.

## Example
```objcpp operations/Norm.mm
void norm(const Tensor& out, MPSStream* stream) {
  dispatch_sync(stream->queue(), ^() {
    mtl_setArgs(stream->commandEncoder(), out);
  });
}
```

## Use instead
```objcpp operations/Norm.mm
void norm(const Tensor& out, MPSStream* stream) {
  dispatch_sync_with_rethrow(stream->queue(), ^() {
    mtl_setArgs(stream->commandEncoder(), out);
  });
}
```

## Fix safety
The fix is unsafe, as exceptions then reach callers who have never seen them.
"""

from collections.abc import Iterator

from mkls.diagnostics.model import Diagnostic, FileEdit, Fix, Group, Rule, Severity
from mkls.index.launches import launching_functions
from mkls.index.snapshot import Snapshot, Source
from mkls.text.document import Language
from mkls.text.edit import Edit

_BETTER = "dispatch_sync_with_rethrow"


def check(snapshot: Snapshot, source: Source) -> Iterator[Diagnostic]:
    """Report each plain `dispatch_sync` around what may throw."""
    for function, launches in launching_functions(snapshot, source.document.uri):
        looks_up = function.function is not None and function.function.lookups
        if function.name.text == _BETTER or not (looks_up or launches.fetches or launches.events):
            continue
        for block in launches.plain_blocks:
            span = block.span.shifted(function.stated.start)
            edit = FileEdit(source.document.uri, Edit(span, _BETTER))
            yield Diagnostic(
                span,
                "exceptions cannot leave a block that `dispatch_sync` runs",
                fixes=(Fix(f"Use `{_BETTER}`", (edit,), safe=False),),
            )


RULE = Rule(
    "plain-dispatch-sync",
    Group.BINDING,
    Severity.INFORMATION,
    frozenset((Language.HOST, Language.CPP)),
    check,
    __doc__ or "",
    default=False,
)
