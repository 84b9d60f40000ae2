"""A number or a list from Python arrives at a kernel as something else.

## What it does
An `int` is passed as int64, a `float` as float32, and a list as an array of these. Reports what the
kernel reads otherwise: integers as floating point, a `float` as `half`, a list of 64-bit integers
as 32-bit ones, and anything that is shorter than what the kernel reads. One integer that the kernel
reads as a narrower one is fine, as its lowest bytes come first. What is known only at run time,
such as a parameter without annotation, is left alone.

## Why is this bad?
The bytes are copied as they are. The kernel computes with nonsense, and nobody is told.

## Example
```python ops.py
import torch

lib = torch.mps.compile_shader('''
kernel void crop(
    device float* out, constant uint* sizes, uint i [[thread_position_in_grid]]) {
  out[i] = sizes[0] * sizes[1];
}
''')


def crop(out):
    lib.crop(out, [4, 6])
```

## Use instead
```python ops.py
import torch

lib = torch.mps.compile_shader('''
kernel void crop(
    device float* out, constant uint* sizes, uint i [[thread_position_in_grid]]) {
  out[i] = sizes[0] * sizes[1];
}
''')


def crop(out):
    lib.crop(out, [4, 6], arg_casts={1: "int32"})
```

## Fix safety
The fix adds the cast. It is safe: without it, the kernel gets other numbers than those written.
"""

from collections.abc import Iterator

from mkls.diagnostics.model import Diagnostic, FileEdit, Fix, Group, Related, Rule, Severity
from mkls.facts.model.shader_calls import ArgumentKind
from mkls.index.python_libraries import parameter_place
from mkls.index.shader_arguments import Fault, Misencoded, misencoded
from mkls.index.snapshot import Snapshot, Source
from mkls.text.document import Language, Uri
from mkls.text.edit import Edit
from mkls.text.span import Span

_NAMES = {
    "long": "int64",
    "float": "float32",
    "half": "float16",
    "bfloat": "bfloat16",
    "int": "int32",
    "short": "int16",
    "char": "int8",
    "uchar": "uint8",
}


def check(snapshot: Snapshot, source: Source) -> Iterator[Diagnostic]:
    """Report the arguments that the kernel reads as something else."""
    for found in misencoded(snapshot, source.document.uri):
        place = parameter_place(found.passed.kernel, found.passed.parameter)
        related = (Related(place.uri, place.span, "how the kernel reads it"),) if place else ()
        fix = _fix(source.document.uri, found)
        # The fourth number of a vector of three is seldom looked at.
        padded = found.fault is Fault.SHORT and found.shape.is_padded
        yield Diagnostic(
            found.passed.argument.span,
            _message(found),
            related=related,
            fixes=(fix,) if fix else (),
            severity=Severity.WARNING if padded else None,
        )


def _message(found: Misencoded) -> str:
    encoded = _NAMES[found.encoding.element]
    written = f"`{' '.join(found.passed.parameter.type.split())}`"
    if found.passed.argument.kind is ArgumentKind.NUMBER:
        encoded = "float32 or int64"
    many = "an array of " if found.passed.is_list else ""
    if found.fault is Fault.SHORT:
        count = (found.passed.argument.count or 1) if found.passed.is_list else 1
        size = found.encoding.size * count
        return f"{size} bytes are passed where the kernel reads {written} of {found.shape.total}"
    return f"passed as {many}{encoded}, which the kernel reads as {written}"


def _fix(uri: Uri, found: Misencoded) -> Fix | None:
    """Offer the cast with which the argument arrives."""
    launch, number = found.passed.linked.launch, found.passed.number
    own = found.passed.cast
    if not found.cast or (own is not None and own.index is None):
        return None
    if own is not None:
        edit = Edit(own.name.span, found.cast)
    elif launch.casts is not None:
        if not launch.casts.is_table or not launch.casts.casts:
            return None
        end = launch.casts.casts[-1].name.span.end + 1
        edit = Edit(Span(end, end), f', {number}: "{found.cast}"')
    elif launch.insertion is not None:
        at = Span(launch.insertion, launch.insertion)
        edit = Edit(at, f', arg_casts={{{number}: "{found.cast}"}}')
    else:
        return None
    return Fix(f"Pass it as {found.cast}", (FileEdit(uri, edit),))


RULE = Rule(
    "missing-arg-cast",
    Group.EXTENSION,
    Severity.ERROR,
    frozenset((Language.PYTHON,)),
    check,
    __doc__ or "",
)
