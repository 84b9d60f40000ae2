"""Which host function calls which, as far as names tell: to follow, never to judge by.

Facts hold only the calls that matter to kernels' names and to stubs. What a reader wants to follow,
from a row down to kernels, goes through helpers of any kind; so a document's text is searched for
calls when somebody asks.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Final, NamedTuple
from weakref import WeakKeyDictionary

from mkls.index.host_documents import HostDocument, HostFunction
from mkls.index.snapshot import Snapshot
from mkls.text.document import Uri

_CALLED: Final = re.compile(r"\b([A-Za-z_]\w*)\s*(?:<[\w\s:,*&]*>\s*)?\(")
_GRAPH: Final = re.compile(r"\bMPSGraph\b|\brunMPSGraph\b|CachedGraph\b")
_MOST: Final = 400
"""How many functions are followed from one: enough for any operator."""


class Calls(NamedTuple):
    """What the functions of one document call, in the order of `HostDocument.functions`."""

    names: tuple[frozenset[str], ...]
    uses_graph: tuple[bool, ...]
    callers: Mapping[str, tuple[HostFunction, ...]]
    """The functions of the document that call something of a name."""


_KNOWN: "WeakKeyDictionary[HostDocument, Calls]" = WeakKeyDictionary()


def calls_of(snapshot: Snapshot, document: HostDocument) -> Calls:
    """Return what the functions of `document` call; asked for again, it is known."""
    known = _KNOWN.get(document)
    if known is None:
        text = snapshot.sources[document.uri].document.text
        known = _KNOWN[document] = _calls(document, text)
    return known


def _calls(document: HostDocument, text: str) -> Calls:
    names: list[frozenset[str]] = []
    graphs: list[bool] = []
    callers: dict[str, list[HostFunction]] = {}
    for function in document.functions:
        span = function.place.span
        own = frozenset(_CALLED.findall(text, span.start, span.end))
        if function.function:
            own |= {it.function.text for it in function.function.calls}
        names.append(own - {function.name.text})
        graphs.append(_GRAPH.search(text, span.start, span.end) is not None)
        for name in names[-1]:
            callers.setdefault(name, []).append(function)
    by_name = {name: tuple(found) for name, found in callers.items()}
    return Calls(tuple(names), tuple(graphs), by_name)


def callees(snapshot: Snapshot, function: HostFunction) -> tuple[HostFunction, ...]:
    """Return the functions at hand that `function` calls: of its own document, else of others."""
    document = snapshot.host.document(function.uri)
    if document is None or not document.objective:
        return ()
    calls = calls_of(snapshot, document)
    found: list[HostFunction] = []
    for index, it in enumerate(document.functions):
        if it == function:
            for name in sorted(calls.names[index]):
                own = document.functions_by_name.get(name)
                found += own or _shared(snapshot, name)
    return tuple(found)


def _shared(snapshot: Snapshot, name: str) -> list[HostFunction]:
    """Return the functions of other documents that deal with Metal, less the hidden ones."""
    found: list[HostFunction] = []
    for it in snapshot.host.functions(name):
        document = snapshot.host.document(it.uri)
        hidden = it.function is not None and it.function.internal and not it.uri.endswith(".h")
        if document and document.objective and not hidden:
            found.append(it)
    return found


def callers(snapshot: Snapshot, function: HostFunction) -> Iterator[HostFunction]:
    """Yield the functions of documents that deal with Metal that call `function`."""
    hidden = function.function is not None and function.function.internal
    for document in snapshot.host.documents:
        if not document.objective:
            continue
        own = function.name.text in document.functions_by_name
        if document.uri == function.uri or not (own or hidden):
            yield from calls_of(snapshot, document).callers.get(function.name.text, ())


def reached(snapshot: Snapshot, start: HostFunction) -> tuple[HostFunction, ...]:
    """Return `start` and what it calls, directly and through others, nearest first.

    What lies outside of `operations` is the runtime that all operators share, and is left out.
    """

    def following(function: HostFunction) -> list[HostFunction]:
        return [it for it in callees(snapshot, function) if not is_runtime(it.uri)]

    return _closure(start, following)


def reaching(snapshot: Snapshot, start: HostFunction) -> tuple[HostFunction, ...]:
    """Return `start` and what calls it, directly and through others, nearest first."""
    return _closure(start, lambda function: callers(snapshot, function))


def is_runtime(uri: Uri) -> bool:
    """Whether a document of PyTorch's MPS backend is no operator's own."""
    return "/mps/" in uri and "/operations/" not in uri


def _closure(
    start: HostFunction, following: Callable[[HostFunction], Iterable[HostFunction]]
) -> tuple[HostFunction, ...]:
    found = {_key(start): start}
    waiting = [start]
    for function in waiting:
        for it in following(function):
            if _key(it) not in found and len(found) < _MOST:
                found[_key(it)] = it
                waiting.append(it)
    return tuple(found.values())


def uses_graph(snapshot: Snapshot, function: HostFunction) -> bool:
    """Whether the text of `function` deals with an MPSGraph."""
    document = snapshot.host.document(function.uri)
    if document is None or not document.objective:
        return False
    graphs = calls_of(snapshot, document).uses_graph
    return any(
        graph
        for it, graph in zip(document.functions, graphs, strict=True)
        if _key(it) == _key(function)
    )


def _key(function: HostFunction) -> tuple[str, int, int, str]:
    span = function.place.span
    return function.uri, span.start, span.end, function.name.text
