"""The `autogen` of a row does not list what torchgen makes for it.

## What it does
Takes the variants of an operator together (functional, in-place, out and mutable), works out which
ones torchgen makes from the others, and compares them with the `autogen` lines of the group. A
group without such a line is left alone.

## Why is this bad?
torchgen stops, and asks for exactly the names that it would make.

## Example
```yaml aten/src/ATen/native/native_functions.yaml
- func: ripple.step(Tensor self, int step) -> Tensor
  dispatch:
    CPU, MPS: ripple
  autogen: ripple.out
```

## Use instead
```yaml aten/src/ATen/native/native_functions.yaml
- func: ripple.step(Tensor self, int step) -> Tensor
  dispatch:
    CPU, MPS: ripple
  autogen: ripple.step_out
```

## Fix safety
The fix is safe: no other list of names is taken.
"""

from collections.abc import Iterator

from mkls.diagnostics.model import Diagnostic, FileEdit, Fix, Group, Rule, Severity
from mkls.index.generated_rows import WrongAutogen, wrong_autogens
from mkls.index.snapshot import Snapshot, Source
from mkls.text.document import Language
from mkls.text.edit import Edit
from mkls.text.span import Span


def check(snapshot: Snapshot, source: Source) -> Iterator[Diagnostic]:
    """Report each group of variants whose `autogen` torchgen would reject."""
    for wrong in wrong_autogens(snapshot).get(source.document.uri, ()):
        yield Diagnostic(_span(wrong), _message(wrong), fixes=_fixes(wrong))


def _span(wrong: WrongAutogen) -> Span:
    """Return the first name that torchgen would not make; the key where one is missing."""
    extra = [it for it in wrong.row.entry.autogen if it.text not in wrong.expected]
    if extra:
        return wrong.row.place(extra[0].span)
    key = wrong.row.entry.key("autogen")
    return wrong.row.place(key.name.span) if key else wrong.row.name_span


def _message(wrong: WrongAutogen) -> str:
    names = ", ".join(wrong.expected)
    if not wrong.expected:
        return f"torchgen makes nothing for `{wrong.row.name}`: it needs no `autogen`"
    return f"torchgen makes `{names}` for `{wrong.row.name}`: `autogen` lists just that"


def _fixes(wrong: WrongAutogen) -> tuple[Fix, ...]:
    listed = wrong.row.entry.autogen
    elsewhere = {it for it in wrong.found if it not in {name.text for name in listed}}
    if not listed or not wrong.expected or elsewhere:
        return ()
    span = wrong.row.place(Span(listed[0].span.start, listed[-1].span.end))
    names = ", ".join(wrong.expected)
    return (Fix(f"Change to `{names}`", (FileEdit(wrong.row.uri, Edit(span, names)),)),)


RULE = Rule(
    "wrong-autogen-line",
    Group.DISPATCH,
    Severity.ERROR,
    frozenset((Language.NATIVE_FUNCTIONS,)),
    check,
    __doc__ or "",
)
