"""The functions through which tests call editor features."""

from collections.abc import Callable

from mkls.facts.extract import facts_of
from mkls.features.declaration import declarations
from mkls.features.definition import definitions
from mkls.features.document_symbols import document_symbols
from mkls.features.hover import hover
from mkls.features.implementation import implementation_targets
from mkls.features.references import highlights, references
from mkls.features.rename import Renaming, rename, renameable
from mkls.features.rename_plan import Plan, Refusal
from mkls.features.symbol import Symbol
from mkls.features.targets import Target
from mkls.features.type_definition import type_definitions
from mkls.index.snapshot import Snapshot, Source
from mkls.text.document import Document, Uri
from mkls.text.edit import Edit, apply_edits
from mkls.text.span import Span
from tests.support.fixture import Fixture, annotate, parse

Find = Callable[[Snapshot, Uri, int], list[Target]]


def check_definition(source: str) -> None:
    """From the cursor, the definitions are exactly what is marked `^^^ definition`."""
    _check_targets(source, definitions, "definition")


def check_declaration(source: str) -> None:
    """From the cursor, the declarations are exactly what is marked `^^^ declaration`."""
    _check_targets(source, declarations, "declaration")


def check_implementation(source: str) -> None:
    """From the cursor, the implementations are exactly what is marked `^^^ implementation`."""
    _check_targets(source, implementation_targets, "implementation")


def check_type_definition(source: str) -> None:
    """From the cursor, the types are exactly what is marked `^^^ type`."""
    _check_targets(source, type_definitions, "type")


def _check_targets(source: str, find: Find, note: str) -> None:
    fixture = parse(source)
    uri, offset = fixture.place
    notes: list[tuple[Uri, Span, str]] = []
    for target in find(fixture.snapshot, uri, offset):
        assert target.whole.covers(target.span)
        assert offset in target.origin
        notes.append((target.uri, target.span, note))
    _check_notes(fixture, notes)


def check_references(source: str) -> None:
    """From the cursor, the references are exactly what is marked `^^^ reference` or `declared`."""
    fixture = parse(source)
    found = references(fixture.snapshot, *fixture.place)
    _check_notes(
        fixture, [(it.uri, it.span, "declared" if it.declares else "reference") for it in found]
    )
    uses = references(fixture.snapshot, *fixture.place, declarations=False)
    assert uses == [it for it in found if not it.declares]
    own = fixture.place[0]
    assert highlights(fixture.snapshot, *fixture.place) == [it for it in found if it.uri == own]


def _check_notes(fixture: Fixture, notes: list[tuple[Uri, Span, str]]) -> None:
    for it, marked in fixture.marked.items():
        document = fixture.snapshot.sources[it].document
        own = [(span, note) for uri, span, note in notes if uri == it]
        assert annotate(document, own) == marked.replace("$0", "")


def check_rename(source: str, new: str, doubt: str = "") -> None:
    """From the cursor, exactly what is marked `^^^ renamed` is renamed, and can be renamed back.

    `doubt` is part of what the user is to confirm.
    """
    fixture = parse(source)
    snapshot, (uri, offset) = fixture.snapshot, fixture.place
    plan = renameable(snapshot, uri, offset)
    assert isinstance(plan, Plan), plan
    assert offset in plan.span
    renaming = rename(snapshot, uri, offset, new)
    assert isinstance(renaming, Renaming), renaming
    assert doubt in renaming.doubt
    assert bool(doubt) == bool(renaming.doubt)
    assert {it.edit.new_text for it in renaming.changes} == {new}
    _check_notes(fixture, [(it.uri, it.edit.span, "renamed") for it in renaming.changes])
    after = renamed(snapshot, renaming)
    changes = [it for it in renaming.changes if it.uri == uri and it.edit.span < plan.span]
    start = plan.span.start + len(changes) * (len(new) - len(plan.old))
    back = rename(after, uri, start, plan.old)
    assert isinstance(back, Renaming), back
    assert texts(renamed(after, back)) == texts(snapshot)


def check_refused(source: str, new: str, reason: str) -> None:
    """From the cursor, a rename is refused for `reason`."""
    fixture = parse(source)
    refusal = rename(fixture.snapshot, *fixture.place, new)
    assert isinstance(refusal, Refusal), refusal
    assert refusal.reason == reason


def renamed(snapshot: Snapshot, renaming: Renaming) -> Snapshot:
    """Return `snapshot` after the edits of a rename."""
    by_uri: dict[Uri, list[Edit]] = {}
    for it in renaming.changes:
        by_uri.setdefault(it.uri, []).append(it.edit)
    changed: list[Source] = []
    for uri, edits in by_uri.items():
        old = snapshot.sources[uri].document
        document = Document(uri, old.language, apply_edits(old.text, edits), old.version)
        changed.append(Source(document, facts_of(document)))
    return snapshot.replacing(changed)


def texts(snapshot: Snapshot) -> dict[Uri, str]:
    """Return the text of every document."""
    return {uri: it.document.text for uri, it in snapshot.sources.items()}


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
