"""Put the text of included headers in the place of `#include` lines, and know the way back.

Metal's run-time compiler reads no files: `torch.mps.compile_shader` and PyTorch's own build embed
headers (`torch/utils/_cpp_embed_headers.py`). This does the same, with the headers of the checkout
in front of the installed ones, and keeps where every line came from.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from posixpath import dirname, join, normpath

_INCLUDE = re.compile(r'\s*#\s*include\s*([<"])([^>"]+)[>"]')
_ONCE = re.compile(r"\s*#\s*pragma\s+once\b")

Read = Callable[[str], "str | None"]
"""Returns the text of an absolute path, None when there is no such file."""


@dataclass(frozen=True)
class Embedded:
    """A text without includes of known headers; `origins[n]` is the path and line of line n + 1."""

    text: str
    origins: tuple[tuple[str, int], ...]
    headers: tuple[str, ...]

    def origin(self, line: int) -> tuple[str, int]:
        """Return path and line (from 1) of embedded line `line` (from 1)."""
        index = min(max(line, 1), len(self.origins)) - 1
        return self.origins[index]


def embed(path: str, source: str, include_dirs: Sequence[str], read: Read) -> Embedded:
    """Return `source` of `path` with its headers embedded, each once."""
    embedder = _Embedder(include_dirs, read)
    embedder.add(path, source)
    lines = embedder.lines
    return Embedded(
        "\n".join(text for text, _, _ in lines) + "\n",
        tuple((origin, number) for _, origin, number in lines),
        tuple(embedder.headers),
    )


class _Embedder:
    def __init__(self, include_dirs: Sequence[str], read: Read) -> None:
        self._include_dirs = include_dirs
        self._read = read
        self.lines: list[tuple[str, str, int]] = []
        self.headers: dict[str, None] = {}

    def add(self, path: str, source: str) -> None:
        for number, line in enumerate(re.split(r"\r\n|\n|\r", source), 1):
            if _ONCE.match(line):
                # A warning in the main file, and every header is embedded once anyway.
                self.lines.append(("", path, number))
                continue
            found = self._header(path, line)
            if found is None:
                self.lines.append((line, path, number))
            elif found[0] in self.headers:
                self.lines.append(("", path, number))
            else:
                self.headers[found[0]] = None
                self.add(*found)

    def _header(self, path: str, line: str) -> tuple[str, str] | None:
        match = _INCLUDE.match(line)
        if match is None:
            return None
        folders = [dirname(path)] if match[1] == '"' else []
        for folder in (*folders, *self._include_dirs):
            candidate = normpath(join(folder, match[2]))
            if candidate == path:
                continue
            text = self._read(candidate)
            if text is not None:
                return candidate, text
        return None
