"""What can be folded away: rows, bodies, comments, conditional parts, runs of macros."""

import re
from collections.abc import Iterator
from enum import Enum

import msgspec

from mkls.facts.model.native_functions import NativeFunctionsFacts
from mkls.index.snapshot import Snapshot, Source
from mkls.syntax.bracket_pairs import bracket_pairs
from mkls.syntax.lexemes import LexemeKind, lexemes
from mkls.text.line_index import LineIndex

_CONDITION = re.compile(r"(?m)^[ \t]*#[ \t]*(if|ifdef|ifndef|else|elif|endif)\b")
_INCLUDE = re.compile(r"[ \t]*#[ \t]*(?:include|import)\b")
_INVOCATION = re.compile(r"[ \t]*[A-Z_][A-Z0-9_]{2,}\w*\(.*\)[ \t]*;?[ \t]*(?://.*)?")
_LEAST_RUN = 3
"""How many lines of includes or of macros are worth a fold."""
_LEAST_LIST = 4
"""Over how many lines an argument list must run."""


class FoldKind(Enum):
    """What a fold hides, for editors that fold all comments or imports at once."""

    COMMENT = "comment"
    IMPORTS = "imports"
    REGION = "region"
    PLAIN = ""


class Fold(msgspec.Struct, frozen=True, order=True):
    """The lines from that of `start` to that of `end`; the first stays visible."""

    start: int
    end: int
    kind: FoldKind = FoldKind.PLAIN


def folds(snapshot: Snapshot, source: Source) -> list[Fold]:
    """Return what can be folded in `source`, each of two lines or more, by where it starts."""
    lines = source.document.lines
    if isinstance(source.facts, NativeFunctionsFacts):
        found = _of_rows(source.facts, lines)
    else:
        found = _of_code(source.document.text, lines)
        found = (*found, *_of_shaders(snapshot, source))
    by_lines: dict[tuple[int, int], Fold] = {}
    for it in found:
        between = lines.line(it.start), lines.line(it.end)
        if between[1] > between[0]:
            by_lines.setdefault(between, it)
    return sorted(by_lines.values(), key=lambda it: (it.start, -it.end))


def _of_rows(facts: NativeFunctionsFacts, lines: LineIndex) -> tuple[Fold, ...]:
    found: list[Fold] = []
    for placed in facts.entries:
        entry = placed.entry
        if entry.end:
            found.append(Fold(placed.start, placed.start + entry.end - 1))
        keys = (placed.place(key.lines) for key in entry.keys)
        found += (Fold(it.start, it.end - 1) for it in keys)
    return (*found, *_runs(lines, re.compile(r"[ \t]*#"), FoldKind.COMMENT, 2))


def _of_code(text: str, lines: LineIndex) -> tuple[Fold, ...]:
    return (
        *_bodies(text, lines),
        *_comments(text),
        *_conditions(text),
        *_definitions(text, lines),
        *_runs(lines, re.compile(r"[ \t]*//"), FoldKind.COMMENT, 2),
        *_runs(lines, _INCLUDE, FoldKind.IMPORTS, _LEAST_RUN),
        *_runs(lines, _INVOCATION, FoldKind.REGION, _LEAST_RUN),
    )


def _bodies(text: str, lines: LineIndex) -> Iterator[Fold]:
    """Yield bodies and argument lists; the line of the closing bracket stays visible."""
    for pair in bracket_pairs(text):
        last = lines.line(pair.end - 1)
        if last - lines.line(pair.start) >= (1 if pair.opening == "{" else _LEAST_LIST):
            yield Fold(pair.start, lines.ends[last - 1])


def _comments(text: str) -> Iterator[Fold]:
    for it in lexemes(text):
        if it.kind is LexemeKind.COMMENT:
            yield Fold(it.start, it.end, FoldKind.COMMENT)
        elif it.kind is LexemeKind.RAW_STRING:
            yield Fold(it.start, it.end)


def _conditions(text: str) -> Iterator[Fold]:
    """Yield the parts of `#if … #endif`, each up to the line before the next directive."""
    stack: list[int] = []
    for match in _CONDITION.finditer(text):
        if match[1].startswith("if"):
            stack.append(match.start())
        elif stack:
            yield Fold(stack.pop(), match.start() - 1, FoldKind.REGION)
            if match[1] != "endif":
                stack.append(match.start())


def _definitions(text: str, lines: LineIndex) -> Iterator[Fold]:
    """Yield macros of several lines."""
    for match in re.finditer(r"(?m)^[ \t]*#[ \t]*define\b", text):
        line = lines.line(match.start())
        last = line
        while last + 1 < len(lines.ends) and text[: lines.ends[last]].endswith("\\"):
            last += 1
        if last > line:
            yield Fold(match.start(), lines.ends[last])


def _runs(lines: LineIndex, pattern: re.Pattern[str], kind: FoldKind, least: int) -> Iterator[Fold]:
    """Yield runs of at least `least` lines that all begin as `pattern` says."""
    start = None
    for number, (begin, end) in enumerate(zip(lines.starts, lines.ends, strict=True)):
        if pattern.match(lines.text, begin, end):
            start = number if start is None else start
        elif start is not None:
            if number - start >= least:
                yield Fold(lines.starts[start], lines.ends[number - 1], kind)
            start = None
    if start is not None and len(lines.starts) - start >= least:
        yield Fold(lines.starts[start], lines.ends[-1], kind)


def _of_shaders(snapshot: Snapshot, source: Source) -> Iterator[Fold]:
    """Yield what can be folded within Metal sources in strings."""
    for shader in snapshot.inline_shaders.values():
        if shader.host == source.document.uri:
            msl = shader.span.of(source.document.text)
            for it in _of_code(msl, LineIndex(msl)):
                start = shader.span.start
                yield Fold(it.start + start, it.end + start, it.kind)
