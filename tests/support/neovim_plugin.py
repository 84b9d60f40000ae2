"""A real Neovim with the plugin of `editors/nvim`."""

import sys
from pathlib import Path

from tests.support.lsp_server import REPOSITORY
from tests.support.neovim import Neovim

PLUGIN = REPOSITORY / "editors/nvim"
_SETUP = """
local plugin, cmd, cache = ...
_G.shown = {}
vim.notify = function(message) table.insert(_G.shown, message) end
vim.lsp.config("mkls", { cmd = cmd, cmd_env = { MKLS_CACHE_DIR = cache } })
vim.opt.runtimepath:prepend(plugin)
vim.opt.runtimepath:append(plugin .. "/after")
vim.cmd.runtime({ "ftdetect/metal.lua", bang = true })
vim.cmd.runtime({ "plugin/mkls.lua", bang = true })
vim.cmd("filetype plugin on | syntax on")
"""


class PluggedNeovim(Neovim):
    """An editor whose user has installed the plugin and nothing else."""

    def setup(self, folder: Path) -> None:
        """Put the plugin on the runtime path, as a package manager does."""
        self.start([sys.executable, "-m", "mkls", "serve"], folder)

    def start(self, command: list[str], folder: Path) -> None:
        """Load the plugin with `command` for the server."""
        self.lua(_SETUP, str(PLUGIN), command, str(folder / "mkls"))

    def shown(self) -> list[str]:
        """Return the messages that the user has seen."""
        return self.lua("return _G.shown")
