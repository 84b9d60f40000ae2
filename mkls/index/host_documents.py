"""The host functions, calls and constants of one document, macro-made ones included."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cached_property
from typing import NamedTuple, TypeVar

from mkls.facts.model.host import (
    Call,
    Constant,
    Function,
    FunctionKind,
    HostFacts,
    Invocation,
    ItemFacts,
    LibraryImpl,
    Shader,
    ShaderLibrary,
    StubDeclaration,
    StubRegistration,
)
from mkls.facts.model.name import Name
from mkls.index.host_expansion import expanded, is_known
from mkls.index.place import Place
from mkls.syntax.metal.macro import Macro, macro_of
from mkls.text.document import Uri
from mkls.text.span import Span

T = TypeVar("T")
Macros = Mapping[str, Macro]


class Stated(NamedTuple):
    """Where a document states something: spans count from `start`."""

    uri: Uri
    start: int

    def place(self, span: Span) -> Place:
        """Return the place of a span that counts from the item's start."""
        return Place(self.uri, span.shifted(self.start))


class HostFunction(NamedTuple):
    """A host function that some document defines.

    `function` is None where only the name was read. `macro` names the macro that made it, "" when
    it is written out.
    """

    stated: Stated
    name: Name
    function: Function | None
    macro: str

    @property
    def uri(self) -> Uri:
        """The document that defines it."""
        return self.stated.uri

    @property
    def name_place(self) -> Place:
        """Where its name stands: of a macro-made one, the argument that made the name."""
        return self.stated.place(self.name.span)

    @property
    def place(self) -> Place:
        """Its whole definition: of a macro-made one, the invocation."""
        return self.stated.place(self.function.span if self.function else self.name.span)

    @property
    def is_torch_impl(self) -> bool:
        """Whether it is a `TORCH_IMPL_FUNC`."""
        return self.function is not None and self.function.kind is FunctionKind.TORCH_IMPL


class CallSite(NamedTuple):
    """A call that hands a string on, and the function it stands in."""

    caller: HostFunction
    call: Call


class HostDocument:
    """One document's facts, in the shape in which they are asked for."""

    def __init__(self, uri: Uri, facts: HostFacts, objective: bool, macros: Macros) -> None:
        """Look at `facts`; `macros` are those of all other documents, by name."""
        self.uri = uri
        self.facts = facts
        self.objective = objective
        self._shared = macros

    @cached_property
    def macros(self) -> Macros:
        """The macros that the document defines or may get from a header; its own come first.

        Of several definitions in the document, the last counts.
        """
        return {**self._shared, **macros_of(self.facts)}

    @cached_property
    def items(self) -> list[tuple[Stated, ItemFacts, str]]:
        """What the document states, item by item, with the macro that made it or ""."""
        found: list[tuple[Stated, ItemFacts, str]] = []
        for item in self.facts.items:
            stated = Stated(self.uri, item.start)
            found.append((stated, item.facts, ""))
            for invocation in item.facts.invocations:
                made = self._expanded(invocation)
                found += [(stated, facts, invocation.name.text) for facts in made]
        return found

    def _expanded(self, invocation: Invocation) -> tuple[ItemFacts, ...]:
        macro = self.macros.get(invocation.name.text)
        if macro is None or macro.parameters is None:
            return ()
        return expanded(invocation, macro, self.macros)

    @cached_property
    def functions(self) -> list[HostFunction]:
        """Every function the document defines."""
        found: list[HostFunction] = []
        for stated, facts, macro in self.items:
            found += [
                HostFunction(stated, function.name, function, macro) for function in facts.functions
            ]
            found += [HostFunction(stated, name, None, macro) for name in facts.defined]
        return found

    @cached_property
    def functions_by_name(self) -> dict[str, tuple[HostFunction, ...]]:
        """The document's functions, by name."""
        return grouped(self.functions, lambda function: function.name.text)

    @cached_property
    def calls(self) -> dict[str, tuple[CallSite, ...]]:
        """The calls that hand strings on, by the name of what is called."""
        sites = [
            CallSite(function, call)
            for function in self.functions
            if function.function
            for call in function.function.calls
        ]
        return grouped(sites, lambda site: site.call.function.text)

    @cached_property
    def constants(self) -> dict[str, Constant]:
        """The document's string constants, by name."""
        return {
            constant.name.text: constant
            for _, facts, _ in self.items
            for constant in facts.constants
        }

    def stubs(self) -> list[tuple[Stated, StubDeclaration]]:
        """Return the stubs that the document declares or defines."""
        return self._stubs

    def registrations(self) -> list[tuple[Stated, StubRegistration]]:
        """Return the stub registrations of the document."""
        return self._registrations

    @cached_property
    def _stubs(self) -> list[tuple[Stated, StubDeclaration]]:
        return [(stated, stub) for stated, facts, _ in self.items for stub in facts.stubs]

    @cached_property
    def _registrations(self) -> list[tuple[Stated, StubRegistration]]:
        return [(stated, it) for stated, facts, _ in self.items for it in facts.registrations]

    def impls(self) -> Iterator[tuple[Stated, LibraryImpl]]:
        """Yield the document's `m.impl` and `m.def`."""
        for stated, facts, _ in self.items:
            yield from ((stated, impl) for impl in facts.impls)

    def shaders(self) -> Iterator[tuple[Stated, Shader]]:
        """Yield the MSL that the document holds in strings."""
        for stated, facts, _ in self.items:
            yield from ((stated, shader) for shader in facts.shaders)

    def libraries(self) -> Iterator[tuple[Stated, ShaderLibrary]]:
        """Yield the Metal libraries that the document declares."""
        for stated, facts, _ in self.items:
            yield from ((stated, library) for library in facts.libraries)


def macros_of(facts: HostFacts) -> dict[str, Macro]:
    """Return the macros that a document defines, but for those that the readers know by name."""
    return {
        macro.name.text: macro_of(macro.name.text, macro.parameters, macro.body)
        for macro in facts.macros
        if not is_known(macro.name.text)
    }


def grouped(values: list[T], key: Callable[[T], str]) -> dict[str, tuple[T, ...]]:
    """Return `values` by their key, in order."""
    found: dict[str, list[T]] = {}
    for value in values:
        found.setdefault(key(value), []).append(value)
    return {name: tuple(group) for name, group in found.items()}


def merged(tables: Iterable[Mapping[str, tuple[T, ...]]]) -> dict[str, tuple[T, ...]]:
    """Return the values of all `tables` by name, in order."""
    found: dict[str, tuple[T, ...]] = {}
    for table in tables:
        for name, values in table.items():
            found[name] = found[name] + values if name in found else values
    return found
