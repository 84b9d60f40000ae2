"""Find operators, host functions, kernels and stubs by part of their names."""

import re
from collections.abc import Iterator
from functools import lru_cache
from itertools import islice

import msgspec

from mkls.features.symbol import SymbolKind
from mkls.index.host_documents import HostDocument
from mkls.index.inline_shaders import real_place
from mkls.index.kernels import KernelIndex
from mkls.index.kernels_unit import Unit
from mkls.index.operators import Row
from mkls.index.snapshot import Snapshot
from mkls.text.document import Uri
from mkls.text.span import Span

LIMIT = 256
"""More than anybody reads; the query is to be made longer."""
_LOOKED_AT = 4000


class Named(msgspec.Struct, frozen=True, gc=False):
    """A symbol of the workspace; `container` tells where it belongs."""

    name: str
    kind: SymbolKind
    uri: Uri
    span: Span
    container: str = ""


def workspace_symbols(snapshot: Snapshot, query: str, most: int = LIMIT) -> list[Named]:
    """Return the symbols whose names hold the characters of `query` in order, best first.

    Upper and lower case are alike. A match of neighbouring characters, at the start of a word, in
    a short name is better. An empty query matches everything.
    """
    table = snapshot.once(_table)
    wanted = "".join(query.lower().split())
    if not wanted:
        return table.names[:most]
    pattern = re.compile("^[^\n]*?" + "[^\n]*?".join(map(re.escape, wanted)), re.MULTILINE)
    found = islice(pattern.finditer(table.text), _LOOKED_AT)
    lines = sorted({table.line(match.start()) for match in found})
    ranked = sorted(lines, key=lambda it: _rank(wanted, table.names[it].name))
    return [table.names[it] for it in ranked[:most]]


def _rank(wanted: str, name: str) -> tuple[int, int, str]:
    """Return how badly `name` fits, least first."""
    lower = name.lower()
    at = lower.find(wanted)
    if at < 0:
        return 3, len(name), name
    starts_word = at == 0 or not lower[at - 1].isalnum()
    return 0 if lower == wanted else 1 if starts_word else 2, len(name), name


class _Table:
    """All symbols, and their names in lower case, one a line."""

    def __init__(self, names: list[Named]) -> None:
        self.names = names
        self.text = "\n".join(it.name.lower() for it in names)
        self._starts: dict[int, int] = {}
        at = 0
        for index, it in enumerate(names):
            self._starts[at] = index
            at += len(it.name.lower()) + 1

    def line(self, start: int) -> int:
        return self._starts[start]


def _table(snapshot: Snapshot) -> _Table:
    found: list[Named] = []
    for uri, rows in snapshot.operators.rows_in.items():
        found += _of_rows(uri, rows)
    for document in snapshot.host.documents:
        found += _of_document(document)
    for index in (snapshot.kernels, snapshot.inline_kernels):
        for unit in index.units.values():
            found += _of_unit(unit)
        found += _macros(index)
    unique = {(it.uri, it.span, it.name): it for it in found if it.name and "\n" not in it.name}
    return _Table([it for it in unique.values() if it.uri in snapshot.sources])


def _of_rows(uri: Uri, rows: list[Row]) -> Iterator[Named]:
    for row in rows:
        yield Named(row.name, SymbolKind.OVERLOAD, uri, row.name_span, "native_functions.yaml")


@lru_cache(maxsize=4096)
def _of_document(document: HostDocument) -> tuple[Named, ...]:
    """Return the functions and stubs of a host document, which is the same until it is edited."""
    file = document.uri.rpartition("/")[2]
    found: list[Named] = []
    for function in document.functions:
        place = function.name_place
        found.append(Named(function.name.text, SymbolKind.FUNCTION, place.uri, place.span, file))
    for stated, stub in document.stubs():
        place = stated.place(stub.stub.span)
        found.append(Named(stub.stub.text, SymbolKind.STUB, place.uri, place.span, file))
    return tuple(found)


def _of_unit(unit: Unit) -> Iterator[Named]:
    file = unit.uri.rpartition("/")[2]
    for kernel in unit.kernels:
        place = real_place(kernel.uri, kernel.name_span or kernel.span)
        yield Named(kernel.host_name, SymbolKind.KERNEL, place.uri, place.span, file)
    for uri, facts in unit.visited.items():
        for functor in facts.functors:
            place = real_place(uri, functor.name.span)
            yield Named(functor.name.text, SymbolKind.STRUCT, place.uri, place.span, file)
        for template in (it for it in facts.kernels if it.is_template):
            place = real_place(uri, template.name.span)
            yield Named(template.name.text, SymbolKind.FAMILY, place.uri, place.span, file)


def _macros(index: KernelIndex) -> Iterator[Named]:
    for name, family in index.families.items():
        if family.definition:
            place = real_place(family.definition.uri, family.definition.span)
            file = family.definition.uri.rpartition("/")[2]
            yield Named(name, SymbolKind.MACRO, place.uri, place.span, file)
