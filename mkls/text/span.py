"""Half-open ranges of a text."""

import msgspec


class Span(msgspec.Struct, frozen=True, order=True, array_like=True, gc=False):
    """A half-open range `[start, end)` of code-point offsets into one text."""

    start: int
    end: int

    def __contains__(self, offset: int) -> bool:
        # A cursor just after the last character still touches the name.
        return self.start <= offset <= self.end

    def covers(self, other: "Span") -> bool:
        """Whether `other` lies within this span."""
        return self.start <= other.start and other.end <= self.end

    def overlaps(self, other: "Span") -> bool:
        """Whether a character is in both spans."""
        return self.start < other.end and other.start < self.end

    def shifted(self, by: int) -> "Span":
        """Return this span moved by `by` code points."""
        return Span(self.start + by, self.end + by)

    def of(self, text: str) -> str:
        """Return the part of `text` that the span covers."""
        return text[self.start : self.end]
