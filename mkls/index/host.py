"""Host functions, stubs, Metal libraries and kernel lookups of the whole workspace."""

from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property
from typing import TypeVar

from mkls.facts.model.cpp import CppFacts
from mkls.facts.model.host import HostFacts, LibraryImpl
from mkls.facts.model.name import Name
from mkls.facts.model.name_expression import Literal, NameExpression
from mkls.index.host_documents import (
    CallSite,
    HostDocument,
    HostFunction,
    Macros,
    Stated,
)
from mkls.index.lookup_folding import accepts
from mkls.index.lookup_formulas import DTYPES_2_13, FORMULAS
from mkls.index.lookups import (
    LinkedLookup,
    LookupMemo,
    dtypes_of,
    is_library_method,
    linked_lookups,
)
from mkls.index.place import Place
from mkls.index.stubs import Reach, Stubs
from mkls.syntax.host.macros import Definition
from mkls.text.document import Uri
from mkls.text.span import Span

T = TypeVar("T")


class HostMemo:
    """What earlier indexes worked out, by the identity of the facts it came from.

    One belongs to each workspace; a fresh one only costs time.
    """

    def __init__(self) -> None:
        """Remember nothing yet."""
        self.documents: dict[tuple[Uri, int, int], HostDocument] = {}
        self.tables: dict[str, tuple[tuple[int, ...], Mapping[str, tuple[HostFunction, ...]]]] = {}
        self.macros: Macros = {}
        self.lookups = LookupMemo()
        self.last: HostIndex | None = None


def host_index(
    hosts: Mapping[Uri, HostFacts], cpps: Mapping[Uri, CppFacts], memo: HostMemo | None = None
) -> "HostIndex":
    """Return the index of all host documents; with `memo`, only what changed is worked out."""
    memo = HostMemo() if memo is None else memo
    if memo.last is not None and memo.last.is_of(hosts, cpps):
        return memo.last
    memo.last = HostIndex(hosts, cpps, memo)
    return memo.last


class HostIndex:
    """Host functions, stubs, Metal libraries and kernel lookups of the whole workspace."""

    def __init__(
        self, hosts: Mapping[Uri, HostFacts], cpps: Mapping[Uri, CppFacts], memo: HostMemo
    ) -> None:
        """Index `hosts` and `cpps`, taking from `memo` what still holds."""
        self._hosts = hosts
        self._cpps = cpps
        self._memo = memo
        self._macros = self._shared_macros()
        self._objective = [
            *(self._document(uri, facts, objective=True) for uri, facts in hosts.items()),
            *(
                self._document(uri, facts.host, objective=True)
                for uri, facts in cpps.items()
                if facts.objective
            ),
        ]
        self._plain = [
            self._document(uri, facts.host, objective=False)
            for uri, facts in cpps.items()
            if not facts.objective
        ]
        memo.documents = {(it.uri, id(it.facts), id(self._macros)): it for it in self.documents}
        self._by_uri = {document.uri: document for document in self.documents}

    def is_of(self, hosts: Mapping[Uri, HostFacts], cpps: Mapping[Uri, CppFacts]) -> bool:
        """Whether this is the index of exactly these facts."""
        return _same(self._hosts, hosts) and _same(self._cpps, cpps)

    @property
    def documents(self) -> list[HostDocument]:
        """Every document, those that deal with Metal first."""
        return [*self._objective, *self._plain]

    def document(self, uri: Uri) -> HostDocument | None:
        """Return the document `uri`."""
        return self._by_uri.get(uri)

    def _shared_macros(self) -> Macros:
        """Return the macros of headers: what a document may get by including one."""
        found = {
            macro.name.text: Definition(macro.parameters, macro.body)
            for uri, facts in self._cpps.items()
            if uri.endswith(".h") and facts.host.macros
            for macro in facts.host.macros
        }
        if found == self._memo.macros:
            return self._memo.macros
        self._memo.macros = found
        return found

    def _document(self, uri: Uri, facts: HostFacts, *, objective: bool) -> HostDocument:
        known = self._memo.documents.get((uri, id(facts), id(self._macros)))
        return known or HostDocument(uri, facts, objective, self._macros)

    # Functions

    @cached_property
    def _tables(self) -> tuple[Mapping[str, tuple[HostFunction, ...]], ...]:
        return (self._table("host", self._objective), self._table("cpp", self._plain))

    def _table(
        self, name: str, documents: list[HostDocument]
    ) -> Mapping[str, tuple[HostFunction, ...]]:
        key = tuple(map(id, documents))
        known = self._memo.tables.get(name)
        if known is None or known[0] != key:
            known = (key, _merged(document.functions_by_name for document in documents))
            self._memo.tables[name] = known
        return known[1]

    def functions(self, name: str) -> tuple[HostFunction, ...]:
        """Return the definitions of host function `name`, those in Metal documents first."""
        return tuple(function for table in self._tables for function in table.get(name, ()))

    def orphans_in(self, uri: Uri, named: frozenset[str]) -> list[HostFunction]:
        """Return the `TORCH_IMPL_FUNC`s of `uri` that no name of `named` dispatches to."""
        document = self._by_uri.get(uri)
        return [
            function
            for function in (document.functions if document else ())
            if function.is_torch_impl and function.name.text not in named
        ]

    @property
    def names(self) -> list[str]:
        """The names of all host functions, those in Metal documents first."""
        return list(dict.fromkeys(name for table in self._tables for name in table))

    # Stubs

    @cached_property
    def stubs(self) -> Stubs:
        """Every dispatch stub."""
        return Stubs(self.documents)

    def reaches(self, name: str) -> tuple[Reach, ...]:
        """Return the stubs that host function `name` calls, itself or through helpers of its file.

        Several functions may have the name: those of all are returned. Each stub is listed once,
        with a shortest path.
        """
        found: dict[str, Reach] = {}
        for function in self.functions(name):
            for reach in self._reaches_from(function):
                found.setdefault(reach.stub, reach)
        return tuple(found.values())

    def _reaches_from(self, start: HostFunction) -> Iterator[Reach]:
        queue: list[tuple[HostFunction, ...]] = [(start,)]
        seen = {start.name.text}
        for path in queue:
            last = path[-1]
            if last.function is None:
                continue
            own = self._by_uri[last.uri].functions_by_name
            for use in last.function.uses:
                name = use.name.text
                if name in self.stubs.by_name:
                    yield Reach(name, path, last.stated.place(use.name.span))
                elif name not in seen:
                    seen.add(name)
                    queue += [(*path, helper) for helper in own.get(name, ())]

    # Lookups

    @cached_property
    def lookups(self) -> tuple[LinkedLookup, ...]:
        """Every kernel lookup, in document order, with the names it asks for."""
        functions = (function for document in self._objective for function in document.functions)
        return linked_lookups(functions, self, self.dtypes, self._memo.lookups)

    @cached_property
    def lookups_by_uri(self) -> Mapping[Uri, tuple[LinkedLookup, ...]]:
        """The lookups of each document."""
        found: dict[Uri, list[LinkedLookup]] = {}
        for linked in self.lookups:
            found.setdefault(linked.function.uri, []).append(linked)
        return {uri: tuple(group) for uri, group in found.items()}

    @cached_property
    def dtypes(self) -> frozenset[str]:
        """What `scalarToMetalTypeString` of this workspace returns, or that of torch 2.13."""
        results = [
            (function, function.function.returns)
            for function in self.functions("scalarToMetalTypeString")
            if function.function and function.function.returns
        ]
        return dtypes_of(tuple(results), DTYPES_2_13)

    @cached_property
    def _sites(self) -> Mapping[str, tuple[CallSite, ...]]:
        return _merged(document.calls for document in self._objective)

    def callers(self, function: HostFunction) -> tuple[CallSite, ...]:
        """Return the calls that hand a string to `function`."""
        sites = self._sites.get(function.name.text, ())
        return tuple(site for site in sites if self._means(site, function))

    def _means(self, site: CallSite, function: HostFunction) -> bool:
        if function.function is None:
            return False
        own = function.name.text in self._by_uri[site.caller.uri].functions_by_name
        if site.caller.uri != function.uri:
            hidden = function.function.internal and not function.uri.endswith(".h")
            if own or hidden:
                return False
        return accepts(function.function, len(site.call.arguments))

    def results(self, uri: Uri, name: str) -> tuple[tuple[HostFunction, NameExpression], ...]:
        """Return what the functions, or the constant, that `name` means in `uri` evaluate to."""
        document = self._by_uri[uri]
        functions = document.functions_by_name.get(name) or self.functions(name)
        found = [
            (function, function.function.returns)
            for function in functions
            if function.function and function.function.returns
        ]
        return tuple(found) or tuple(self._constant(document, name))

    def _constant(
        self, document: HostDocument, name: str
    ) -> Iterator[tuple[HostFunction, NameExpression]]:
        holders = [document, *(it for it in self._objective if it.uri.endswith(".h"))]
        for holder in holders:
            if constant := holder.constants.get(name):
                stated = Stated(holder.uri, 0)
                yield HostFunction(stated, constant.name, None, ""), constant.value
                return
        definition = document.macros.get(name) or self._macros.get(name)
        if definition and definition.parameters is None:
            text = definition.body.strip()
            if len(text) > 1 and text[0] == text[-1] == '"' and "\\" not in text:
                literal = Literal(text[1:-1], Span(0, 0))
                stated = Stated(document.uri, 0)
                yield HostFunction(stated, _nameless(name), None, name), literal

    def formulas(self, name: str) -> tuple[NameExpression, ...]:
        """Return what `exec_*` function `name` of this workspace's library asks for.

        A workspace without the library's source has the formula of torch 2.13.
        """
        own = tuple(
            lookup.name
            for function in self.functions(name)
            if is_library_method(function) and function.function
            for lookup in function.function.lookups
            if not lookup.function.text.startswith("exec_")
        )
        if own:
            return own
        return (FORMULAS[name],) if name in FORMULAS else ()

    # Registrations of operators

    @cached_property
    def library_impls(self) -> Mapping[str, tuple[tuple[Place, LibraryImpl], ...]]:
        """The `m.impl` of `TORCH_LIBRARY_IMPL(aten, MPS, m)` blocks, by operator."""
        found: dict[str, list[tuple[Place, LibraryImpl]]] = {}
        for document in self.documents:
            for stated, impl in document.impls():
                if impl.namespace == "aten" and impl.dispatch_key == "MPS" and not impl.defines:
                    place = stated.place(impl.span)
                    found.setdefault(impl.operator.text, []).append((place, impl))
        return {operator: tuple(impls) for operator, impls in found.items()}


def _same(before: Mapping[Uri, T], after: Mapping[Uri, T]) -> bool:
    return len(before) == len(after) and all(
        before.get(uri) is facts for uri, facts in after.items()
    )


def _merged(tables: Iterable[Mapping[str, tuple[T, ...]]]) -> dict[str, tuple[T, ...]]:
    merged: dict[str, tuple[T, ...]] = {}
    for table in tables:
        for name, values in table.items():
            merged[name] = merged[name] + values if name in merged else values
    return merged


def _nameless(name: str) -> Name:
    return Name(name, Span(0, 0))
