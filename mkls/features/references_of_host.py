"""Every place that names a host function."""

from collections.abc import Iterable, Iterator

from mkls.features.occurrences import Occurrence, host_documents, in_host_code
from mkls.index.host_documents import HostFunction
from mkls.index.snapshot import Snapshot
from mkls.text.document import Uri
from mkls.text.span import Span

_QUALIFIERS = ("native", "mps")


def function_occurrences(
    snapshot: Snapshot, name: str, uri: Uri | None, only: Uri | None = None
) -> Iterator[Occurrence]:
    """Yield where host function `name` is named, as it is meant in `uri`; in code, just `only`.

    A file's own static function is meant in that file alone.
    """
    functions = snapshot.host.functions(name)
    scope = function_scope(snapshot, functions, uri)
    if only is not None:
        scope = [it for it in scope if it == only]
    yield from _definitions(functions, scope)
    if uri is None or uri not in private_files(functions):
        yield from row_occurrences(snapshot, name)
    for it in in_host_code(snapshot, name, scope):
        if _is_function(snapshot.sources[it.uri].document.text, it.span):
            yield it


def is_file_local(function: HostFunction) -> bool:
    """Whether only its own file can name `function`."""
    internal = function.function is not None and function.function.internal
    return internal and not function.uri.endswith(".h")


def private_files(functions: Iterable[HostFunction]) -> set[Uri]:
    """Return the files that have a function of their own under a name, and no other."""
    listed = list(functions)
    return {it.uri for it in listed}.difference(it.uri for it in listed if not is_file_local(it))


def function_scope(
    snapshot: Snapshot, functions: tuple[HostFunction, ...], uri: Uri | None
) -> list[Uri]:
    """Return the documents in which the name of `functions` means what it means in `uri`."""
    local = private_files(functions)
    if uri is not None and uri in local:
        return [uri]
    return [it for it in host_documents(snapshot) if it not in local]


def row_occurrences(snapshot: Snapshot, name: str) -> Iterator[Occurrence]:
    """Yield where rows name host function `name` behind dispatch keys."""
    for row in snapshot.operators.rows:
        for line in row.entry.dispatch:
            if line.function and line.function.symbol == name:
                span = row.place(line.function.span)
                yield Occurrence(row.uri, Span(span.end - len(name), span.end))


def _definitions(functions: tuple[HostFunction, ...], scope: list[Uri]) -> Iterator[Occurrence]:
    within = frozenset(scope)
    for it in functions:
        if it.uri in within:
            place = it.name_place
            yield Occurrence(place.uri, place.span, declares=True)


def _is_function(text: str, span: Span) -> bool:
    """Whether the name at `span` can mean a free function: no member, no other namespace's."""
    before = text[max(0, span.start - 64) : span.start].rstrip()
    if before.endswith((".", "->")):
        return False
    if before.endswith("::"):
        return before[:-2].endswith(_QUALIFIERS) or not before[-3:-2].isalnum()
    return True
