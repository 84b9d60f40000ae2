"""A real Helix in a terminal of tmux, configured by the repository's `languages.toml`."""

import os
import subprocess
import sys
from pathlib import Path
from threading import Event
from time import monotonic

from tests.support.lsp_client import DEADLINE
from tests.support.lsp_server import REPOSITORY
from tests.support.programs import program

CONFIGURATION = REPOSITORY / "editors" / "helix" / "languages.toml"


class Helix:
    """An editor with one file, on a screen of 40 lines of 160 cells."""

    def __init__(self, file: str, folder: Path) -> None:
        """Open `file`, a path with a line and column as `hx` takes it; keep things in `folder`."""
        for needed in ("tmux", "hx"):
            program(needed)
        settings = folder / "config" / "helix"
        settings.mkdir(parents=True)
        server = f'command = "{sys.executable}"\nargs = ["-m", "mkls", "serve"]'
        shipped = 'command = "mkls"\nargs = ["serve"]'
        text = CONFIGURATION.read_text(encoding="utf-8")
        assert shipped in text
        (settings / "languages.toml").write_text(text.replace(shipped, server), encoding="utf-8")
        self._socket = str(folder / "tmux")
        self._environment = {
            **os.environ,
            "XDG_CONFIG_HOME": str(folder / "config"),
            "XDG_CACHE_HOME": str(folder / "cache"),
            "MKLS_CACHE_DIR": str(folder / "mkls"),
            "PYTHONPATH": str(REPOSITORY),
            "TERM": "xterm-256color",
        }
        size = ("-x", "160", "-y", "40")
        self._tmux("-f", os.devnull, "new-session", "-d", *size, program("hx"), file)

    def _tmux(self, *arguments: str) -> str:
        done = subprocess.run(
            [program("tmux"), "-u", "-S", self._socket, *arguments],
            capture_output=True,
            text=True,
            encoding="utf-8",
            timeout=DEADLINE,
            check=True,
            env=self._environment,
        )
        return done.stdout

    def screen(self) -> str:
        """Return what is to be seen."""
        return self._tmux("capture-pane", "-p")

    def press(self, *keys: str) -> None:
        """Press keys, by tmux's names of them."""
        self._tmux("send-keys", *keys)

    def sees(self, text: str) -> str:
        """Wait until `text` is on the screen, and return the screen."""
        deadline = monotonic() + DEADLINE
        while monotonic() < deadline:
            if text in (screen := self.screen()):
                return screen
            Event().wait(0.05)  # each look costs a process
        raise AssertionError(f"waited in vain for {text!r}; the screen is\n{self.screen()}")

    def close(self) -> None:
        """End the editor, and with it the server."""
        self._tmux("kill-server")
