"""What the functions that are registered for stubs must look like."""

from collections.abc import Iterator, Mapping

import msgspec

from mkls.facts.model.cpp import CppFacts
from mkls.facts.model.host import Parameter
from mkls.facts.model.name import Name
from mkls.index.host_documents import HostFunction
from mkls.index.place import Place
from mkls.index.snapshot import Snapshot
from mkls.index.spelling import close_names
from mkls.index.stubs import Registration, Stub
from mkls.syntax.host.function_type import differ, parameters_of
from mkls.text.document import Uri
from mkls.text.span import Span


class Mismatch(msgspec.Struct, frozen=True):
    """A function that is registered for a stub of another type.

    `parameters` are the types of the stub's. `parameter` is the first of the function's that
    differs, with its index; None where their number does, which is then `index`. `registered` is
    where the registration names the function.
    """

    stub: Stub
    registered: Place
    function: HostFunction
    parameters: tuple[str, ...]
    index: int
    parameter: Parameter | None


def parameters_of_stub(snapshot: Snapshot, stub: Stub) -> tuple[str, ...] | None:
    """Return the types of the parameters of `stub`, None where its declaration does not tell."""
    if len(stub.declared) != 1 or not stub.type:
        return None
    type_ = _resolved(snapshot, stub.type, stub.declared[0].uri)
    parameters = parameters_of(type_) if type_ else None
    return None if parameters is None else tuple(parameters)


def _resolved(snapshot: Snapshot, type_: str, uri: Uri) -> str | None:
    """Return `type_`, or what it is an alias of: by its own header, else by all that name it."""
    name = type_.rpartition("::")[2]
    if not name.isidentifier():
        return type_
    aliases = snapshot.once(_aliases).get(name, {})
    if uri in aliases:
        return aliases[uri]
    return next(iter(aliases.values())) if len(set(aliases.values())) == 1 else None


def _aliases(snapshot: Snapshot) -> Mapping[str, Mapping[Uri, str]]:
    found: dict[str, dict[Uri, str]] = {}
    for uri, facts in snapshot.facts(CppFacts).items():
        for alias in facts.aliases:
            found.setdefault(alias.name, {})[uri] = alias.type
    return found


def registrations_in(snapshot: Snapshot, uri: Uri) -> tuple[tuple[Stub, Registration], ...]:
    """Return what the document `uri` registers for MPS."""
    return snapshot.once(_registrations).get(uri, ())


def _registrations(snapshot: Snapshot) -> Mapping[Uri, tuple[tuple[Stub, Registration], ...]]:
    found: dict[Uri, list[tuple[Stub, Registration]]] = {}
    for stub in snapshot.host.stubs.by_name.values():
        for registration in stub.registered:
            found.setdefault(registration.stated.uri, []).append((stub, registration))
    return {uri: tuple(registrations) for uri, registrations in found.items()}


def mismatches(snapshot: Snapshot, uri: Uri) -> Iterator[Mismatch]:
    """Yield the functions of `uri` that the document registers for stubs of another type.

    Of several functions with the name, one that fits is enough.
    """
    document = snapshot.host.document(uri)
    if document is None:
        return
    for stub, registration in registrations_in(snapshot, uri):
        parameters = parameters_of_stub(snapshot, stub)
        if parameters is None:
            continue
        function = _bare(registration.registration.function)
        if function:
            place = registration.stated.place(function.span)
            candidates = document.functions_by_name.get(function.text, ())
            found = [_mismatch(stub, place, it, parameters) for it in candidates]
            if all(found):
                yield from (it for it in found[:1] if it)


def _mismatch(
    stub: Stub, registered: Place, function: HostFunction, parameters: tuple[str, ...]
) -> Mismatch | None:
    if function.function is None:
        return None
    own = function.function.parameters
    if len(own) != len(parameters):
        return Mismatch(stub, registered, function, parameters, len(own), None)
    for index, (parameter, wanted) in enumerate(zip(own, parameters, strict=True)):
        if differ(parameter.type, wanted):
            return Mismatch(stub, registered, function, parameters, index, parameter)
    return None


def fits_stub(snapshot: Snapshot, stub: Stub, function: HostFunction) -> bool:
    """Whether nothing speaks against registering `function` for `stub`."""
    parameters = parameters_of_stub(snapshot, stub)
    if parameters is None or function.function is None:
        return True
    own = function.function.parameters
    return len(own) == len(parameters) and not any(
        differ(parameter.type, wanted) for parameter, wanted in zip(own, parameters, strict=True)
    )


def undeclared(snapshot: Snapshot, uri: Uri) -> Iterator[tuple[Stub, Registration]]:
    """Yield the registrations of `uri` for stubs that nothing declares.

    Only a checkout of PyTorch holds the headers that declare its stubs.
    """
    if snapshot.operators.rows and snapshot.once(_has_declarations):
        for stub, registration in registrations_in(snapshot, uri):
            if not stub.declared and stub.name.isidentifier():
                yield stub, registration


def _has_declarations(snapshot: Snapshot) -> bool:
    return any(stub.declared for stub in snapshot.host.stubs.by_name.values())


def meant_stubs(snapshot: Snapshot) -> Mapping[str, tuple[str, ...]]:
    """Return what each stub that is registered and not declared may be a misspelling of.

    The best guess comes first: a declared stub, and rather one that is itself not defined.
    """
    return snapshot.once(_meant_stubs)


def _meant_stubs(snapshot: Snapshot) -> Mapping[str, tuple[str, ...]]:
    stubs = snapshot.host.stubs.by_name
    declared = [name for name, stub in stubs.items() if stub.declared]
    found: dict[str, tuple[str, ...]] = {}
    for uri in snapshot.once(_registrations):
        for stub, _ in undeclared(snapshot, uri):
            close = close_names(stub.name, declared, most=3)
            found[stub.name] = tuple(sorted(close, key=lambda name: bool(stubs[name].defined)))
    return found


def undefined_functions(snapshot: Snapshot, uri: Uri) -> Iterator[tuple[str, Place]]:
    """Yield the functions that `uri` registers for MPS and nothing defines, and where it does."""
    for _, registration in registrations_in(snapshot, uri):
        function = _bare(registration.registration.function)
        if function is None or function.text == "nullptr":
            continue
        if not snapshot.host.functions(function.text):
            yield function.text, registration.stated.place(function.span)


def _bare(name: Name | None) -> Name | None:
    """Return `name` without its namespaces, None when it is anything but a plain name."""
    if name is None or not name.text.replace("::", "_").isidentifier():
        return None
    bare = name.text.rpartition("::")[2]
    if bare == name.text:  # where a macro made it, the span is that of the macro's argument
        return name
    return Name(bare, Span(name.span.end - len(bare), name.span.end))
