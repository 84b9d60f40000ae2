"""Python passes a kernel more or fewer arguments than it has buffers.

## What it does
Position n of a call is buffer n. Reports an argument for which the kernel has no buffer, and a call
that gives nothing to a buffer which the kernel uses. `error_buf_idx` gives one, too. A call with
`*arguments` is left alone, and a buffer that a function constant may take away.

## Why is this bad?
Nothing checks the number. A buffer that gets no argument is whatever an earlier kernel left there,
and an argument too many often means that all that follow it are off by one.

## Example
```python ops.py
import torch

lib = torch.mps.compile_shader('''
kernel void add(
    device float* out, device const float* x, constant float& bias,
    uint i [[thread_position_in_grid]]) {
  out[i] = x[i] + bias;
}
''')


def add(out, x):
    lib.add(out, x, 1.0, x.numel())
```

## Use instead
```python ops.py
import torch

lib = torch.mps.compile_shader('''
kernel void add(
    device float* out, device const float* x, constant float& bias,
    uint i [[thread_position_in_grid]]) {
  out[i] = x[i] + bias;
}
''')


def add(out, x):
    lib.add(out, x, 1.0)
```

## Fix safety
The fix leaves out the last argument, for which the kernel has no buffer. It is unsafe: perhaps it
is the kernel that lacks a parameter.
"""

from collections.abc import Iterator

from mkls.diagnostics.model import Diagnostic, FileEdit, Fix, Group, Related, Rule, Severity
from mkls.index.python_libraries import kernel_place, parameter_place
from mkls.index.shader_arguments import CountFault, count_faults
from mkls.index.snapshot import Snapshot, Source
from mkls.text.document import Language
from mkls.text.edit import Edit
from mkls.text.span import Span


def check(snapshot: Snapshot, source: Source) -> Iterator[Diagnostic]:
    """Report arguments without a buffer, and buffers without an argument."""
    for fault in count_faults(snapshot, source.document.uri):
        yield _extra(source, fault) if fault.parameter is None else _missing(fault)


def _extra(source: Source, fault: CountFault) -> Diagnostic:
    span = fault.argument.span if fault.argument else fault.linked.launch.function
    return Diagnostic(
        span,
        f"kernel `{fault.kernel.host_name}` has no buffer {fault.number}",
        related=(_kernel(fault),),
        fixes=_removal(source, fault),
    )


def _removal(source: Source, fault: CountFault) -> tuple[Fix, ...]:
    """Offer to leave out the last argument, where commas alone are between."""
    arguments = list(fault.linked.launch.arguments or ())
    last = fault.number == len(arguments) - 1
    if not last or not fault.number or fault.linked.launch.insertion is None:
        return ()
    cut = Span(arguments[-2].span.end, arguments[-1].span.end)
    if ")" in cut.of(source.document.text).partition(",")[0]:
        return ()
    edit = FileEdit(source.document.uri, Edit(cut, ""))
    written = arguments[-1].span.of(source.document.text)
    return (Fix(f"Leave out `{written}`", (edit,), safe=False),)


def _missing(fault: CountFault) -> Diagnostic:
    parameter = fault.parameter
    name = parameter.name.text if parameter else ""
    place = parameter_place(fault.kernel, parameter) if parameter else None
    related = Related(place.uri, place.span, "what the kernel takes") if place else _kernel(fault)
    kernel = f"kernel `{fault.kernel.host_name}`"
    return Diagnostic(
        fault.linked.launch.function,
        f"buffer {fault.number} (`{name}`) of {kernel} gets no argument",
        related=(related,),
    )


def _kernel(fault: CountFault) -> Related:
    place = kernel_place(fault.kernel)
    return Related(place.uri, place.span, "the kernel")


RULE = Rule(
    "shader-argument-mismatch",
    Group.EXTENSION,
    Severity.ERROR,
    frozenset((Language.PYTHON,)),
    check,
    __doc__ or "",
)
