"""What may be typed in host code: names of kernels, stubs, functions, the API for kernels."""

import re
from collections.abc import Iterator
from typing import Final

from mkls.features.completion.item import Item, ItemKind, items
from mkls.features.declared import all_declared
from mkls.features.reference.entry import WordKind
from mkls.features.reference.host_api import LIBRARY
from mkls.features.reference.tables import host_words
from mkls.index.dtype_words import slots_of
from mkls.index.exec_calls import inputs_of
from mkls.index.kernels_link import Kernel
from mkls.index.links import named_functions
from mkls.index.operators import MPS
from mkls.index.snapshot import Snapshot, Source
from mkls.text.document import Uri
from mkls.text.span import Span

_WORD: Final = re.compile(r"\w*\Z")
_LOOKUP: Final = re.compile(
    r"\b(getPipelineStateForFunc|getMTLFunction|getKernelFunction|getCachedKernelFunctionPtr"
    r'|hasFunction|exec_\w+)\s*\((?:[^;"]|"[^"\n]*")*"([^"\n]*)\Z'
)
_IMPL: Final = re.compile(
    r'\bm\.(?:impl|def)\s*\(\s*(?:TORCH_SELECTIVE_NAME\()?"(?:aten::)?([\w.]*)\Z'
)
_MEMBER: Final = re.compile(r"(?:\.|->|\w::)(\w*)\Z")
_CALL: Final = re.compile(r"\b(\w+)\s*\(([^()]*)\Z")
_ARITY: Final = {"exec_unary": 1, "exec_binary": 2, "exec_ternary": 3}
_REACH: Final = 600


def string_items(snapshot: Snapshot, text: str, offset: int) -> Iterator[Item]:
    """Yield what may be typed within a string: a kernel's name, or an operator's."""
    before = text[max(0, offset - _REACH) : offset]
    if match := _LOOKUP.search(before):
        span = Span(offset - len(match[2]), offset)
        if match[1].startswith("exec_"):
            yield from _stems(snapshot, match[1], span)
        else:
            continued = re.match(r'[^"\n]*"\s*\+', text[offset : offset + _REACH]) is not None
            yield from _names(snapshot, span, continued)
    elif match := _IMPL.search(before):
        span = Span(offset - len(match[1]), offset)
        for row in snapshot.operators.rows:
            rank = 5 if row.line(MPS) else 2
            yield Item(row.name, ItemKind.OPERATOR, span, rank=rank)


def _names(snapshot: Snapshot, span: Span, continued: bool) -> Iterator[Item]:
    """Yield the kernels' names; where a dtype is added to the string, what precedes it first."""
    stems: dict[str, list[str]] = {}
    for name in snapshot.host_names.sorted:
        pattern, dtypes = slots_of(name, snapshot.host.dtypes)
        stem, hole, rest = pattern.partition("{}")
        if hole and not rest:
            stems.setdefault(stem, []).append(dtypes[0])
        yield Item(name, ItemKind.KERNEL, span, rank=5 if continued else 1)
    for stem, dtypes in stems.items():
        detail = f"{{dtype}}: {' '.join(dict.fromkeys(dtypes))}"
        yield Item(stem, ItemKind.STEM, span, rank=0 if continued else 4, detail=detail)


def _stems(snapshot: Snapshot, function: str, span: Span) -> Iterator[Item]:
    """Yield what `exec_*` functions make names of, for kernels of their arity."""
    wanted = next((it for start, it in _ARITY.items() if function.startswith(start)), 0)
    found: dict[str, list[Kernel]] = {}
    for name, kernels in snapshot.kernels.by_host_name.items():
        stem, dense, _ = name.partition("_dense")
        if dense and (inputs_of(kernels[0]) or wanted) == wanted:
            found.setdefault(stem, []).append(kernels[0])
    for stem, kernels in found.items():
        dtypes = (it for k in kernels for it in slots_of(k.host_name, snapshot.host.dtypes)[1])
        yield Item(stem, ItemKind.STEM, span, rank=1, detail=" ".join(dict.fromkeys(dtypes)))


def host_items(snapshot: Snapshot, source: Source, offset: int) -> Iterator[Item]:
    """Yield what may be typed at `offset`, outside of comments and strings."""
    text = source.document.text
    line = text[text.rfind("\n", 0, offset) + 1 : offset]
    word = _WORD.search(line)
    span = Span(offset - len(word[0] if word else ""), offset)
    before = text[max(0, offset - _REACH) : offset]
    if _MEMBER.search(line):
        yield from _members(snapshot, span)
    elif call := _CALL.search(before):
        known = list(_in_call(snapshot, source.document.uri, call[1], call[2], span))
        yield from known
        if not known and span.start < span.end:  # else it may be anything
            yield from _words(snapshot, source.document.uri, span)
    else:
        yield from _words(snapshot, source.document.uri, span)


def _members(snapshot: Snapshot, span: Span) -> Iterator[Item]:
    for word in LIBRARY:
        yield _api(snapshot, word.name, span, 1)


def _in_call(
    snapshot: Snapshot, uri: Uri, function: str, before: str, span: Span
) -> Iterator[Item]:
    if "DISPATCH" in function and function.isupper():
        if "," not in before:
            for stub in snapshot.host.stubs.by_name.values():
                rank = 3 if stub.registered else 0
                yield Item(stub.name, ItemKind.STUB, span, detail=stub.type, rank=rank)
        else:
            document = snapshot.host.document(uri)
            own = document.functions_by_name if document else {}
            yield from items(own, ItemKind.HOST_FUNCTION, span, rank=0, detail="of this file")
    elif function == "TORCH_IMPL_FUNC":
        for row in snapshot.operators.rows:
            found = row.function(MPS)
            if row.entry.structured and found:
                rank = 4 if snapshot.host.functions(found.symbol) else 0
                detail = f"for {row.name}"
                yield Item(found.symbol, ItemKind.HOST_FUNCTION, span, detail=detail, rank=rank)


def _words(snapshot: Snapshot, uri: Uri, span: Span) -> Iterator[Item]:
    for name in host_words():
        yield _api(snapshot, name, span, 2)
    for name in all_declared_names(snapshot):
        yield _api(snapshot, name, span, 4)
    yield from items(snapshot.host.stubs.by_name, ItemKind.STUB, span, rank=5)
    document = snapshot.host.document(uri)
    if document:
        own = [it.name.text for it in document.functions]
        waiting = set(own) - named_functions(snapshot)
        for name in own:
            rank = 2 if name in waiting else 3
            yield Item(name, ItemKind.HOST_FUNCTION, span, rank=rank, detail="of this file")


def all_declared_names(snapshot: Snapshot) -> Iterator[str]:
    """Yield the names that the headers of Metal's host code declare."""
    yield from snapshot.once(all_declared)


def _api(snapshot: Snapshot, name: str, span: Span, rank: int) -> Item:
    declared = snapshot.once(all_declared).get(name)
    word = host_words().get(name)
    if word and word.kind is WordKind.MACRO:
        slots = ", ".join(
            f"${{{at}:{it.strip()}}}" for at, it in enumerate(word.parameters.split(","), 1)
        )
        return Item(
            name, ItemKind.HOST_WORD, span, name, f"{name}({slots})", f"({word.parameters})", rank
        )
    parameters = ", ".join(declared[0].parameters) if declared else word.parameters if word else ""
    detail = f"({parameters})"
    return Item(name, ItemKind.HOST_WORD, span, name, f"{name}(${{1}})", detail, rank)
