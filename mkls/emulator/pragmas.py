"""`#pragma unroll (MIN(N, 4))`: preprocessing leaves the macros of such lines as they stand.

They are gone when the text is compiled, so that the line would be an error.
"""

import re
from collections.abc import Iterator

from mkls.emulator.edits import Edit
from mkls.emulator.tokens import Tokens

_LOOP_HINT = re.compile(r"#\s*pragma\s+(?:no)?unroll\b|#\s*pragma\s+clang\s+loop\b")
_WORD = re.compile(r"[A-Za-z_]\w*")


def lost_macros(tokens: Tokens) -> Iterator[Edit]:
    """Edits that blank hints for loops that mention a name which the text does not know."""
    known: set[str] | None = None
    for start, end in tokens.markers:
        line = tokens.text[start:end]
        found = _LOOP_HINT.match(line)
        words = set(_WORD.findall(line, found.end())) - _OF_THE_HINT if found else set[str]()
        if words:
            known = known or set(tokens.texts)
            if not words <= known:
                yield Edit(start, end, " " * (end - start))


_OF_THE_HINT = frozenset({"unroll", "unroll_count", "full", "enable", "disable"})
