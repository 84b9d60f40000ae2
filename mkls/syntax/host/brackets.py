"""Match brackets and split lists, on blanked code."""

import re

_ROUND = re.compile(r"[()]")
_ANY = re.compile(r"[()\[\]{}]")
_SEPARATOR = re.compile(
    r"(?<=\w)<(?:[\w:,*& ]|<[\w:,*& ]*>)*>"  # template arguments, rather than two comparisons
    r"|[()\[\]{},]"
)
_SEPARATOR_OR_ANGLE = re.compile(r"[()\[\]{},<>]")


def closing_parenthesis(code: str, opening: int, end: int | None = None) -> int | None:
    """Return the offset of the `)` that closes the `(` at `opening`, or None."""
    depth = 0
    for match in _ROUND.finditer(code, opening, len(code) if end is None else end):
        depth += 1 if match[0] == "(" else -1
        if depth == 0:
            return match.start()
    return None


def closing_bracket(code: str, opening: int, end: int | None = None) -> int | None:
    """Return the offset of the bracket that closes the one at `opening`, whatever its kind."""
    depth = 0
    for match in _ANY.finditer(code, opening, len(code) if end is None else end):
        depth += 1 if match[0] in "([{" else -1
        if depth == 0:
            return match.start()
    return None


def split_commas(code: str, start: int, end: int, *, angles: bool = False) -> list[tuple[int, int]]:
    """Return the spans of the comma-separated parts of `code[start:end]`, trimmed.

    With `angles`, every `<` and `>` nests: right for parameter lists, wrong for expressions. An
    empty range has no parts.
    """
    parts: list[tuple[int, int]] = []
    depth, begin = 0, start
    for match in (_SEPARATOR_OR_ANGLE if angles else _SEPARATOR).finditer(code, start, end):
        mark = match[0]
        if mark in "([{<":
            depth += 1
        elif len(mark) > 1:
            continue
        elif mark != ",":
            depth = max(depth - 1, 0)
        elif depth == 0:
            parts.append(trimmed(code, begin, match.start()))
            begin = match.end()
    last = trimmed(code, begin, end)
    return [*parts, last] if parts or last[0] < last[1] else parts


def trimmed(code: str, start: int, end: int) -> tuple[int, int]:
    """Return `[start, end)` without surrounding white space."""
    piece = code[start:end]
    stripped = piece.strip()
    if len(stripped) == len(piece):
        return (start, max(start, end))
    start += len(piece) - len(piece.lstrip())
    return (start, start + len(stripped))


def find_outside(code: str, marks: re.Pattern[str], start: int, end: int) -> list[re.Match[str]]:
    """Return the matches of `marks` in `code[start:end]` that no bracket surrounds.

    `marks` must also match every bracket, one character each.
    """
    found: list[re.Match[str]] = []
    depth = 0
    for match in marks.finditer(code, start, end):
        mark = match[0]
        if mark in ("(", "[", "{"):
            depth += 1
        elif mark in (")", "]", "}"):
            depth -= 1
        elif depth == 0:
            found.append(match)
    return found
