"""Read what can be read of an entry that is not YAML, as it is while somebody types."""

import re
from itertools import pairwise

from mkls.syntax.native_functions.entries import KNOWN_KEYS
from mkls.syntax.native_functions.entry_lines import INDENT, INNER_KEY, KEY, LINE, VALUE, pair_of
from mkls.syntax.native_functions.nodes import Pair, Scalar
from mkls.syntax.problem import Problem
from mkls.text.span import Span

_NEXT_LINE = re.compile(r"[^\r\n]*(?:\r\n?|\n|\Z)")
_LOOSE_KEY = re.compile(rf"[-\t ]*({'|'.join(KNOWN_KEYS)}):(?=\s|\Z)")


def damaged_pairs(text: str, reason: str) -> tuple[tuple[Pair, ...], tuple[Problem, ...]]:
    """Return the pairs of the lines that can be read, and what is wrong with the others.

    Only the first line that cannot be read is a problem: those after it may be its continuation.
    """
    lines: list[re.Match[str]] = []
    unread: Problem | None = None
    problems: list[Problem] = []
    position = 0
    while position < len(text):
        match = LINE.match(text, position)
        if match is None:
            line = _NEXT_LINE.match(text, position)
            end = line.end() if line else len(text)
            problem = _misplaced_key(text, position, end)
            if problem is None and unread is None:
                unread = _unread(text, position, end, reason)
            elif problem is not None:
                problems.append(problem)
            match = _without_indentation(text, position, end)
        else:
            end = match.end()
        if match is not None and match.lastindex is not None:
            lines.append(match)
        position = max(end, position + 1)
    if unread is not None:
        problems.append(unread)
    return tuple(_pairs(lines)), tuple(problems)


def _misplaced_key(text: str, start: int, end: int) -> Problem | None:
    written = text[start:end]
    known = _LOOSE_KEY.match(written)
    if known is None or written.startswith(("- func", "- " if start == 0 else "  " + known[1])):
        return None
    span = Span(start, start + known.end())
    if known[1] == "func":
        return Problem(span, "an entry begins with `- func: ` in the first column")
    return Problem(span, f"`{known[1]}` must stand two spaces in, like an entry's other keys")


def _unread(text: str, start: int, end: int, reason: str) -> Problem:
    written = text[start:end]
    first = start + len(written) - len(written.lstrip())
    return Problem(Span(first, max(start + len(written.rstrip()), first)), f"not YAML: {reason}")


def _without_indentation(text: str, start: int, end: int) -> re.Match[str] | None:
    """Read a known key that stands in the wrong column as if it stood in the right one."""
    known = _LOOSE_KEY.match(text, start, end)
    return _UNINDENTED_LINE.match(text, known.start(1)) if known else None


# The same groups as LINE has, so that the lines can be treated alike.
_UNINDENTED_LINE = re.compile(LINE.pattern.replace("(?:- |  )", "", 1))


def _pairs(lines: list[re.Match[str]]) -> list[Pair]:
    keys = [index for index, line in enumerate(lines) if line[KEY] is not None]
    return [
        pair_of(_consistent(lines[first:after])) or _bare(lines[first])
        for first, after in pairwise([*keys, len(lines)])
    ]


def _consistent(lines: list[re.Match[str]]) -> list[re.Match[str]]:
    """Drop inner lines that cannot belong to the key above: a value beside, map and list mixed."""
    if len(lines) == 1 or lines[0][VALUE] is not None:
        return lines[:1]
    kind = (lines[1][INNER_KEY] is None, lines[1][INDENT])
    return [lines[0], *(it for it in lines[1:] if (it[INNER_KEY] is None, it[INDENT]) == kind)]


def _bare(line: re.Match[str]) -> Pair:
    start, end = line.span(KEY)
    return Pair(Scalar(line[KEY], Span(start, end), start), None, Span(*line.span()))
