"""Host functions, stubs, Metal libraries and kernel lookups of the whole workspace."""

from collections.abc import Iterator, Mapping
from functools import cached_property
from typing import TypeVar

from mkls.facts.model.cpp import CppFacts
from mkls.facts.model.host import HostFacts, LibraryImpl
from mkls.index.host_documents import HostDocument, HostFunction, Macros, macros_of, merged
from mkls.index.lookup_answers import LookupAnswers, results_of
from mkls.index.lookup_formulas import DTYPES_2_13
from mkls.index.lookups import LinkedLookup, LookupMemo, dtypes_of, linked_lookups
from mkls.index.place import Place
from mkls.index.stubs import Reach, Stubs
from mkls.syntax.metal.macro import Macro
from mkls.text.document import Uri

T = TypeVar("T")


_Table = tuple[list[HostDocument], Mapping[str, tuple[HostFunction, ...]]]
"""The functions of some documents, by name."""
_PART = 64


class HostMemo:
    """What earlier indexes worked out, by the identity of the facts it came from.

    One belongs to each workspace; a fresh one only costs time.
    """

    def __init__(self) -> None:
        """Remember nothing yet."""
        self.documents: dict[tuple[Uri, int, int], HostDocument] = {}
        self.tables: list[_Table] = []
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
        self._hosts = dict(hosts)
        self._cpps = dict(cpps)
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
        found: dict[str, Macro] = {}
        for uri, facts in self._cpps.items():
            if facts.host.macros and uri.endswith(".h"):
                found |= macros_of(facts.host)
        if found == self._memo.macros:
            return self._memo.macros
        self._memo.macros = found
        return found

    def _document(self, uri: Uri, facts: HostFacts, *, objective: bool) -> HostDocument:
        known = self._memo.documents.get((uri, id(facts), id(self._macros)))
        return known or HostDocument(uri, facts, objective, self._macros)

    # Functions

    @cached_property
    def _tables(self) -> list[Mapping[str, tuple[HostFunction, ...]]]:
        """The functions by name, in parts, so that an edit makes only its own part anew."""
        parts = [self._objective]
        parts += [self._plain[at : at + _PART] for at in range(0, len(self._plain), _PART)]
        known, self._memo.tables = self._memo.tables, []
        for index, documents in enumerate(parts):
            table = known[index] if index < len(known) else None
            # Documents compare by identity.
            if table is None or table[0] != documents:
                table = (documents, merged(it.functions_by_name for it in documents))
            self._memo.tables.append(table)
        return [table for _, table in self._memo.tables]

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
                known = found.get(reach.stub)
                if known is None or len(reach.path) < len(known.path):
                    found[reach.stub] = reach
        return tuple(sorted(found.values(), key=lambda reach: len(reach.path)))

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
        answers = LookupAnswers(self._objective, self._by_uri, self.functions)
        return linked_lookups(functions, answers, self.dtypes, self._memo.lookups)

    @cached_property
    def dtypes(self) -> frozenset[str]:
        """What `scalarToMetalTypeString` of this workspace returns, or that of torch 2.13."""
        results = results_of(self.functions("scalarToMetalTypeString"))
        return dtypes_of(results, DTYPES_2_13)

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
