"""Texts that win over the disk's, for a compiler that reads files (worker side)."""

import shutil
import tempfile
import weakref
from pathlib import Path

from mkls.runner.backends.protocol import Unit


class Overlay:
    """A folder that mirrors the texts of a unit; without such texts, nothing at all.

    `path` and `include_dirs` are what the compiler is given; `original` translates its paths back.
    """

    def __init__(self, unit: Unit) -> None:
        """Write the unit's files below a temporary folder that lives as long as this object."""
        self._folder = ""
        self.path = unit.path
        self.include_dirs = unit.include_dirs
        if not unit.files:
            return
        self._folder = tempfile.mkdtemp(prefix="mkls-overlay-")
        weakref.finalize(self, shutil.rmtree, self._folder, ignore_errors=True)
        # The source too: a compiler looks for quoted headers next to it.
        for path, text in {**unit.files, unit.path: unit.source}.items():
            place = Path(self._inside(path))
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_text(text, encoding="utf-8")
        self.path = self._inside(unit.path)
        mirrored = tuple(self._inside(it) for it in unit.include_dirs)
        # What is not mirrored is looked for where it was, next to the including file too.
        here = str(Path(unit.path).parent)
        self.include_dirs = (*mirrored, here, *unit.include_dirs)

    def original(self, path: str) -> str:
        """Return the user's path of a mirrored file."""
        if self._folder and path.startswith(self._folder):
            return path[len(self._folder) :]
        return path

    def in_text(self, text: str) -> str:
        """Return a message with the user's paths in it."""
        return text.replace(self._folder, "") if self._folder else text

    def _inside(self, path: str) -> str:
        return self._folder + "/" + path.lstrip("/")
