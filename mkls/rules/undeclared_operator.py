"""An extension implements an operator for MPS that nothing declares.

## What it does
Looks at `m.impl` for the key MPS in the namespaces whose `TORCH_LIBRARY` is at hand. Reports an
operator that no `m.def` of the namespace declares, fragments included. Operators that a Python file
may define with `torch.library` are left alone, and so is `aten`.

## Why is this bad?
The registration waits for a definition that never comes: no error, and the operator that is meant
has no kernel for MPS.

## Example
```objcpp csrc/ops.mm
TORCH_LIBRARY(ripple, m) {
  m.def("scale(Tensor self, float factor) -> Tensor");
}
TORCH_LIBRARY_IMPL(ripple, MPS, m) {
  m.impl("scal", &scale_mps);
}
```

## Use instead
```objcpp csrc/ops.mm
TORCH_LIBRARY(ripple, m) {
  m.def("scale(Tensor self, float factor) -> Tensor");
}
TORCH_LIBRARY_IMPL(ripple, MPS, m) {
  m.impl("scale", &scale_mps);
}
```

## Fix safety
The fix proposes the nearest name of an operator; it is unsafe because that is a guess.
"""

from collections.abc import Iterator

from mkls.diagnostics.model import Diagnostic, FileEdit, Fix, Group, Related, Rule, Severity
from mkls.index.custom_operators import undeclared
from mkls.index.snapshot import Snapshot, Source
from mkls.index.spelling import close_names
from mkls.text.document import Language
from mkls.text.edit import Edit


def check(snapshot: Snapshot, source: Source) -> Iterator[Diagnostic]:
    """Report the implementations of what is not declared."""
    uri = source.document.uri
    for library, it in undeclared(snapshot, uri):
        name, span = it.impl.operator.text, it.place().span
        close = close_names(name, library.definitions)
        places = [library.definitions[other][0].place() for other in close]
        yield Diagnostic(
            span,
            f"namespace `{it.impl.namespace}` declares no operator `{name}`",
            related=tuple(Related(it.uri, it.span, "declared here") for it in places),
            fixes=tuple(
                Fix(f"Change to `{other}`", (FileEdit(uri, Edit(span, other)),), safe=False)
                for other in close
            ),
        )


RULE = Rule(
    "undeclared-operator",
    Group.EXTENSION,
    Severity.ERROR,
    frozenset((Language.HOST, Language.CPP)),
    check,
    __doc__ or "",
)
