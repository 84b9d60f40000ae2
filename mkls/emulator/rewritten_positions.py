"""From the compiler's lines and columns to the user's."""

from mkls.emulator.edits import EditedText
from mkls.emulator.positions import Position, SourceMap

_COMPILED_FROM = "<stdin>"


class RewrittenPositions:
    """Positions of a rewritten text, which has the lines of the preprocessed one."""

    def __init__(self, edited: EditedText, source_map: SourceMap) -> None:
        """Go back through `edited` and then through `source_map`."""
        self._edited = edited
        self._map = source_map
        self._lines = edited.text.split("\n")
        self._starts: list[int] = []
        offset = 0
        for line in self._lines:
            self._starts.append(offset)
            offset += len(line) + 1

    def locate(self, path: str, row: int, column: int) -> Position | None:
        """The user's place for what the compiler calls `path:row:column`, which counts bytes.

        None for places in the shim.
        """
        if path != _COMPILED_FROM:
            return None
        return self.position(row, column)

    def position(self, row: int, column: int) -> Position | None:
        """The user's place for a line and a byte column of the rewritten text."""
        if not 0 < row <= len(self._lines):
            return None
        head = self._lines[row - 1].encode("utf-8", "surrogateescape")[: column - 1]
        offset = self._starts[row - 1] + len(head.decode("utf-8", "replace"))
        return self._map.position(self._edited.original_offset(offset))

    def of_presumed(self, path: str, line: int, column: int) -> Position | None:
        """The user's place for a line that debug information names by its file."""
        row = self._map.row_of(path, line)
        return None if row is None else self.position(row, column)
