"""What the words of a row mean that link to nothing: types, tags, values."""

from bisect import bisect_right
from collections.abc import Iterator

from mkls.facts.model.native_functions import Entry, NativeFunctionsFacts
from mkls.features.meanings_of_schema import SCHEMA_TYPES, TAGS
from mkls.text.span import Span


def hover_entry_word(facts: NativeFunctionsFacts, offset: int) -> tuple[str, Span] | None:
    """Return what the type or tag at `offset` means, as Markdown, and where it stands."""
    at = bisect_right(facts.entries, offset, key=lambda it: it.start) - 1
    if at < 0:
        return None
    placed = facts.entries[at]
    inside = offset - placed.start
    found = next(_words(placed.entry, inside), None)
    return (found[0], placed.place(found[1])) if found else None


def _words(entry: Entry, inside: int) -> Iterator[tuple[str, Span]]:
    for name in entry.tags:
        if inside in name.span and name.text in TAGS:
            yield f"**`{name.text}`** (tag)\n\n{TAGS[name.text]}", name.span
    for name in entry.type_names:
        base = name.text.partition("(")[0]
        if inside in name.span and base in SCHEMA_TYPES:
            yield f"**`{base}`** (type of a schema)\n\n{SCHEMA_TYPES[base]}", name.span
