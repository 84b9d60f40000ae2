"""A stub is registered for MPS twice.

## What it does
Reports a registration of a dispatch stub for MPS when another one comes before it, in the same
file or in another.

## Why is this bad?
In one file the second registration is a redefinition and does not compile. In two files both
compile, and which kernel runs depends on the order in which static initialisers happen to run.

## Example
```objcpp aten/src/ATen/native/mps/operations/Glide.mm
static void glide_kernel(TensorIteratorBase& iter) {}
REGISTER_DISPATCH(glide_stub, &glide_kernel);
REGISTER_DISPATCH(glide_stub, &glide_kernel);
```

## Use instead
```objcpp aten/src/ATen/native/mps/operations/Glide.mm
static void glide_kernel(TensorIteratorBase& iter) {}
REGISTER_DISPATCH(glide_stub, &glide_kernel);
```

## Fix safety
The fix removes a registration that its file has already, of the same function: it changes nothing.
"""

from collections.abc import Iterator

from mkls.diagnostics.model import Diagnostic, FileEdit, Fix, Group, Related, Rule, Severity
from mkls.index.snapshot import Snapshot, Source
from mkls.index.stubs import Registration, Stub
from mkls.text.document import Language
from mkls.text.edit import removal


def check(snapshot: Snapshot, source: Source) -> Iterator[Diagnostic]:
    """Report each registration in `source` that is not the first of its stub."""
    for stub in snapshot.once(_registered_twice):
        first, *others = sorted(stub.registered, key=lambda it: it.stub_place)
        for other in others:
            if other.stub_place.uri == source.document.uri:
                yield Diagnostic(
                    other.stub_place.span,
                    f"`{stub.name}` is registered for MPS already",
                    related=(Related(first.stub_place.uri, first.stub_place.span, "here"),),
                    fixes=_removal(source, first, other),
                )


def _removal(source: Source, first: Registration, other: Registration) -> tuple[Fix, ...]:
    """Offer to remove what is written out and says the same once more, in the same file."""
    text, place = source.document.text, other.place
    functions = [it.registration.function for it in (first, other)]
    names = [it.text if it else "" for it in functions]
    same = names[0] == names[1] and first.stub_place.uri == other.stub_place.uri
    if not same or not place.span.of(text).startswith("REGISTER_"):
        return ()
    edit = FileEdit(place.uri, removal(text, place.span))
    return (Fix("Remove the second registration", (edit,)),)


def _registered_twice(snapshot: Snapshot) -> list[Stub]:
    return [it for it in snapshot.host.stubs.by_name.values() if len(it.registered) > 1]


RULE = Rule(
    "duplicate-stub-registration",
    Group.STUB,
    Severity.WARNING,
    frozenset((Language.HOST, Language.CPP)),
    check,
    __doc__ or "",
)
