"""From the protocol's types to mkls's own."""

from collections.abc import Iterable, Iterator, Sequence

from lsprotocol import types as lsp

from mkls.server.client import Client, canonical
from mkls.server.text_changes import TextChange
from mkls.text.document import Document, Uri
from mkls.text.line_index import Position
from mkls.text.span import Span

_Named = lsp.TextDocumentIdentifier | lsp.VersionedTextDocumentIdentifier | lsp.TextDocumentItem


def document_uri(document: _Named) -> Uri:
    """Convert the name of a document."""
    return canonical(document.uri)


def position(position: lsp.Position) -> Position:
    """Convert a position; its column still counts in the client's units."""
    return Position(position.line, position.character)


def offset(client: Client, document: Document, place: lsp.Position) -> int:
    """Convert a position in `document`."""
    return document.lines.offset(position(place), client.encoding)


def span(client: Client, document: Document, place: lsp.Range) -> Span:
    """Convert a range of `document`."""
    start, end = offset(client, document, place.start), offset(client, document, place.end)
    return Span(min(start, end), max(start, end))


def kinds(only: Sequence[str] | None) -> list[str] | None:
    """Convert kinds of code actions; those of the specification come as an enumeration."""
    return None if only is None else [str.__str__(kind) for kind in only]


def changes(events: Iterable[lsp.TextDocumentContentChangeEvent]) -> Iterator[TextChange]:
    """Convert changes of a text."""
    for event in events:
        if isinstance(event, lsp.TextDocumentContentChangePartial):
            ends = position(event.range.start), position(event.range.end)
            yield TextChange(event.text, ends)
        else:
            yield TextChange(event.text)
