"""Links in a document: includes, names of operators and functions in rows, kernels in strings.

A link leads to one place; of several kernels that a text may mean, it is the first.
"""

from collections.abc import Iterator

import msgspec

from mkls.facts.model.cpp import CppFacts
from mkls.facts.model.host import HostFacts
from mkls.facts.model.metal import MetalFacts
from mkls.facts.model.native_functions import NativeFunctionsFacts
from mkls.features.definition import definitions
from mkls.index.links import lookups_in
from mkls.index.operators import Row
from mkls.index.snapshot import Snapshot
from mkls.text.document import Uri
from mkls.text.span import Span


class Link(msgspec.Struct, frozen=True):
    """A text that leads somewhere; `target` is None for one that is looked for when it is used."""

    span: Span
    target: Uri | None = None


def document_links(snapshot: Snapshot, uri: Uri) -> list[Link]:
    """Return the links of `uri`, in the order of the text."""
    source = snapshot.sources.get(uri)
    facts = source.facts if source else None
    if isinstance(facts, MetalFacts):
        found = _in_metal(snapshot, uri, facts)
    elif isinstance(facts, HostFacts):
        found = _in_host(snapshot, uri, facts)
    elif isinstance(facts, CppFacts):
        found = _in_host(snapshot, uri, facts.host)
    elif isinstance(facts, NativeFunctionsFacts):
        found = _in_rows(snapshot, uri)
    else:
        return []
    return sorted({it.span: it for it in found}.values(), key=lambda it: it.span)


def link_target(snapshot: Snapshot, uri: Uri, span: Span) -> tuple[Uri, Span] | None:
    """Return where the link at `span` of `uri` leads, None when nothing is there any more."""
    found = definitions(snapshot, uri, span.start + 1)
    return (found[0].uri, found[0].span) if found else None


def _in_metal(snapshot: Snapshot, uri: Uri, facts: MetalFacts) -> Iterator[Link]:
    for include in facts.includes:
        target = snapshot.kernels.includes.resolve(include.path, include.quoted, uri)
        if target:
            yield Link(include.span, target)


def _in_host(snapshot: Snapshot, uri: Uri, facts: HostFacts) -> Iterator[Link]:
    by_name = snapshot.once(_by_file_name)
    for include in facts.includes:
        suffix = "/" + include.path.text
        named = by_name.get(suffix.rpartition("/")[2], ())
        target = next((it for it in named if it.endswith(suffix)), None)
        if target:
            yield Link(include.path.span, target)
    for linked in lookups_in(snapshot, uri):
        for request in linked.requests:
            if request.place.uri == uri and request.names.kernels(snapshot.host_names):
                yield Link(request.place.span)


def _by_file_name(snapshot: Snapshot) -> dict[str, list[Uri]]:
    found: dict[str, list[Uri]] = {}
    for uri in snapshot.sources:
        found.setdefault(uri.rpartition("/")[2], []).append(uri)
    return found


def _in_rows(snapshot: Snapshot, uri: Uri) -> Iterator[Link]:
    for row in snapshot.operators.rows_in.get(uri, ()):
        yield from (Link(row.place(span)) for span in _names(snapshot, row))


def _names(snapshot: Snapshot, row: Row) -> Iterator[Span]:
    entry = row.entry
    if entry.structured_delegate and entry.structured_delegate.text in snapshot.operators.by_name:
        yield entry.structured_delegate.span
    for name in entry.autogen:
        if name.text in snapshot.operators.by_name:
            yield name.span
    for line in entry.dispatch:
        if line.function and snapshot.host.functions(line.function.symbol):
            yield line.function.span
