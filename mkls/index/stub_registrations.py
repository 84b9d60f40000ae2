"""Where a stub would be registered for MPS: below the registrations of the function's file."""

import re
from typing import Final, NamedTuple

from mkls.index.host_documents import HostFunction
from mkls.index.place import Place
from mkls.index.snapshot import Snapshot
from mkls.text.document import Uri
from mkls.text.edit import Edit
from mkls.text.line_index import LineIndex, Position
from mkls.text.span import Span

_END: Final = r"^\}[^\S\n]*//[^\S\n]*(?:end )?namespace +"
_CLOSED: Final = re.compile(rf"{_END}([\w:]+)", re.MULTILINE)
_LAST: Final = re.compile(rf"{_END}at::native\b", re.MULTILINE)
_CALL: Final = re.compile(r"(\w+)\s*\([^,()]*,\s*(&?)")


class Registrations(NamedTuple):
    """The last registrations of a file that stand together: whole lines, and the last of them.

    A file without any has `last` None, and `lines` is where its namespace ends.
    """

    lines: Place
    last: Span | None


def registrations_at(snapshot: Snapshot, uri: Uri) -> Registrations | None:
    """Return the last block of registrations that is written out in `uri`, None without one."""
    document = snapshot.host.document(uri)
    source = snapshot.sources.get(uri)
    if document is None or source is None:
        return None
    spans = sorted(
        stated.place(it.span).span
        for stated, facts, macro in document.items
        if not macro
        for it in facts.registrations
    )
    if not spans:
        ends = [it.start() for it in _LAST.finditer(source.document.text)]
        return Registrations(Place(uri, Span(ends[-1], ends[-1])), None) if ends else None
    lines = source.document.lines
    first = spans[-1]
    for span in reversed(spans):
        if lines.line(first.start) - lines.line(span.end) <= 1:
            first = span
    start = lines.offset(Position(lines.line(first.start), 0))
    return Registrations(Place(uri, Span(start, _line_after(lines, spans[-1].end))), spans[-1])


def _line_after(lines: LineIndex, offset: int) -> int:
    return lines.offset(Position(lines.line(offset) + 1, 0))


def registration_of(snapshot: Snapshot, stub: str, function: HostFunction) -> Edit | None:
    """Return the edit that registers `function` for `stub`, written as the others of its file."""
    found = registrations_at(snapshot, function.uri)
    if found is None or function.place.span.end > found.lines.span.start:
        return None
    text = snapshot.sources[function.uri].document.text
    like = _CALL.match(found.last.of(text) if found.last else "REGISTER_DISPATCH(stub, &")
    end = found.lines.span.end
    if like is None or text[end - 1 : end] != "\n":
        return None
    between = text[function.place.span.end : found.lines.span.start]
    scopes = [it for it in _CLOSED.findall(between) if it.isidentifier()]
    name = "::".join((*reversed(scopes), function.name.text))
    ends = "" if found.last and text[found.last.end : found.last.end + 1] != ";" else ";"
    written = f"{like[1]}({stub}, {like[2]}{name}){ends}\n"
    return Edit(Span(end, end), written)
