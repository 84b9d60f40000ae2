"""Colours of the terminal."""

import os
import sys
from typing import TextIO

_RESET = "\033[0m"
_SEVERITIES = {"error": "\033[1;31m", "warning": "\033[1;33m", "information": "\033[1;34m"}


class Style:
    """Colours text, or leaves it alone."""

    def __init__(self, coloured: bool) -> None:
        """Colour when `coloured`."""
        self._coloured = coloured

    @classmethod
    def of(cls, stream: TextIO) -> "Style":
        """Colour on a terminal, unless NO_COLOR is set (no-color.org); FORCE_COLOR insists."""
        if os.environ.get("NO_COLOR"):
            return cls(False)
        return cls(bool(os.environ.get("FORCE_COLOR")) or stream.isatty())

    def bold(self, text: str) -> str:
        """Set `text` in bold."""
        return self._wrap("\033[1m", text)

    def dim(self, text: str) -> str:
        """Set `text` in a fainter colour."""
        return self._wrap("\033[2m", text)

    def good(self, text: str) -> str:
        """Set `text` in green."""
        return self._wrap("\033[32m", text)

    def severity(self, severity: str, text: str) -> str:
        """Set `text` in the colour of `severity`."""
        return self._wrap(_SEVERITIES.get(severity, "\033[36m"), text)

    def _wrap(self, colour: str, text: str) -> str:
        return f"{colour}{text}{_RESET}" if self._coloured else text


PLAIN = Style(coloured=False)


def draws_progress() -> bool:
    """Whether progress may be drawn on standard error."""
    return sys.stderr.isatty() and os.environ.get("TERM") != "dumb"
