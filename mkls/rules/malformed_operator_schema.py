"""`m.def` is given a schema that torch cannot read.

## What it does
Reads the schemas in `TORCH_LIBRARY` and `TORCH_LIBRARY_FRAGMENT` as torch does and reports the
place where it would stop: brackets, commas and arrows that are missing, arguments without a name,
and types that a schema does not know, such as `double` or `Tensr`. A name without parentheses has
no schema to be read, nor is one read that is put together from several strings.

## Why is this bad?
The library fails to load: the schema is read when the extension is imported.

## Example
```objcpp csrc/ops.mm
TORCH_LIBRARY(ripple, m) {
  m.def("scale(Tensor self, double factor) -> Tensor");
}
```

## Use instead
```objcpp csrc/ops.mm
TORCH_LIBRARY(ripple, m) {
  m.def("scale(Tensor self, float factor) -> Tensor");
}
```

## Fix safety
The fix takes the word that a schema has for the type; it is unsafe because that is a guess.
"""

from collections.abc import Iterator

from mkls.diagnostics.model import Diagnostic, FileEdit, Fix, Group, Rule, Severity
from mkls.index.custom_operators import registered_in
from mkls.index.snapshot import Snapshot, Source
from mkls.index.spelling import close_names
from mkls.syntax.host.operator_schema import KNOWN_TYPES, MEANT, read_operator_schema
from mkls.text.document import Language
from mkls.text.edit import Edit


def check(snapshot: Snapshot, source: Source) -> Iterator[Diagnostic]:
    """Report where each broken schema stops to make sense."""
    uri = source.document.uri
    for _, it in registered_in(snapshot, uri):
        schema = it.impl.schema
        problem = read_operator_schema(schema.text).problem if schema else None
        if schema is None or problem is None:
            continue
        span = problem.span.shifted(schema.span.start + it.start)
        word = problem.span.of(schema.text)
        meant = [MEANT[word]] if word in MEANT else []
        if "knows no type" in problem.message and not meant:
            meant = close_names(word, KNOWN_TYPES, most=1)
        yield Diagnostic(
            span,
            problem.message,
            fixes=tuple(
                Fix(f"Change to `{new}`", (FileEdit(uri, Edit(span, new)),), safe=False)
                for new in meant
            ),
        )


RULE = Rule(
    "malformed-operator-schema",
    Group.EXTENSION,
    Severity.ERROR,
    frozenset((Language.HOST, Language.CPP)),
    check,
    __doc__ or "",
)
