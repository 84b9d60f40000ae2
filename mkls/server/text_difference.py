"""What differs between two texts, as one replaced stretch."""

import msgspec

from mkls.text.span import Span


class Difference(msgspec.Struct, frozen=True):
    """`start` to `end` of the old text became `start` to `new_end` of the new one."""

    start: int
    end: int
    new_end: int

    def touches(self, span: Span) -> bool:
        """Whether something within `span` has changed; what was put in beside it has not."""
        return self.start < span.end and self.end > span.start

    def moved(self, span: Span) -> Span:
        """Return where a `span` that is not touched lies now."""
        if span.start < self.end:
            return span
        shift = self.new_end - self.end
        return Span(span.start + shift, span.end + shift)


def difference(old: str, new: str) -> Difference:
    """Return the shortest stretch outside of which `old` and `new` are the same."""
    start = _equal(old, new)
    most = min(len(old), len(new)) - start
    after = _equal(old[len(old) - most :][::-1], new[len(new) - most :][::-1])
    return Difference(start, len(old) - after, len(new) - after)


def _equal(one: str, other: str) -> int:
    """Return how long the longest common start is; halving is faster than going by characters."""
    low, high = 0, min(len(one), len(other))
    while low < high:
        middle = (low + high + 1) // 2
        if one[low:middle] == other[low:middle]:
            low = middle
        else:
            high = middle - 1
    return low
