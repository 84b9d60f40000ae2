"""Tell the user what went wrong, once each."""

import logging
from collections.abc import Iterable

from lsprotocol import types as lsp
from pygls.lsp.server import LanguageServer

LOG = logging.getLogger("mkls.server")


class Notices:
    """Messages to the user; what was shown once goes to the log from then on."""

    def __init__(self, server: LanguageServer) -> None:
        """Show messages through `server`."""
        self._server = server
        self._shown: set[str] = set()

    def failed(self, method: str, error: Exception) -> None:
        """Tell of an exception in what answers `method`; its traceback goes to the log, once."""
        what = f"{type(error).__name__}: {error}"
        key = f"{method} {type(error).__name__}"
        LOG.error("%s failed: %s", method, what, exc_info=None if key in self._shown else error)
        self._tell(
            f"mkls: `{method}` failed with {what}. Please report it; the server's log has more.",
            lsp.MessageType.Error,
            key,
        )

    def unreadable(self, name: str, error: Exception) -> None:
        """Tell of a document at which a reader raised."""
        self.failed(f"reading {name}", error)

    def misconfigured(self, messages: Iterable[str]) -> None:
        """Tell of settings that mean nothing to mkls."""
        for message in messages:
            self._tell(f"mkls: {message}", lsp.MessageType.Warning, key=message)

    def _tell(self, message: str, kind: lsp.MessageType, key: str) -> None:
        if key in self._shown:
            self._server.window_log_message(lsp.LogMessageParams(kind, message))
            return
        self._shown.add(key)
        self._server.window_show_message(lsp.ShowMessageParams(kind, message))
