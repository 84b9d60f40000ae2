"""The user's settings: the editor's win over those of `mkls.toml` and `pyproject.toml`."""

import asyncio
import re
from collections.abc import Mapping
from typing import Any, cast

from lsprotocol import types as lsp
from pygls.exceptions import JsonRpcException
from pygls.lsp.server import LanguageServer

from mkls.diagnostics.selection import Selection
from mkls.rules import KNOWN_RULES
from mkls.server.client import Client
from mkls.server.folders import Folder
from mkls.server.notices import Notices
from mkls.session.config import Config, config_of, load_config, missing_folders

SECTION = "mkls"
_PATIENCE = 2.0  # seconds: how long loading waits for the editor's settings
# Extensions keep their own settings in the same section: how to start the server, what to log.
_OF_THE_EXTENSION = frozenset(("args", "import-strategy", "interpreter", "path", "server", "trace"))
_CAPITAL = re.compile(r"(?<=[a-z])[A-Z]")


class Settings:
    """Asks the editor for settings, or takes those it gave at `initialize`."""

    def __init__(self, server: LanguageServer, client: Client, notices: Notices) -> None:
        """Tell through `notices` of settings that mean nothing."""
        self._server = server
        self._client = client
        self._notices = notices
        self._given = _section(client.options)

    def give(self, settings: object) -> None:
        """Take in what a client that cannot be asked sends when settings change."""
        self._given = _section(settings)

    async def config(self, folder: Folder) -> Config:
        """Return the configuration of `folder`, and tell the user what is wrong with it."""
        stored = load_config(folder.root, KNOWN_RULES)
        table = await self._asked(folder) if self._client.configuration else self._given
        edited = config_of(_our_keys(table), "settings", KNOWN_RULES)
        missing = missing_folders(edited, folder.root, "settings")
        self._notices.misconfigured((*stored.messages, *edited.messages, *missing))
        return merged(stored, edited)

    async def _asked(self, folder: Folder) -> object:
        item = lsp.ConfigurationItem(scope_uri=folder.session.root, section=SECTION)
        question = self._server.workspace_configuration_async(lsp.ConfigurationParams([item]))
        try:
            answer = await asyncio.wait_for(question, _PATIENCE)
        except (asyncio.TimeoutError, JsonRpcException):
            return self._given
        return answer[0] if answer else None


def merged(stored: Config, edited: Config) -> Config:
    """Return `stored` with what `edited` sets; an empty setting leaves the stored one."""
    ours, theirs = edited.selection, stored.selection
    selection = Selection(
        select=ours.select or theirs.select,
        ignore=ours.ignore or theirs.ignore,
        extend_select=ours.extend_select or theirs.extend_select,
        severities={**theirs.severities, **ours.severities},
        per_file_ignores={**theirs.per_file_ignores, **ours.per_file_ignores},
    )
    exclude = edited.exclude or stored.exclude
    include_dirs = edited.include_dirs or stored.include_dirs
    return Config(
        selection,
        exclude,
        include_dirs,
        run=edited.run.over(stored.run),
        msl=edited.msl or stored.msl,
        hidden_hints=edited.hidden_hints | stored.hidden_hints,
        hidden_lenses=edited.hidden_lenses | stored.hidden_lenses,
    )


def _section(settings: object) -> object:
    """Return the part of `settings` that is about mkls: under its name, or all of it."""
    if isinstance(settings, Mapping):
        table = cast("Mapping[str, object]", settings)
        return table.get(SECTION, table)
    return settings


def _our_keys(table: object) -> dict[str, Any]:
    """Return the settings that are set, in kebab case as in `mkls.toml`."""
    if not isinstance(table, Mapping):
        return {}
    named = {_kebab(key): value for key, value in cast("Mapping[str, Any]", table).items()}
    return {
        key: value
        for key, value in named.items()
        if value is not None and key not in _OF_THE_EXTENSION
    }


def _kebab(key: str) -> str:
    return _CAPITAL.sub(lambda capital: f"-{capital[0].lower()}", key)
