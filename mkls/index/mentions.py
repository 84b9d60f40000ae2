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

_FOR_MPS: Final = re.compile(r"\A_mps_|_mps_?\Z|_mps_(?:out|symint)\Z|_out_mps")


_AFFIX: Final = re.compile(r"(?:_out)?_mps(?:_out)?_?\Z|\A_mps_")
_UNTELLING: Final = re.compile(r"\A(?:native|special|linalg)?_+")
_BACKEND: Final = re.compile(r"_(?:cpu|cuda|mps)(?![a-z])_?")
_QUOTED: Final = re.compile(r'"(?:\\.|[^"\\\n])*"|//[^\n]*')


def rows_like_function(snapshot: Snapshot, name: str) -> list[Row]:
    """Return the rows of the operator after which host function `name` is called.

    Those with an MPS function of their own name are left out. A function may say more than its
    operator: `as_strided_tensorimpl_mps`.
    """
    base = _AFFIX.sub("", name)
    bare = snapshot.once(_by_bare_name)
    words = _bare(base).split("_")
    shorter = ("_".join(words[:count]) for count in range(len(words), 0, -1))
    alike = snapshot.once(_by_backend_function).get(_BACKEND.sub("_", name), ())
    own = snapshot.operators.rows_of_base(base)
    for rows in (own, alike, *(bare.get(it, ()) for it in shorter)):
        if found := [row for row in rows if row.entry.dispatch and not _has_its_own(row)]:
            return found
    return []


def _by_backend_function(snapshot: Snapshot) -> Mapping[str, list[Row]]:
    """Return the rows by the names of their functions, without the backends in these."""
    found: dict[str, list[Row]] = {}
    for row in snapshot.operators.rows:
        for name in {it.function.symbol for it in row.entry.dispatch if it.function}:
            if _BACKEND.search(name):
                found.setdefault(_BACKEND.sub("_", name), []).append(row)
    return found


def _has_its_own(row: Row) -> bool:
    function = row.function(MPS)
    return function is not None and row.is_own_line() and _bare(row.entry.base) in function.text


def _by_bare_name(snapshot: Snapshot) -> Mapping[str, list[Row]]:
    """Return the rows by base name, and by base name and overload."""
    found: dict[str, list[Row]] = {}
    for row in snapshot.operators.rows:
        for name in {_bare(row.entry.base), _bare(row.name.replace(".", "_"))}:
            found.setdefault(name, []).append(row)
    return found


def _bare(name: str) -> str:
    """Return what functions and rows have in common in their names: `_softmax` is `softmax_mps`."""
    return _UNTELLING.sub("", name).lower().removesuffix("_out").rstrip("_")


def unused_iterator_functions(snapshot: Snapshot, uri: Uri) -> list[HostFunction]:
    """Return the file-local functions of `uri` that take an iterator and that it never mentions."""
    document = snapshot.host.document(uri)
    text = snapshot.sources[uri].document.text
    return [
        it
        for it in (document.functions if document else ())
        if _takes_iterator(it) and _is_said_once(it.name.text, text)
    ]


def is_free(it: HostFunction) -> bool:
    """Whether it is a free function that is written out."""
    return it.function is not None and not it.macro and it.function.kind is FunctionKind.FREE


def is_unmentioned(snapshot: Snapshot, it: HostFunction) -> bool:
    """Whether the code that defines a function does not mention it again; a message may."""
    return _is_coded_once(it.name.text, snapshot.sources[it.uri].document.text)


def _takes_iterator(it: HostFunction) -> bool:
    function = it.function
    if function is None or it.macro or not function.internal:
        return False
    is_free = function.kind is FunctionKind.FREE
    return is_free and any("TensorIterator" in parameter.type for parameter in function.parameters)


def _is_said_once(name: str, text: str) -> bool:
    return text.count(name) == 1 or len(re.findall(rf"\b{name}\b", text)) == 1


def _is_coded_once(name: str, text: str) -> bool:
    """Whether the code of `text` says `name` once: the key of a graph may quote it."""
    if text.count(name) == 1:
        return True
    return len(re.findall(rf"\b{name}\b", _QUOTED.sub('""', text))) == 1


def _is_said(name: str, text: str) -> bool:
    return name in text and re.search(rf"\b{name}\b", _QUOTED.sub('""', text)) is not None


def unmentioned_functions(snapshot: Snapshot, uri: Uri) -> tuple[HostFunction, ...]:
    """Return the functions of `uri` that are named as rows name them, and that nothing mentions."""
    return snapshot.once(_unmentioned).get(uri, ())


def _unmentioned(snapshot: Snapshot) -> Mapping[Uri, tuple[HostFunction, ...]]:
    if not has_rows(snapshot):
        return {}
    found: dict[Uri, list[HostFunction]] = {}
    texts = {it.uri: snapshot.sources[it.uri].document.text for it in snapshot.host.documents}
    for it in _row_like_functions(snapshot):
        if not _is_coded_once(it.name.text, texts[it.uri]):
            continue
        others = (text for uri, text in texts.items() if uri != it.uri)
        if not any(_is_said(it.name.text, text) for text in others):
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
            if _FOR_MPS.search(it.name.text) and it.name.text not in named:
                yield it
