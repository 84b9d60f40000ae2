"""Which source line an instruction came from: the DWARF line table of an ELF library.

Reads `.debug_line` as DWARF 4, section 6.2, describes it; other formats give an empty table.
"""

import struct
from bisect import bisect_right
from pathlib import Path

import msgspec

_ELF64_LITTLE = b"\x7fELF\x02\x01"


class Row(msgspec.Struct, frozen=True, order=True):
    """From `address` on, instructions belong to this place; a sequence ends at `end`."""

    address: int
    end: bool
    path: str
    line: int
    column: int


class LineTable:
    """The rows of a library, by address. Addresses count from where the library is loaded."""

    def __init__(self, library: Path) -> None:
        """Read the table of `library`; empty when there is none."""
        data = library.read_bytes()
        section = _section(data, b".debug_line")
        self._rows = sorted(_rows(section), key=lambda row: (row.address, not row.end))
        self._addresses = [row.address for row in self._rows]

    def place(self, address: int) -> tuple[str, int, int] | None:
        """File, line and byte column of the instruction at `address`."""
        index = bisect_right(self._addresses, address) - 1
        while index >= 0 and self._rows[index].line == 0 and not self._rows[index].end:
            index -= 1  # line 0 is code of nobody's: it belongs to what is around it
        if index < 0 or self._rows[index].end:
            return None
        row = self._rows[index]
        return row.path, row.line, row.column


def _section(data: bytes, name: bytes) -> bytes:
    if not data.startswith(_ELF64_LITTLE):
        return b""
    (table,) = struct.unpack_from("<Q", data, 0x28)
    size, count, names_index = struct.unpack_from("<HHH", data, 0x3A)
    headers = [struct.unpack_from("<IIQQQQ", data, table + size * i) for i in range(count)]
    names_at = headers[names_index][4]
    for name_offset, _, _, _, offset, length in headers:
        start = names_at + name_offset
        if data[start : data.index(b"\0", start)] == name:
            return data[offset : offset + length]
    return b""


class _Reader:
    def __init__(self, data: bytes, at: int) -> None:
        self.data = data
        self.at = at

    def number(self, size: int) -> int:
        value = int.from_bytes(self.data[self.at : self.at + size], "little")
        self.at += size
        return value

    def uleb(self) -> int:
        value = shift = 0
        while True:
            byte = self.number(1)
            value |= (byte & 0x7F) << shift
            shift += 7
            if not byte & 0x80:
                return value

    def sleb(self) -> int:
        start = self.at
        value = self.uleb()
        bits = 7 * (self.at - start)
        return value - (1 << bits) if value >> (bits - 1) & 1 else value

    def text(self) -> str:
        end = self.data.index(b"\0", self.at)
        text = self.data[self.at : end].decode("utf-8", "replace")
        self.at = end + 1
        return text


def _rows(section: bytes) -> list[Row]:
    rows: list[Row] = []
    at = 0
    while at + 4 <= len(section):
        length = int.from_bytes(section[at : at + 4], "little")
        version = int.from_bytes(section[at + 4 : at + 6], "little")
        if version == 4:
            rows += _Program(section, at, at + 4 + length).run()
        at += 4 + length
    return rows


class _Program:
    """One unit's line number program."""

    def __init__(self, data: bytes, start: int, end: int) -> None:
        reader = _Reader(data, start + 6)
        header = reader.number(4)
        self._code = reader.at + header
        self._unit = reader.number(1)
        reader.number(2)  # operations per instruction, default is_stmt: of no use here
        self._line_base = reader.number(1) - 256
        if self._line_base <= -128:
            self._line_base += 256
        self._line_range = reader.number(1)
        self._opcode_base = reader.number(1)
        self._arguments = [reader.number(1) for _ in range(self._opcode_base - 1)]
        self._files = _file_names(reader)
        self._reader = _Reader(data, self._code)
        self._end = end
        self._rows: list[Row] = []
        self._reset()

    def _reset(self) -> None:
        self._address = self._column = 0
        self._file = self._line = 1

    def _emit(self, *, end: bool = False) -> None:
        path = self._files[self._file] if self._file < len(self._files) else ""
        self._rows.append(Row(self._address, end, path, self._line, self._column))

    def run(self) -> list[Row]:
        """Execute the program."""
        while self._reader.at < self._end:
            opcode = self._reader.number(1)
            if opcode >= self._opcode_base:
                self._special(opcode - self._opcode_base)
                self._emit()
            elif opcode == 0:
                self._extended()
            else:
                self._standard(opcode)
        return self._rows

    def _special(self, adjusted: int) -> None:
        self._address += adjusted // self._line_range * self._unit
        self._line += self._line_base + adjusted % self._line_range

    def _extended(self) -> None:
        length = self._reader.uleb()
        next_at = self._reader.at + length
        opcode = self._reader.number(1)
        if opcode == 1:
            self._emit(end=True)
            self._reset()
        elif opcode == 2:
            self._address = self._reader.number(length - 1)
        self._reader.at = next_at

    def _standard(self, opcode: int) -> None:
        reader = self._reader
        if opcode == 1:
            self._emit()
        elif opcode == 2:
            self._address += reader.uleb() * self._unit
        elif opcode == 3:
            self._line += reader.sleb()
        elif opcode == 4:
            self._file = reader.uleb()
        elif opcode == 5:
            self._column = reader.uleb()
        elif opcode == 8:
            self._address += (255 - self._opcode_base) // self._line_range * self._unit
        elif opcode == 9:
            self._address += reader.number(2)
        else:
            for _ in range(self._arguments[opcode - 1]):
                reader.uleb()


def _file_names(reader: _Reader) -> list[str]:
    folders = [""]
    while folder := reader.text():
        folders.append(folder)
    names = [""]
    while name := reader.text():
        folder = folders[index] if (index := reader.uleb()) < len(folders) else ""
        reader.uleb()
        reader.uleb()
        names.append(f"{folder}/{name}" if folder and not name.startswith("/") else name)
    return names
