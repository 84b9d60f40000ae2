"""A number or a list from Python is passed to a buffer that the kernel may write.

## What it does
Reports an `int`, a `float` or a list of them where the kernel's parameter is a `device` pointer or
reference that is not `const`.

## Why is this bad?
The kernel gets a copy of a few bytes. What it writes there is lost, and Metal's API validation
stops the program.

## Example
```python ops.py
import torch

lib = torch.mps.compile_shader('''
kernel void count(
    device const float* x, device int* found, uint i [[thread_position_in_grid]]) {
  if (x[i] != 0) {
    found[0] = 1;
  }
}
''')


def count(x):
    lib.count(x, 0)
```

## Use instead
```python ops.py
import torch

lib = torch.mps.compile_shader('''
kernel void count(
    device const float* x, device int* found, uint i [[thread_position_in_grid]]) {
  if (x[i] != 0) {
    found[0] = 1;
  }
}
''')


def count(x):
    found = torch.zeros(1, dtype=torch.int32, device="mps")
    lib.count(x, found)
    return found
```

## Why no fix
Whether the kernel should write there at all, and to which tensor, is not in the code.
"""

from collections.abc import Iterator

from mkls.diagnostics.model import Diagnostic, Group, Related, Rule, Severity
from mkls.index.python_libraries import parameter_place
from mkls.index.shader_arguments import passed_arguments
from mkls.index.snapshot import Snapshot, Source
from mkls.text.document import Language


def check(snapshot: Snapshot, source: Source) -> Iterator[Diagnostic]:
    """Report numbers where the kernel may write."""
    for passed in passed_arguments(snapshot, source.document.uri):
        if not passed.is_number or not passed.is_written:
            continue
        place = parameter_place(passed.kernel, passed.parameter)
        what = "a list" if passed.is_list else "a number"
        yield Diagnostic(
            passed.argument.span,
            f"`{passed.parameter.name.text}` may be written; {what} is passed as a copy",
            related=(Related(place.uri, place.span, "where the kernel writes"),) if place else (),
        )


RULE = Rule(
    "number-for-buffer",
    Group.EXTENSION,
    Severity.WARNING,
    frozenset((Language.PYTHON,)),
    check,
    __doc__ or "",
)
