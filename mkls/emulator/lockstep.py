"""Lanes of a simdgroup run in lockstep on a GPU, and some kernels count on it.

Here a lane runs on until it has to wait. In a loop with a barrier, its next iteration could
overwrite what slower lanes still have to read in this one, so they are made to meet where an
iteration ends. A checked build counts this for nothing: by the specification it orders no memory.
"""

from collections.abc import Iterator

from mkls.emulator.edits import Edit
from mkls.emulator.tokens import Tokens

_BARRIERS = frozenset({"threadgroup_barrier", "simdgroup_barrier"})
_MARKS = _BARRIERS | {"simdgroup_load", "simdgroup_store"}


def lockstep_loops(tokens: Tokens) -> Iterator[Edit]:
    """Edits that let lanes meet at the end of loops in which they synchronise in the middle."""
    for index, text in enumerate(tokens.texts):
        body = _loop_body(tokens, index) if text in ("for", "while", "do") else None
        if body is None:
            continue
        close = tokens.close(body)
        words = tokens.texts[body + 1 : close]
        if not _MARKS.isdisjoint(words) and not _meets_at_the_edge(words):
            end = tokens.starts[close]
            yield Edit(end, end, " ::mkls_lockstep();")


def _loop_body(tokens: Tokens, index: int) -> int | None:
    """The `{` of the loop whose keyword is at `index`; None for a body without braces."""
    body = index + 1
    if tokens.texts[index] != "do" and tokens.texts[body : body + 1] == ["("]:
        body = tokens.close(body) + 1
    is_block = tokens.texts[body : body + 1] == ["{"] and body in tokens.partner
    return body if is_block else None


def _meets_at_the_edge(words: list[str]) -> bool:
    """Whether the body begins or ends with a barrier."""
    if not _BARRIERS.isdisjoint(words[:3]):
        return True
    statements = [i for i, word in enumerate(words) if word in (";", "{", "}")]
    last = statements[-2] + 1 if len(statements) > 1 else 0
    return not _BARRIERS.isdisjoint(words[last:])
