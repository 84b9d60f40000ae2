"""Replacements in a text that keep its lines, and the way back from new columns to old ones."""

import re
from bisect import bisect_right

import msgspec

_WORD = re.compile(r"[A-Za-z_]\w*")


class Edit(msgspec.Struct, frozen=True, order=True):
    """`text` stands in for the offsets start to end; an insertion has start == end."""

    start: int
    end: int
    text: str


class EditedText:
    """A text with edits applied. An edit inside another one is dropped."""

    def __init__(self, original: str, edits: list[Edit]) -> None:
        """Apply `edits`, in any order; an insertion goes before a replacement at its offset."""
        self._original = original
        self._kept: list[Edit] = []
        self._starts: list[int] = []
        pieces: list[str] = []
        done = length = 0
        for edit in sorted(edits, key=lambda e: (e.start, e.end > e.start, -e.end)):
            if edit.start < done:
                continue
            pieces += (original[done : edit.start], edit.text)
            length += edit.start - done
            self._starts.append(length)
            self._kept.append(edit)
            length += len(edit.text)
            done = edit.end
        pieces.append(original[done:])
        self.text = "".join(pieces)

    def original_offset(self, offset: int) -> int:
        """Where `offset` of the new text was; in a replacement, the same word of what was there."""
        index = bisect_right(self._starts, offset) - 1
        if index < 0:
            return offset
        edit = self._kept[index]
        behind = offset - self._starts[index] - len(edit.text)
        if behind >= 0:
            return edit.end + behind
        return self._same_word(edit, offset)

    def _same_word(self, edit: Edit, offset: int) -> int:
        word = _WORD.match(self.text, offset)
        if word:
            same = re.compile(rf"\b{word.group()}\b").search(
                self._original, edit.start, max(edit.end, edit.start + 1)
            )
            if same:
                return same.start()
        return edit.start


def blank(text: str) -> str:
    """The same lines and columns with nothing on them; line markers stay."""
    lines = text.split("\n")
    return "\n".join(
        line if row and line.startswith("#") else " " * len(line) for row, line in enumerate(lines)
    )


def newlines(text: str) -> str:
    """Only the line breaks and line markers of `text`."""
    lines = text.split("\n")
    return "\n".join(line if row and line.startswith("#") else "" for row, line in enumerate(lines))
