"""Take away what a migration leaves behind: functions, their helpers, their includes."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final

from mkls.diagnostics.model import FileEdit
from mkls.facts.model.host import FunctionKind
from mkls.generation.plan import Reason, RefusedError, Step
from mkls.generation.source_edits import editable, mind_balance, whole_lines
from mkls.index.host_documents import HostFunction
from mkls.index.links import named_functions
from mkls.index.operators import Row
from mkls.index.snapshot import Snapshot
from mkls.text.document import Uri
from mkls.text.edit import Edit
from mkls.text.span import Span

_NATIVE_INCLUDE: Final = re.compile(
    r"^#include <ATen/ops/(\w+?)(_native)?\.h>[^\n]*\n", re.MULTILINE
)
_MOST_HELPERS: Final = 20


def legacy_steps(
    snapshot: Snapshot, symbols: Iterable[str], written: Mapping[Uri, str]
) -> list[Step]:
    """Return the steps that delete the host functions `symbols`, with what only they need.

    `written` is what other steps add to files: a helper that it mentions stays.

    Raises:
        RefusedError: Something else mentions one of them, or one is not found in one place.
    """
    gone: dict[Uri, list[Span]] = {}
    names: dict[Uri, list[str]] = {}
    for symbol in sorted(set(symbols)):
        function = _only_definition(snapshot, symbol)
        uri = function.uri
        text = editable(snapshot, uri)
        gone.setdefault(uri, []).append(_lines_of(text, function))
        names.setdefault(uri, []).append(symbol)
    listed = [name for group in names.values() for name in group]
    _mind_mentions(snapshot, listed, gone)
    return [
        _step(snapshot, uri, spans, names[uri], written.get(uri, "")) for uri, spans in gone.items()
    ]


def _only_definition(snapshot: Snapshot, symbol: str) -> HostFunction:
    found = snapshot.host.functions(symbol)
    if len(found) != 1 or found[0].function is None or not found[0].uri.endswith(".mm"):
        where = "in no Objective-C++ file" if not found else "in several places, or by a macro"
        raise RefusedError(Reason.NOT_FOUND, f"`{symbol}` is defined {where}: delete it by hand")
    mind_balance(found[0].uri, snapshot.sources[found[0].uri].document.text)
    return found[0]


def _lines_of(text: str, function: HostFunction) -> Span:
    """Return the whole lines of a definition, its comments and one blank line included."""
    span = whole_lines(text, function.place.span)
    start, end = span.start, span.end
    while not function.macro and start > 0:
        above = text.rfind("\n", 0, start - 1) + 1
        line = text[above : start - 1].strip()
        if not line.startswith("//") and not line.startswith("template"):
            break
        start = above
    after = text.find("\n", end)
    follows_blank = start == 0 or text[:start].endswith(("\n\n", "\n\r\n"))
    if not function.macro and follows_blank and after >= 0 and not text[end:after].strip():
        end = after + 1
    return Span(start, end)


def _mind_mentions(
    snapshot: Snapshot, symbols: Sequence[str], gone: Mapping[Uri, Sequence[Span]]
) -> None:
    """Refuse when host code outside of `gone` mentions one of `symbols`."""
    for symbol in symbols:
        for uri, text in _texts_with(snapshot, symbol):
            for match in _words(symbol, text):
                if not _within(match.start(), gone.get(uri, ())) and not _comment(text, match):
                    line = snapshot.sources[uri].document.lines.line(match.start()) + 1
                    raise RefusedError(
                        Reason.STILL_USED,
                        f"`{symbol}` is still used: {uri.rpartition('/')[2]}, line {line}",
                    )


def _texts_with(snapshot: Snapshot, word: str) -> Iterator[tuple[Uri, str]]:
    for it in snapshot.host.documents:
        text = snapshot.sources[it.uri].document.text
        if word in text and it.uri not in snapshot.library:
            yield it.uri, text


def _words(symbol: str, text: str) -> Iterator["re.Match[str]"]:
    return re.finditer(rf"\b(?:structured_)?{re.escape(symbol)}\b", text)


def _within(at: int, spans: Iterable[Span]) -> bool:
    return any(it.start <= at < it.end for it in spans)


def _comment(text: str, match: "re.Match[str]") -> bool:
    return "//" in text[text.rfind("\n", 0, match.start()) + 1 : match.start()]


def _step(
    snapshot: Snapshot, uri: Uri, spans: Sequence[Span], names: Sequence[str], written: str
) -> Step:
    text = snapshot.sources[uri].document.text
    removed = list(spans)
    helpers = _unused_helpers(snapshot, uri, text, removed, written)
    removed += [span for _, span in helpers]
    removed += list(_unused_includes(snapshot, text, removed, written, names))
    titles = ", ".join(f"`{it}`" for it in (*names, *(name for name, _ in helpers)))
    edits = tuple(FileEdit(uri, Edit(span, "")) for span in _merged(removed))
    file = uri.rpartition("/")[2]
    return Step(f"Delete {titles} from {file}", edits, doubt="What is deleted ran until now")


def _unused_helpers(
    snapshot: Snapshot, uri: Uri, text: str, removed: Sequence[Span], written: str
) -> list[tuple[str, Span]]:
    """Return the functions of the file that only what is removed has called."""
    document = snapshot.host.document(uri)
    named = named_functions(snapshot)
    gone = list(removed)
    found: list[tuple[str, Span]] = []
    for _ in range(_MOST_HELPERS):
        left = _blanked(text, gone)
        nearer = [
            (it.name.text, _lines_of(text, it))
            for it in (document.functions if document else ())
            if _may_go(it, named, gone)
            and _is_called_in(it.name.text, text, gone)
            and _only_defined(snapshot, it, left, written)
        ]
        if not nearer:
            break
        found.append(nearer[0])
        gone.append(nearer[0][1])
    return found


def _may_go(it: HostFunction, named: frozenset[str], gone: Sequence[Span]) -> bool:
    function = it.function
    if function is None or it.macro or function.kind is not FunctionKind.FREE:
        return False
    if it.name.text in named or function.qualifier:
        return False
    return not _within(it.place.span.start, gone)


def _is_called_in(name: str, text: str, spans: Iterable[Span]) -> bool:
    return any(re.search(rf"\b{re.escape(name)}\b", it.of(text)) for it in spans)


def _only_defined(snapshot: Snapshot, it: HostFunction, left: str, written: str) -> bool:
    """Whether what is left of the file, and all other files, say the name nowhere else."""
    word = re.compile(rf"\b{re.escape(it.name.text)}\b")
    if word.search(written) or len(word.findall(left)) != 1:
        return False
    if it.function is not None and it.function.internal:
        return True
    return not any(
        uri != it.uri and word.search(text) for uri, text in _texts_with(snapshot, it.name.text)
    )


def _blanked(text: str, spans: Iterable[Span]) -> str:
    for it in spans:
        text = text[: it.start] + " " * (it.end - it.start) + text[it.end :]
    return text


def _unused_includes(
    snapshot: Snapshot, text: str, removed: Sequence[Span], written: str, names: Sequence[str]
) -> Iterator[Span]:
    """Yield the includes of operators' headers of which nothing is used any more."""
    left = _blanked(text, removed)
    bases = {
        row.entry.base
        for row in snapshot.operators.rows
        for line in row.entry.dispatch
        if line.function and line.function.symbol in names
    }
    for include in _NATIVE_INCLUDE.finditer(text):
        if not include[2] or include[1] not in bases:
            continue
        symbols = _symbols(snapshot, include[1])
        used = any(re.search(rf"\b{re.escape(it)}\b", left + written) for it in symbols)
        if not used:
            yield Span(*include.span())


def _symbols(snapshot: Snapshot, base: str) -> set[str]:
    """Return what `ATen/ops/BASE_native.h` declares."""
    rows = snapshot.operators.rows_of_base(base)
    named = {line.function.symbol for row in rows for line in row.entry.dispatch if line.function}
    return {*named, *(row.name.replace(".", "_") for row in rows if not row.entry.has_dispatch)}


def _merged(spans: Iterable[Span]) -> list[Span]:
    merged: list[Span] = []
    for it in sorted(spans):
        if merged and it.start <= merged[-1].end:
            merged[-1] = Span(merged[-1].start, max(merged[-1].end, it.end))
        else:
            merged.append(it)
    return merged


def still_dispatched(snapshot: Snapshot, rows: Sequence[Row], symbol: str) -> list[Row]:
    """Return the rows beside `rows` that name host function `symbol`."""
    mine = {row.name for row in rows}
    return [
        row
        for row in snapshot.operators.rows
        if row.name not in mine
        and any(it.function and it.function.symbol == symbol for it in row.entry.dispatch)
    ]
