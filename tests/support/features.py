"""The functions through which tests call editor features."""

from mkls.features.definition import definitions
from mkls.features.document_symbols import document_symbols
from mkls.features.hover import hover
from mkls.features.symbol import Symbol
from mkls.text.document import Uri
from mkls.text.span import Span
from tests.support.fixture import annotate, parse


def check_definition(source: str) -> None:
    """From the cursor, the definitions are exactly what is marked `^^^ definition`."""
    fixture = parse(source)
    uri, offset = fixture.place
    notes: dict[Uri, list[tuple[Span, str]]] = {it: [] for it in fixture.marked}
    for target in definitions(fixture.snapshot, uri, offset):
        assert target.whole.covers(target.span)
        assert offset in target.origin
        notes[target.uri].append((target.span, "definition"))
    for it, marked in fixture.marked.items():
        document = fixture.snapshot.sources[it].document
        assert annotate(document, notes[it]) == marked.replace("$0", "")


def hovered(source: str) -> str:
    """Return what is shown over the cursor."""
    fixture = parse(source)
    uri, offset = fixture.place
    found = hover(fixture.snapshot, uri, offset)
    assert found is None or offset in found.span
    return found.markdown if found else ""


def outline(source: str) -> str:
    """Return the outline of the first file, one symbol a line, nested ones indented."""
    fixture = parse(source)
    uri = next(iter(fixture.marked))
    text = fixture.snapshot.sources[uri].document.text
    lines: list[str] = []
    for symbol in document_symbols(fixture.snapshot, uri):
        _outline(symbol, text, 0, lines)
    return "".join(lines)


def _outline(symbol: Symbol, text: str, depth: int, lines: list[str]) -> None:
    assert symbol.whole.covers(symbol.span)
    assert symbol.whole.end <= len(text)
    detail = f" [{symbol.detail}]" if symbol.detail else ""
    lines.append(f"{'  ' * depth}{symbol.kind.value} {symbol.name}{detail}\n")
    for child in symbol.children:
        assert symbol.whole.covers(child.whole)
        _outline(child, text, depth + 1, lines)
