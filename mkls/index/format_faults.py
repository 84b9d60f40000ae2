"""Formats of kernel names that have more holes than arguments."""

import re
from collections.abc import Iterator, Mapping
from typing import Final, NamedTuple

from mkls.facts.model.name_expression import NameExpression, Unknown, children_of
from mkls.index.place import Place
from mkls.index.snapshot import Snapshot
from mkls.text.document import Uri

_PATTERN: Final = re.compile(r'"((?:\\.|[^"\\\n])*)"')
_HOLE: Final = re.compile(r"\{\{|\}\}|\{\}")


class FormatFault(NamedTuple):
    """A format with `holes` holes for `arguments` arguments; `place` is its text."""

    place: Place
    holes: int
    arguments: int


def format_faults(snapshot: Snapshot, uri: Uri) -> tuple[FormatFault, ...]:
    """Return the formats in `uri` that lookups use and that have too few arguments."""
    return snapshot.once(_faults).get(uri, ())


def _faults(snapshot: Snapshot) -> Mapping[Uri, tuple[FormatFault, ...]]:
    found: dict[Uri, dict[Place, FormatFault]] = {}
    for linked in snapshot.host.lookups:
        for unknown in _unknowns(linked.lookup.name) if not linked.function.macro else ():
            if unknown.text.startswith('"'):
                whole = linked.function.stated.place(unknown.span)
                text = whole.span.of(snapshot.sources[whole.uri].document.text)
                if fault := _fault(whole, text):
                    found.setdefault(whole.uri, {})[fault.place] = fault
    return {uri: tuple(each.values()) for uri, each in found.items()}


def _unknowns(expression: NameExpression) -> Iterator[Unknown]:
    if isinstance(expression, Unknown):
        yield expression
    for child in children_of(expression):
        yield from _unknowns(child)


def _fault(whole: Place, text: str) -> FormatFault | None:
    """Compare the format's plain holes with what follows it, as far as commas tell."""
    pattern = _PATTERN.match(text)
    if pattern is None or (text[pattern.end() :].strip() and not _follows(text[pattern.end() :])):
        return None
    holes = _HOLE.findall(pattern[1]).count("{}")
    if "{" in _HOLE.sub("", pattern[1]):
        return None
    arguments = _commas(text[pattern.end() :])
    if holes <= arguments:
        return None
    span = whole.span
    place = Place(whole.uri, type(span)(span.start + 1, span.start + pattern.end() - 1))
    return FormatFault(place, holes, arguments)


def _follows(rest: str) -> bool:
    return rest.lstrip().startswith(",")


def _commas(rest: str) -> int:
    depth = count = 0
    for mark in rest:
        depth += (mark in "([{") - (mark in ")]}")
        count += mark == "," and depth == 0
    return count
