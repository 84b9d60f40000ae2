"""Turn the places of the `ast` module, which count lines and UTF-8, into offsets of a text."""

import ast

from mkls.text.span import Span


class Places:
    """The places of nodes that were parsed from a part of a text that starts a line."""

    def __init__(self, text: str, start: int = 0) -> None:
        """Look at `text` from the offset `start` on."""
        self._text = text
        self._starts = [start]

    def span(self, node: ast.expr | ast.stmt | ast.keyword) -> Span:
        """Return where `node` stands."""
        start = self._offset(node.lineno, node.col_offset)
        return Span(start, self._offset(node.end_lineno or node.lineno, node.end_col_offset or 0))

    def _offset(self, line: int, column: int) -> int:
        while len(self._starts) < line:
            self._starts.append(self._text.find("\n", self._starts[-1]) + 1)
        start = self._starts[line - 1]
        part = self._text[start : start + column]
        if part.isascii():
            return start + column
        return start + len(part.encode("utf-8", "surrogatepass")[:column].decode("utf-8", "ignore"))
