"""A function is registered for an operator whose schema has other arguments.

## What it does
Compares the parameters of the functions that `m.impl` and `m.def` register with the schema of the
operator: their number, and the types of tensors and numbers. In C++, an `int` of a schema is an
`int64_t` and a `float` a `double`, nothing else. Functions whose parameters are not at hand,
overloads, lambdas and templates are left alone.

## Why is this bad?
The library fails to compile, or to load: torch infers a schema from the function and compares.

## Example
```objcpp csrc/ops.mm
static at::Tensor scale_mps(const at::Tensor& self, float factor) {
  return self * factor;
}
TORCH_LIBRARY(ripple, m) {
  m.def("scale(Tensor self, float factor) -> Tensor");
}
TORCH_LIBRARY_IMPL(ripple, MPS, m) {
  m.impl("scale", &scale_mps);
}
```

## Use instead
```objcpp csrc/ops.mm
static at::Tensor scale_mps(const at::Tensor& self, double factor) {
  return self * factor;
}
TORCH_LIBRARY(ripple, m) {
  m.def("scale(Tensor self, float factor) -> Tensor");
}
TORCH_LIBRARY_IMPL(ripple, MPS, m) {
  m.impl("scale", &scale_mps);
}
```

## Fix safety
The fix writes the type that the schema asks for. It is unsafe: callers may pass another.
"""

from collections.abc import Iterator

from mkls.diagnostics.model import Diagnostic, FileEdit, Fix, Group, Related, Rule, Severity
from mkls.index.custom_operators import Disagreement, disagreements
from mkls.index.snapshot import Snapshot, Source
from mkls.text.document import Language
from mkls.text.edit import Edit
from mkls.text.span import Span


def check(snapshot: Snapshot, source: Source) -> Iterator[Diagnostic]:
    """Report registrations of functions that do not fit."""
    for found in disagreements(snapshot, source.document.uri):
        yield _diagnostic(source, found)


def _diagnostic(source: Source, found: Disagreement) -> Diagnostic:
    name = found.registered.impl.function
    place, declared = found.function.name_place, found.definition.place()
    span = name.span.shifted(found.registered.start) if name else found.registered.place().span
    parameter = found.parameter
    related = [Related(declared.uri, declared.span, "the schema")]
    if parameter is None:
        own = len(found.function.function.parameters) if found.function.function else 0
        message = f"`{found.function.name.text}` has {own} parameters, the schema {found.wanted}"
        related.append(Related(place.uri, place.span, "the function"))
        return Diagnostic(span, message, related=tuple(related))
    where = found.function.stated.place(parameter.span)
    title = f"parameter `{parameter.name}` is `{parameter.type}`"
    inside = where.uri == source.document.uri
    related.append(Related(source.document.uri, span, "registered here"))
    return Diagnostic(
        where.span if inside else span,
        f"{title}; the schema asks for `{found.expected}`",
        related=tuple(related),
        fixes=_fix(source, where.span, parameter.type, found.expected) if inside else (),
    )


def _fix(source: Source, span: Span, written: str, expected: str) -> tuple[Fix, ...]:
    """Offer the type that the schema asks for, where the parameter's type stands first."""
    if not span.of(source.document.text).startswith(written):
        return ()
    edit = Edit(Span(span.start, span.start + len(written)), expected)
    return (Fix(f"Change to `{expected}`", (FileEdit(source.document.uri, edit),), safe=False),)


RULE = Rule(
    "operator-signature-mismatch",
    Group.EXTENSION,
    Severity.ERROR,
    frozenset((Language.HOST, Language.CPP)),
    check,
    __doc__ or "",
)
