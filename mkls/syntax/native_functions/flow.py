"""Values on one line: plain and quoted scalars, `[a, 'b']`, `{}`."""

import re

from mkls.syntax.native_functions.nodes import Mapping, Scalar, Sequence, Value
from mkls.text.span import Span

# YAML 1.1's line breaks, which are more than an editor's, and the controls that it forbids.
_LINE_BREAK = r"\x00-\x08\x0a-\x1f\x7f\x85\u2028\u2029"
PLAIN = (
    rf"[^\s\-?:,\[\]{{}}#&*!|>'\"%@`][^{_LINE_BREAK}#:]*"
    # Ending at a character that is not blank keeps a long run of blanks from being tried twice.
    rf"(?:(?::(?=[^\s])|(?<=\S)\#)[^{_LINE_BREAK}#:]*)*(?<=\S)"
)
"""A plain scalar in block context (YAML 1.1, 5.3 and 9.1.3)."""
SINGLE = rf"'[^'{_LINE_BREAK}]*'"
DOUBLE = rf'"[^"\\{_LINE_BREAK}]*"'
LIST = rf"\[[^\[\]{{}}{_LINE_BREAK}]*\]"
ONE_LINE = rf"{PLAIN}|{LIST}|\{{\}}|{SINGLE}|{DOUBLE}"
"""What `one_line` can read; anything else is left to a YAML loader."""

_ITEM = re.compile(
    rf"\s*({SINGLE}|{DOUBLE}|[^\s\-?:,\[\]{{}}#&*!|>'\"%@`][^,:#{_LINE_BREAK}]*)(?:,|\s*\Z)"
)


def scalar(written: str, start: int) -> Scalar:
    """Return the scalar `written` at `start`, without any blanks after it."""
    if written[0] in "'\"":
        return Scalar(written[1:-1], Span(start, start + len(written)), start + 1, False)
    written = written.rstrip(" \t")
    return Scalar(written, Span(start, start + len(written)), start)


def one_line(written: str, start: int) -> Value | None:
    """Return the value `written` at `start`; None when it is too odd for this reader."""
    if written[0] == "[":
        return _flow_list(written, start)
    if written[0] == "{":
        return Mapping((), Span(start, start + 2))
    return scalar(written, start)


def _flow_list(written: str, start: int) -> Sequence | None:
    items: list[Value] = []
    position, end = 1, len(written) - 1
    if not written[1:-1].strip():
        position = end
    while position < end:
        match = _ITEM.match(written, position, end)
        if match is None:
            return None
        items.append(scalar(match[1], start + match.start(1)))
        position = match.end()
    return Sequence(tuple(items), Span(start, start + len(written)))
