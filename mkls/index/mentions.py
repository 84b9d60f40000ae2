"""Host functions that nothing mentions: not registered, not called, not declared elsewhere."""

import re
from collections.abc import Iterator, Mapping
from typing import Final

from mkls.facts.model.host import FunctionKind
from mkls.index.host_documents import HostFunction
from mkls.index.links import has_rows, named_functions
from mkls.index.operators import MPS, Row
from mkls.index.snapshot import Snapshot
from mkls.text.document import Uri

_FOR_MPS: Final = re.compile(r"_mps_?\Z|_mps_(?:out|symint)\Z|_out_mps")


_SUFFIX: Final = re.compile(r"(?:_out)?_mps(?:_out)?_?\Z")


def rows_like_function(snapshot: Snapshot, name: str) -> list[Row]:
    """Return the rows without MPS of the operator after which host function `name` is called."""
    rows = snapshot.operators.rows_of_base(_SUFFIX.sub("", name))
    return [row for row in rows if row.line(MPS) is None and row.entry.dispatch]


def unused_iterator_functions(snapshot: Snapshot, uri: Uri) -> list[HostFunction]:
    """Return the file-local functions of `uri` that take an iterator and that it never mentions."""
    document = snapshot.host.document(uri)
    text = snapshot.sources[uri].document.text
    return [
        it
        for it in (document.functions if document else ())
        if _takes_iterator(it) and _is_said_once(it.name.text, text)
    ]


def _takes_iterator(it: HostFunction) -> bool:
    function = it.function
    if function is None or it.macro or not function.internal:
        return False
    is_free = function.kind is FunctionKind.FREE
    return is_free and any("TensorIterator" in parameter.type for parameter in function.parameters)


def _is_said_once(name: str, text: str) -> bool:
    return text.count(name) == 1 or len(re.findall(rf"\b{name}\b", text)) == 1


def unmentioned_functions(snapshot: Snapshot, uri: Uri) -> tuple[HostFunction, ...]:
    """Return the functions of `uri` that are named as rows name them, and that nothing mentions."""
    return snapshot.once(_unmentioned).get(uri, ())


def _unmentioned(snapshot: Snapshot) -> Mapping[Uri, tuple[HostFunction, ...]]:
    if not has_rows(snapshot):
        return {}
    found: dict[Uri, list[HostFunction]] = {}
    texts = {it.uri: snapshot.sources[it.uri].document.text for it in snapshot.host.documents}
    for it in _row_like_functions(snapshot):
        if not _is_said_once(it.name.text, texts[it.uri]):
            continue
        if not any(it.name.text in text for uri, text in texts.items() if uri != it.uri):
            found.setdefault(it.uri, []).append(it)
    return {uri: tuple(functions) for uri, functions in found.items()}


def _row_like_functions(snapshot: Snapshot) -> Iterator[HostFunction]:
    named = named_functions(snapshot)
    for uri in snapshot.sources:
        document = snapshot.host.document(uri) if uri.endswith(".mm") else None
        for it in document.functions if document else ():
            function = it.function
            if function is None or function.kind is not FunctionKind.FREE or function.internal:
                continue
            if not it.macro and _FOR_MPS.search(it.name.text) and it.name.text not in named:
                yield it
