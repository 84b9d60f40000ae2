"""An entry is not YAML, or not an entry that torchgen takes.

## What it does
Reports what cannot be read as YAML, keys that no entry has, keys that stand twice, values of the
wrong type, tags that `tags.yaml` does not list, and what torchgen would reject in the entry:
`structured` on a row without out arguments, `precomputed` without `structured`, two composite
keys, a factory function without `CompositeExplicitAutograd`, and more.

## Why is this bad?
torchgen stops at the first such entry, minutes into a build. Other entries are not touched by the
mistake: mkls reads each of them alone.

## Example
```yaml aten/src/ATen/native/native_functions.yaml
- func: twice(Tensor self) -> Tensor
  variant: function
```

## Use instead
```yaml aten/src/ATen/native/native_functions.yaml
- func: twice(Tensor self) -> Tensor
  variants: function
```

## Fix safety
The fix is unsafe: it guesses which name is meant.
"""

from collections.abc import Collection, Iterator

from mkls.diagnostics.model import Diagnostic, FileEdit, Fix, Group, Rule, Severity
from mkls.facts.model.name import Name
from mkls.facts.model.native_functions import NativeFunctionsFacts, PlacedEntry
from mkls.facts.native_functions_checks import SEEDED_BY_ARGUMENT
from mkls.index.snapshot import Snapshot, Source
from mkls.index.spelling import close_names
from mkls.syntax.native_functions.entries import KNOWN_KEYS
from mkls.text.document import Language, Uri
from mkls.text.edit import Edit


def check(snapshot: Snapshot, source: Source) -> Iterator[Diagnostic]:
    """Report what is wrong with each entry, its schema and its links aside."""
    facts = source.facts
    if not isinstance(facts, NativeFunctionsFacts):
        return
    for problem in facts.problems:
        yield Diagnostic(problem.span, problem.message)
    tags = snapshot.operators.accepted.tags
    drops = "dropout" in snapshot.operators.accepted.seeded_arguments
    for placed in facts.entries:
        entry = placed.entry
        for problem in entry.problems:
            if problem.message == SEEDED_BY_ARGUMENT and not drops:
                continue
            unknown = (it.name for it in entry.keys if it.name.span == problem.span)
            fixes = _spelling_fixes(source.document.uri, placed, next(unknown, None), KNOWN_KEYS)
            yield Diagnostic(placed.place(problem.span), problem.message, fixes=fixes)
        for tag in entry.tags if tags is not None else ():
            if tags is not None and tag.text not in tags:
                message = f"`tags.yaml` lists no tag `{tag.text}`"
                fixes = _spelling_fixes(source.document.uri, placed, tag, tags)
                yield Diagnostic(placed.place(tag.span), message, fixes=fixes)


def _spelling_fixes(
    uri: Uri, placed: PlacedEntry, name: Name | None, known: Collection[str]
) -> tuple[Fix, ...]:
    if name is None or name.text in known:
        return ()
    return tuple(
        Fix(
            f"Change to `{close}`",
            (FileEdit(uri, Edit(placed.place(name.span), close)),),
            safe=False,
        )
        for close in close_names(name.text, known)
    )


RULE = Rule(
    "malformed-entry",
    Group.DISPATCH,
    Severity.ERROR,
    frozenset((Language.NATIVE_FUNCTIONS,)),
    check,
    __doc__ or "",
)
