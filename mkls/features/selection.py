"""What to select when a selection grows: from the word outwards to the whole document."""

from bisect import bisect_right
from collections.abc import Iterable, Iterator

from mkls.facts.model.native_functions import NativeFunctionsFacts, PlacedEntry
from mkls.features.words import word_at
from mkls.index.snapshot import Source
from mkls.syntax.bracket_pairs import bracket_pairs
from mkls.syntax.lexemes import comment_or_string_at
from mkls.text.span import Span


def selection_at(source: Source, offset: int) -> list[Span]:
    """Return the spans around `offset`, the innermost first, each within the next."""
    text, facts = source.document.text, source.facts
    found = [Span(0, len(text))]
    if word := word_at(text, offset):
        found.append(word)
    line = source.document.lines.line(offset)
    begin, end = source.document.lines.starts[line], source.document.lines.ends[line]
    content = text[begin:end]
    indent = len(content) - len(content.lstrip())
    found.append(Span(begin + indent, begin + len(content.rstrip())))
    if isinstance(facts, NativeFunctionsFacts):
        found += _in_rows(facts, offset)
    else:
        found += _in_code(text, offset)
    return _nested(found, offset)


def _nested(found: Iterable[Span], offset: int) -> list[Span]:
    """Return those of `found` that hold `offset` and each other, the smallest first."""
    around = sorted({it for it in found if offset in it}, key=lambda it: (it.end - it.start, it))
    kept: list[Span] = []
    for it in around:
        if not kept or it.covers(kept[-1]):
            kept.append(it)
    return kept


def _in_rows(facts: NativeFunctionsFacts, offset: int) -> Iterator[Span]:
    at = bisect_right(facts.entries, offset, key=lambda it: it.start) - 1
    if at < 0:
        return
    placed = facts.entries[at]
    yield placed.place(Span(0, max(placed.entry.end - 1, 1)))
    for key in placed.entry.keys:
        yield placed.place(Span(key.lines.start, max(key.lines.end - 1, key.lines.start)))
    for line in placed.entry.dispatch:
        yield placed.place(line.lines)
        if line.keys:
            yield placed.place(Span(line.keys[0].span.start, line.keys[-1].span.end))
    yield from _in_schema(placed)


def _in_schema(placed: PlacedEntry) -> Iterator[Span]:
    entry = placed.entry
    if entry.func:
        yield placed.place(entry.func.span)
    if entry.operator:
        yield placed.place(entry.operator.span)
    if entry.schema_start >= 0:
        start = placed.start + entry.schema_start
        schema = entry.schema
        yield schema.arguments_span.shifted(start)
        yield schema.returns_span.shifted(start)
        for it in (*schema.arguments, *schema.returns):
            yield it.span.shifted(start)
            yield it.type_span.shifted(start)


def _in_code(text: str, offset: int) -> Iterator[Span]:
    if inside := comment_or_string_at(text, offset):
        yield inside.span
        if text[inside.start : inside.start + 1] == '"':
            yield Span(inside.start + 1, max(inside.end - 1, inside.start + 1))
    for pair in bracket_pairs(text):
        if pair.start <= offset <= pair.end:
            yield Span(pair.start, pair.end)
            yield pair.inner
            yield from _with_head(text, pair.start, pair.end, pair.opening)


def _with_head(text: str, start: int, end: int, opening: str) -> Iterator[Span]:
    """Yield a body with what stands before it, back to the end of what precedes."""
    if opening != "{":
        return
    before = max(text.rfind(mark, 0, start) for mark in (";", "}", "{"))
    head = text[before + 1 : start]
    first_line = len(head) - len(head.lstrip())
    yield Span(before + 1 + first_line, end)
