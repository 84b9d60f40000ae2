"""Preprocessed Metal text as tokens: enough structure to find declarations, no grammar."""

import re
from bisect import bisect_right
from collections.abc import Iterator

_TOKEN = re.compile(
    r"""(?P<marker>^\#[^\n]*)
      | (?P<space>[ \t\r\n\f\v]+)
      | (?:u8|[uUL])?R"(?P<delimiter>[^()\\ \n]{0,16})\((?:.|\n)*?\)(?P=delimiter)"
      | [A-Za-z_]\w*
      | "(?:\\.|[^"\\\n])*"
      | '(?:\\.|[^'\\\n])*'
      | \.?\d(?:[eEpP][+-]|'(?=\w)|[\w.])*
      | ::
      | .
    """,
    re.VERBOSE | re.MULTILINE,
)
_CLOSES = {")": "(", "]": "[", "}": "{"}
_IDENTIFIER = re.compile(r"[A-Za-z_]\w*\Z")


def is_identifier(text: str) -> bool:
    """Whether a token is a name or a keyword."""
    return _IDENTIFIER.match(text) is not None


class Tokens:
    """The tokens of a text; white space and line markers are left out.

    `texts[i]` spans the offsets `starts[i]` to `ends[i]`; `partner[i]` is the index of the bracket
    that closes or opens bracket i, absent when the text does not balance.
    """

    def __init__(self, text: str) -> None:
        """Split `text`, which may be broken in any way."""
        self.text = text
        self.texts: list[str] = []
        self.starts: list[int] = []
        self.markers: list[tuple[int, int]] = []
        for match in _TOKEN.finditer(text):
            kind = match.lastgroup
            if kind == "space":
                continue
            if kind == "marker":
                self.markers.append(match.span())
                continue
            self.texts.append(match.group())
            self.starts.append(match.start())
        self.partner = _partners(self.texts)

    def __len__(self) -> int:
        """How many tokens there are."""
        return len(self.texts)

    def end(self, index: int) -> int:
        """The offset just behind token `index`."""
        return self.starts[index] + len(self.texts[index])

    def is_attribute(self, index: int) -> bool:
        """Whether `[[` starts at token `index`."""
        texts = self.texts
        return texts[index] == "[" and index + 1 < len(texts) and texts[index + 1] == "["

    def close(self, index: int) -> int:
        """The partner of the opening bracket at `index`; the last token when there is none."""
        return self.partner.get(index, len(self.texts) - 1)

    def index_at(self, offset: int) -> int:
        """The token that covers `offset` or is the last before it; -1 before the first."""
        return bisect_right(self.starts, offset) - 1

    def joined(self, first: int, last: int) -> str:
        """Tokens first to last (exclusive) on one line; what touches (`<` and `=`) still does."""
        pieces: list[str] = []
        for index in range(first, last):
            if index > first and self.starts[index] != self.end(index - 1):
                pieces.append(" ")
            pieces.append(self.texts[index])
        return "".join(pieces)

    def angle_close(self, index: int, limit: int) -> int:
        """The token that closes the `<` at `index`, or `limit` when none does before it."""
        depth = 0
        while index < limit:
            text = self.texts[index]
            if text == "<":
                depth += 1
            elif text == ">":
                depth -= 1
                if depth == 0:
                    return index
            elif text in "([{":
                index = self.close(index)
            elif text == ";":
                return limit
            index += 1
        return limit

    def split_commas(self, first: int, last: int) -> Iterator[tuple[int, int]]:
        """Ranges between the commas of tokens first to last (exclusive) that nothing encloses."""
        start = index = first
        while index < last:
            text = self.texts[index]
            if text in "([{":
                index = self.close(index)
            elif text == "<" and index > start and is_identifier(self.texts[index - 1]):
                close = self.angle_close(index, last)
                index = close if close < last else index
            elif text == ",":
                yield start, index
                start = index + 1
            index += 1
        if start < last:
            yield start, last


def _partners(texts: list[str]) -> dict[int, int]:
    partner: dict[int, int] = {}
    open_: list[int] = []
    for index, text in enumerate(texts):
        if text in ("(", "[", "{"):
            open_.append(index)
        elif text in _CLOSES and open_ and texts[open_[-1]] == _CLOSES[text]:
            start = open_.pop()
            partner[start] = index
            partner[index] = start
    return partner
