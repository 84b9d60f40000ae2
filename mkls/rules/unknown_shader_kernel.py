"""Python asks a compiled shader library for a kernel that it does not have.

## What it does
Follows what `torch.mps.compile_shader` or `mkls.compile_shader` returns through variables,
attributes, dicts and functions that cache it, and reports each `library.name` and
`getattr(library, "name")` that names no kernel of the source. The source may be a string of the
file, put together as long as that can be worked out exactly, or a `.metal` file that is read.
A source that cannot be told, or that includes a header that is not at hand, is left alone.

## Why is this bad?
The library is asked when the line runs, on a Mac: "Failed to create function state object".

## Example
```python ops.py
import torch

lib = torch.mps.compile_shader('''
kernel void scale(device float* out, constant float& factor, uint i [[thread_position_in_grid]]) {
  out[i] *= factor;
}
''')


def double(x):
    lib.scal(x, 2.0)
```

## Use instead
```python ops.py
import torch

lib = torch.mps.compile_shader('''
kernel void scale(device float* out, constant float& factor, uint i [[thread_position_in_grid]]) {
  out[i] *= factor;
}
''')


def double(x):
    lib.scale(x, 2.0)
```

## Fix safety
The fix proposes the nearest name of a kernel; it is unsafe because that is a guess.
"""

from collections.abc import Iterator

from mkls.diagnostics.model import Diagnostic, FileEdit, Fix, Group, Related, Rule, Severity
from mkls.index.python_libraries import kernel_place, references_in
from mkls.index.snapshot import Snapshot, Source
from mkls.index.spelling import close_names
from mkls.text.document import Language
from mkls.text.edit import Edit


def check(snapshot: Snapshot, source: Source) -> Iterator[Diagnostic]:
    """Report the names that no kernel of the library has."""
    uri = source.document.uri
    for reference, unit in references_in(snapshot, uri):
        known = {it.host_name: it for it in unit.kernels}
        name = reference.name
        if not unit.complete or name.text in known or not known:
            continue
        close = close_names(name.text, known)
        places = [(it, kernel_place(known[it])) for it in close]
        yield Diagnostic(
            name.span,
            f"the shader library has no kernel `{name.text}`",
            related=tuple(
                Related(place.uri, place.span, f"kernel `{it}` is here") for it, place in places
            ),
            fixes=tuple(
                Fix(f"Change to `{it}`", (FileEdit(uri, Edit(name.span, it)),), safe=False)
                for it in close
            ),
        )


RULE = Rule(
    "unknown-shader-kernel",
    Group.EXTENSION,
    Severity.ERROR,
    frozenset((Language.PYTHON,)),
    check,
    __doc__ or "",
)
