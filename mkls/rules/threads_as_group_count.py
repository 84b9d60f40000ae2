"""Python gives the number of groups where the number of threads is asked for.

## What it does
`threads` is how many threads run in all, as for Metal's `dispatchThreads`. Reports an axis of it
that is divided by the same axis of `group_size`, directly or through a variable, and a constant
that is less than one group, when the kernel knows of groups: it asks for its place in one, shares
memory or waits. A kernel that knows only its place in the grid may well do several elements in a
thread.

## Why is this bad?
Most of the groups never run, and the one that does is not full: barriers and sums over a group work
with threads that are not there.

## Example
```python ops.py
import torch

lib = torch.mps.compile_shader('''
kernel void total(
    device float* out, device const float* x,
    uint row [[threadgroup_position_in_grid]],
    uint lane [[thread_position_in_threadgroup]]) {
  threadgroup float shared[256];
  shared[lane] = x[row * 256 + lane];
  threadgroup_barrier(mem_flags::mem_threadgroup);
  if (lane == 0) {
    out[row] = shared[0] + shared[255];
  }
}
''')


def total(out, x):
    lib.total(out, x, threads=x.numel() // 256, group_size=256)
```

## Use instead
```python ops.py
import torch

lib = torch.mps.compile_shader('''
kernel void total(
    device float* out, device const float* x,
    uint row [[threadgroup_position_in_grid]],
    uint lane [[thread_position_in_threadgroup]]) {
  threadgroup float shared[256];
  shared[lane] = x[row * 256 + lane];
  threadgroup_barrier(mem_flags::mem_threadgroup);
  if (lane == 0) {
    out[row] = shared[0] + shared[255];
  }
}
''')


def total(out, x):
    lib.total(out, x, threads=x.numel() // 256 * 256, group_size=256)
```

## Fix safety
The fix multiplies by the size of a group. It is unsafe: it changes how many threads run.
"""

from collections.abc import Iterator

from mkls.diagnostics.model import Diagnostic, FileEdit, Fix, Group, Related, Rule, Severity
from mkls.index.python_libraries import kernel_place
from mkls.index.shader_sizes import CountedGroups, counted_groups
from mkls.index.snapshot import Snapshot, Source
from mkls.text.document import Language
from mkls.text.edit import Edit
from mkls.text.span import Span


def check(snapshot: Snapshot, source: Source) -> Iterator[Diagnostic]:
    """Report numbers of groups that are given as numbers of threads."""
    for found in counted_groups(snapshot, source.document.uri):
        place = kernel_place(found.linked.kernels[0])
        yield Diagnostic(
            found.span,
            _message(found),
            related=(Related(place.uri, place.span, "the kernel knows of groups"),),
            fixes=_fix(source, found),
        )


def _message(found: CountedGroups) -> str:
    if found.threads is not None and found.group_size is not None:
        few = f"{found.threads} are less than one group of {found.group_size}"
        return f"`threads` counts threads, not groups: {few}"
    return "`threads` counts threads, not groups"


def _fix(source: Source, found: CountedGroups) -> tuple[Fix, ...]:
    """Offer to multiply by the group's size; after a division, that needs no parentheses."""
    size = found.group.of(source.document.text)
    if not size.isalnum():
        return ()
    end = Span(found.span.end, found.span.end)
    edit = FileEdit(source.document.uri, Edit(end, f" * {size}"))
    return (Fix(f"Multiply by `{size}`", (edit,), safe=False),)


RULE = Rule(
    "threads-as-group-count",
    Group.EXTENSION,
    Severity.WARNING,
    frozenset((Language.PYTHON,)),
    check,
    __doc__ or "",
)
