"""An entry of `arg_casts` has no effect, or fails.

## What it does
Reports a cast to a type that is none of `fp16`, `bf16`, `int32`, `int16`, `int8` and `uint8`, and
one for a position at which there is no argument, or a tensor. What `mkls.compile_shader` accepts
on top of that is fine there.

## Why is this bad?
A type that is not known fails when the kernel is launched, on a Mac. A cast for a wrong position is
ignored, and the argument for which it is meant arrives as something else.

## Example
```python ops.py
import torch

lib = torch.mps.compile_shader('''
kernel void crop(
    device float* out, constant uint* sizes, uint i [[thread_position_in_grid]]) {
  out[i] = sizes[0] * sizes[1];
}
''')


def crop(out, sizes):
    lib.crop(out, sizes, arg_casts={1: "uint32"})
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


def crop(out, sizes):
    lib.crop(out, sizes, arg_casts={1: "int32"})
```

## Fix safety
The fix takes the type of the same size, or the nearest name; it is unsafe because that is a
guess.
"""

from collections.abc import Iterator

from mkls.diagnostics.model import Diagnostic, FileEdit, Fix, Group, Rule, Severity
from mkls.facts.model.shader_calls import ArgumentCast
from mkls.index.python_libraries import calls_in
from mkls.index.shader_arguments import (
    EMULATOR_CASTS,
    TORCH_CASTS,
    miscounted_launches,
    misplaced_cast,
)
from mkls.index.snapshot import Snapshot, Source
from mkls.index.spelling import close_names
from mkls.text.document import Language, Uri
from mkls.text.edit import Edit

_SAME = {
    "uint32": "int32", "uint16": "int16", "float16": "fp16", "half": "fp16", "bool": "uint8",
    "bfloat16": "bf16", "bfloat": "bf16", "int": "int32", "uint": "int32", "short": "int16",
    "char": "int8", "uchar": "uint8", "i32": "int32", "u32": "int32", "f16": "fp16",
}  # fmt: skip


def check(snapshot: Snapshot, source: Source) -> Iterator[Diagnostic]:
    """Report casts to what is no type, and for what is no number."""
    calls = calls_in(snapshot, source.document.uri)
    miscounted = miscounted_launches(snapshot, source.document.uri)
    for launch in calls.launches:
        known = TORCH_CASTS if calls.libraries[launch.library].of_torch else EMULATOR_CASTS
        for cast in launch.casts.casts if launch.casts else ():
            if cast.name.text not in known:
                yield _unknown(source.document.uri, cast, known)
            elif launch.span not in miscounted and (message := misplaced_cast(launch, cast)):
                yield Diagnostic(cast.span, message)


def _unknown(uri: Uri, cast: ArgumentCast, known: tuple[str, ...]) -> Diagnostic:
    name = cast.name.text
    close = [_SAME[name]] if name in _SAME else close_names(name, known, most=1)
    listed = ", ".join(f"`{it}`" for it in TORCH_CASTS)
    return Diagnostic(
        cast.name.span,
        f"`{name}` is no type to cast to; there are {listed}",
        fixes=tuple(
            Fix(f"Change to `{it}`", (FileEdit(uri, Edit(cast.name.span, it)),), safe=False)
            for it in close
        ),
    )


RULE = Rule(
    "invalid-arg-cast",
    Group.EXTENSION,
    Severity.ERROR,
    frozenset((Language.PYTHON,)),
    check,
    __doc__ or "",
)
