"""A progress bar on a terminal, for work that takes longer than a second."""

import sys
import time

_WIDTH = 30
_PATIENCE_SECONDS = 1.0
_INTERVAL_SECONDS = 0.1


class ProgressBar:
    """Draws on standard error, and only on a terminal; erases itself."""

    def __init__(self, label: str, shown: bool) -> None:
        """Draw under `label` when `shown`."""
        self._label = label
        self._shown = shown
        self._next = time.monotonic() + _PATIENCE_SECONDS
        self._drawn = False

    def __call__(self, done: int, total: int) -> None:
        """Show that `done` of `total` steps are done."""
        if not self._shown or (now := time.monotonic()) < self._next:
            return
        self._next = now + _INTERVAL_SECONDS
        self._drawn = True
        filled = _WIDTH * done // max(total, 1)
        bar = "█" * filled + "░" * (_WIDTH - filled)
        sys.stderr.write(f"\r{self._label} {bar} {done}/{total}")
        sys.stderr.flush()

    def clear(self) -> None:
        """Erase the bar."""
        if self._drawn:
            sys.stderr.write("\r\033[K")
            sys.stderr.flush()
            self._drawn = False
