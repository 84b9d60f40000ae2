"""The identifier under the cursor."""

import re

from mkls.text.span import Span

_WORD = re.compile(r"[^\W\d]\w*")
_LONGEST = 200  # code points looked at to either side


def word_at(text: str, offset: int) -> Span | None:
    """Return the span of the identifier that `offset` touches."""
    start = max(0, offset - _LONGEST)
    for match in _WORD.finditer(text, start, offset + _LONGEST):
        if match.start() <= offset <= match.end():
            return Span(*match.span())
        if match.start() > offset:
            return None
    return None
