"""What may be typed in `native_functions.yaml`."""

import re
from bisect import bisect_right
from collections.abc import Iterator, Mapping
from typing import Final, NamedTuple

from mkls.facts.model.native_functions import Entry, NativeFunctionsFacts
from mkls.features.completion.dispatch_names import fitting_functions
from mkls.features.completion.item import Item, ItemKind, items
from mkls.features.meanings import DISPATCH_KEYS, ENTRY_KEYS
from mkls.features.meanings_of_schema import SCHEMA_TYPES, TAGS, VALUES
from mkls.index.operators import MPS
from mkls.index.snapshot import Snapshot
from mkls.syntax.native_functions.entries import KNOWN_KEYS
from mkls.text.span import Span

_KEY: Final = re.compile(r"(?:- ?|  ?)?(\w*)\Z")
_DISPATCH_KEY: Final = re.compile(r" {3,}(?:\w+ *, *)*(\w*)\Z")
_DISPATCH_FUNCTION: Final = re.compile(r" {3,}([\w, ]+?) *:[ \t]*([\w:]*)\Z")
_VALUE: Final = re.compile(r"  (\w+):[ \t]*(?:.*[\[,][ \t]*)?([\w.]*)\Z")
_SCHEMA_TYPE: Final = re.compile(r"- func:.*(?:[(,][ \t]*|->[ \t]*\(?)(\w*)\Z")
_TOP_KEY: Final = re.compile(r"(?m)^  (\w+):")
_LIKELY: Final = ("structured_delegate", "dispatch", "variants", "tags", "structured", "autogen")
_LIKELY_KEYS: Final = ("MPS", "CPU", "CUDA", "SparseMPS")
_OPEN: Final = {"dispatch": "dispatch:\n    "}


class Place(NamedTuple):
    """Where the cursor is: the entry around it, and its line up to it."""

    entry: Entry
    entry_text: str
    line: str
    offset: int

    def typed(self, length: int) -> Span:
        """Return where the last `length` code points before the cursor stand."""
        return Span(self.offset - length, self.offset)


def row_items(
    snapshot: Snapshot, facts: NativeFunctionsFacts, text: str, offset: int
) -> Iterator[Item]:
    """Yield what may be typed at `offset` of `text`."""
    place = _place(facts, text, offset)
    key = _enclosing_key(place)
    if match := _SCHEMA_TYPE.match(place.line):
        yield from _types(snapshot, place.typed(len(match[1])))
    elif key == "dispatch" and (match := _DISPATCH_FUNCTION.match(place.line)):
        keys = tuple(part.strip() for part in match[1].split(","))
        span = place.typed(len(match[2]))
        yield from fitting_functions(snapshot, place.entry, keys, match[2], span)
    elif key == "dispatch" and (match := _DISPATCH_KEY.match(place.line)):
        yield from _dispatch_keys(snapshot, place, place.typed(len(match[1])))
    elif match := _VALUE.match(place.line):
        yield from _values(snapshot, place, match[1], place.typed(len(match[2])))
    elif match := _KEY.match(place.line):
        yield from _keys(place, match)


def _place(facts: NativeFunctionsFacts, text: str, offset: int) -> Place:
    at = bisect_right(facts.entries, offset, key=lambda it: it.start) - 1
    line = text[text.rfind("\n", 0, offset) + 1 : offset]
    if at < 0:
        return Place(Entry(), "", line, offset)
    placed = facts.entries[at]
    end = facts.entries[at + 1].start if at + 1 < len(facts.entries) else len(text)
    return Place(placed.entry, text[placed.start : end], line, offset)


def _enclosing_key(place: Place) -> str:
    """Return the key that the line belongs to, by what stands above it."""
    if not place.line.startswith("   "):
        return ""
    before = place.entry_text[: place.entry_text.find(place.line)] if place.line.strip() else ""
    keys = _TOP_KEY.findall(before or place.entry_text)
    return keys[-1] if keys else ""


def _types(snapshot: Snapshot, span: Span) -> Iterator[Item]:
    known = snapshot.operators.accepted.base_types or frozenset(SCHEMA_TYPES)
    common = ("Tensor", "Tensor?", "Tensor[]", "Tensor(a!)", "Scalar", "int", "SymInt", "bool")
    yield from items(common, ItemKind.SCHEMA_TYPE, span, rank=1)
    yield from items(sorted(known), ItemKind.SCHEMA_TYPE, span, rank=4)
    yield Item("*", ItemKind.SCHEMA_TYPE, span, "*, ", detail="keyword-only from here", rank=6)


def _dispatch_keys(snapshot: Snapshot, place: Place, span: Span) -> Iterator[Item]:
    used = place.entry.dispatch_lines.keys()
    typed = place.line[len(place.line) - (span.end - span.start) :]
    for key in sorted(snapshot.operators.accepted.dispatch_keys):
        if key not in used or key == typed:
            rank = _LIKELY_KEYS.index(key) if key in _LIKELY_KEYS else 5
            yield Item(
                key, ItemKind.DISPATCH_KEY, span, detail=_first(DISPATCH_KEYS, key), rank=rank
            )


def _values(snapshot: Snapshot, place: Place, key: str, span: Span) -> Iterator[Item]:
    if key == "tags":
        known = snapshot.operators.accepted.tags or frozenset(TAGS)
        used = {it.text for it in place.entry.tags}
        yield from items(sorted(known - used), ItemKind.TAG, span)
    elif key == "structured_delegate":
        yield from _delegates(snapshot, place.entry, span)
    elif key == "autogen":
        yield from items(_generated(place.entry), ItemKind.OPERATOR, span)
    for value, meaning in VALUES.get(key, {}).items():
        yield Item(value, ItemKind.VALUE, span, detail=meaning)


def _delegates(snapshot: Snapshot, entry: Entry, span: Span) -> Iterator[Item]:
    """Yield the structured out rows, those of the row's own name first."""
    for row in snapshot.operators.rows:
        if row.entry.structured:
            rank = 0 if row.entry.base == entry.base else 5
            detail = "on MPS" if row.line(MPS) else ""
            yield Item(row.name, ItemKind.OPERATOR, span, rank=rank, detail=detail)


def _generated(entry: Entry) -> Iterator[str]:
    """Yield how torchgen names what it makes of a row: an out and a functional variant."""
    name = entry.operator.text if entry.operator else ""
    _, _, overload = name.partition(".")
    if name and entry.is_inplace:
        yield from (f"{entry.base}{'.' + overload if overload else ''}",)
    if name:
        yield f"{entry.base}.{overload}_out" if overload else f"{entry.base}.out"


def _keys(place: Place, match: re.Match[str]) -> Iterator[Item]:
    span = place.typed(len(match[0]))
    if not place.line or place.line.startswith("-"):
        snippet = "- func: ${1:name}(${2:Tensor self}) -> ${3:Tensor}"
        yield Item("- func: ", ItemKind.ENTRY_KEY, span, "- func: ", snippet, rank=0)
    if place.line.startswith("-"):
        return
    used = set(_TOP_KEY.findall(place.entry_text))
    for key in KNOWN_KEYS[1:]:
        if key not in used or key == match[1]:
            rank = _LIKELY.index(key) + 1 if key in _LIKELY else 9
            insert = f"  {_OPEN.get(key, f'{key}: ')}"
            yield Item(
                key, ItemKind.ENTRY_KEY, span, insert, rank=rank, detail=_first(ENTRY_KEYS, key)
            )


def _first(meanings: Mapping[str, str], key: str) -> str:
    """Return the first sentence of what `key` means."""
    return meanings.get(key, "").partition(". ")[0].rstrip(".")
