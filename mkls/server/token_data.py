"""Semantic tokens as the protocol has them: numbers relative to the token before (LSP 3.17)."""

from collections.abc import Iterable, Iterator, Sequence

from mkls.features.tokens.token import Token, TokenKind
from mkls.text.document import Document
from mkls.text.line_index import Encoding, LineIndex, units


def token_data(document: Document, tokens: Iterable[Token], encoding: Encoding) -> list[int]:
    """Return five numbers for each token; one of several lines becomes one for each of them."""
    lines, text = document.lines, document.text
    is_ascii = encoding is Encoding.UTF32 or text.isascii()
    data: list[int] = []
    line, line_start, line_end = 0, 0, lines.ends[0]
    last_line = last_column = 0
    for token in _single_lines(lines, tokens):
        start, end, kind, modifiers = token
        if start > line_end:
            line = lines.line(start)
            line_start, line_end = lines.starts[line], lines.ends[line]
        if is_ascii:
            column, length = start - line_start, end - start
        else:
            column = units(text[line_start:start], encoding)
            length = units(text[start:end], encoding)
        if line != last_line:
            data += (line - last_line, column, length, kind, modifiers)
        else:
            data += (0, column - last_column, length, kind, modifiers)
        last_line, last_column = line, column
    return data


def _single_lines(lines: LineIndex, tokens: Iterable[Token]) -> Iterator[Token]:
    for token in tokens:
        # Names and numbers have no line endings; comments and strings may have many.
        if token.kind > TokenKind.STRING or lines.text.find("\n", token.start, token.end) < 0:
            yield token
            continue
        for number in range(lines.line(token.start), lines.line(token.end - 1) + 1):
            start, end = max(token.start, lines.starts[number]), min(token.end, lines.ends[number])
            if end > start:
                yield token._replace(start=start, end=end)


def changed_part(before: Sequence[int], after: Sequence[int]) -> tuple[int, int, int]:
    """Return how many numbers are the same at the start, and the ends of what differs in each."""
    most = min(len(before), len(after))
    start = _common(before, after, most)
    most -= start
    tail = _common(before[::-1][:most], after[::-1][:most], most)
    return start, len(before) - tail, len(after) - tail


def _common(one: Sequence[int], other: Sequence[int], most: int) -> int:
    """Return how many of the first `most` numbers are equal, by comparing halves."""
    low = 0
    while low < most:
        middle = (low + most + 1) // 2
        if one[low:middle] == other[low:middle]:
            low = middle
        elif middle == low + 1:
            return low
        else:
            most = middle
    return low
