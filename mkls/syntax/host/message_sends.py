"""Tell Objective-C message sends from subscripts, lambdas and attributes, in blanked code."""

import re

_RECEIVER_WORD = re.compile(r"@?[A-Za-z_]\w*(?:\s*::\s*[A-Za-z_]\w*)*|@?(?:R?\"[^\"]*\")|\*")
_MEMBER = re.compile(r"\s*(?:\.|->)\s*[A-Za-z_]\w*|\s*::\s*[A-Za-z_]\w*")
_GENERIC = re.compile(r"<[\w\s:*,<>]*>(?=\s)")
_SELECTOR = re.compile(r"\s*([A-Za-z_]\w*)\s*(?::(?!:)|(?=\]))")
_PIECE = re.compile(r"::|(?:[A-Za-z_]\w*\s*)?:(?!:)|\?|[()\[\]{}]")
_CAST_OBJECT = re.compile(r"[A-Za-z_]\w*\s+[A-Za-z_]\w*\s*[:\]]")
_OPENING = {"(": ")", "[": "]", "{": "}"}
_NOT_RECEIVERS = frozenset({"return", "sizeof", "case", "else", "this", "new", "delete", "const"})

Matches = dict[int, int]


def selector_pieces(code: str, matches: Matches, opening: int) -> list[tuple[int, int]] | None:
    """Return the extents of the selector's pieces (`offset:`) of the send at `opening`.

    None when the bracket is no message send. `matches` gives the closing bracket of every opening.
    """
    close = matches.get(opening)
    if close is None:
        return None
    position = _after_receiver(code, matches, opening + 1, close)
    if position is None:
        return None
    first = _SELECTOR.match(code, position, close + 1)
    if (
        not first
        or first.end() > close
        or (position == first.start(1) and _is_word(code, position))
    ):
        return None
    if first.end() == first.end(1) or code[first.end() - 1] != ":":
        return [first.span(1)] if not code[first.end(1) : close].strip() else None
    return [(first.start(1), first.end()), *_further(code, matches, first.end(), close)]


def _is_word(code: str, at: int) -> bool:
    return code[at - 1].isalnum() or code[at - 1] == "_"


def _after_receiver(code: str, matches: Matches, at: int, close: int) -> int | None:
    at = _skip_space(code, at)
    if at < close and code[at] == "(" and (end := matches.get(at)) is not None:
        after = _skip_space(code, end + 1)
        at = after if after < close and (code[after] in "[(@" or _starts_cast(code, after)) else at
    if at >= close:
        return None
    if code[at] == "@" and code[at + 1] in _OPENING:
        at += 1
    if code[at] in _OPENING:
        end = matches.get(at)
        return None if end is None else _postfix(code, matches, end + 1, close)
    word = _RECEIVER_WORD.match(code, at, close)
    if not word or word[0] in _NOT_RECEIVERS:
        return None
    at = word.end()
    if word[0].startswith("*"):
        return _after_receiver(code, matches, at, close)
    return _postfix(code, matches, at, close)


def _starts_cast(code: str, at: int) -> bool:
    """Whether a word that is followed by another one starts at `at`: `(id)object message`."""
    return _CAST_OBJECT.match(code, at) is not None


def _postfix(code: str, matches: Matches, at: int, close: int) -> int | None:
    while at < close:
        if code[at] in "([" and (end := matches.get(at)) is not None:
            at = end + 1
        elif (step := _MEMBER.match(code, at, close)) or (step := _GENERIC.match(code, at, close)):
            at = step.end()
        else:
            return at
    return None


def _skip_space(code: str, at: int) -> int:
    while at < len(code) and code[at].isspace():
        at += 1
    return at


def _further(code: str, matches: Matches, at: int, close: int) -> list[tuple[int, int]]:
    pieces: list[tuple[int, int]] = []
    ternaries = 0
    while (match := _PIECE.search(code, at, close)) is not None:
        mark, at = match[0], match.end()
        if mark in _OPENING:
            end = matches.get(match.start())
            at = at if end is None else end + 1
        elif mark == "?":
            ternaries += 1
        elif mark[-1] == ":" and mark != "::":
            if ternaries:
                ternaries -= 1
            else:
                pieces.append(match.span())
    return pieces
