"""Show the user how far long work is (LSP 3.17, “Work Done Progress”)."""

import asyncio
from itertools import count
from time import monotonic
from types import TracebackType

from lsprotocol import types as lsp
from pygls.exceptions import JsonRpcException
from pygls.lsp.server import LanguageServer

from mkls.server.client import Client

_INTERVAL = 0.1  # seconds between two reports
_numbers = count(1)


class ProgressReport:
    """A progress bar in the client, from `async with` to its end; work never waits for it."""

    def __init__(self, server: LanguageServer, client: Client, title: str) -> None:
        """Show `title`, if the client shows progress at all."""
        self._server = server
        self._client = client
        self._title = title
        self._token = f"mkls-{next(_numbers)}"
        self._creation: asyncio.Task[None] | None = None
        self._begun = False
        self._reported = 0.0

    async def __aenter__(self) -> "ProgressReport":
        if self._client.progress:
            self._creation = asyncio.ensure_future(self._begin())
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        if self._creation and not self._begun:
            self._creation.cancel()
        if self._begun:
            self._send(lsp.WorkDoneProgressEnd())

    def count(self, done: int, total: int) -> None:
        """Tell that `done` files of `total` are read."""
        if not self._begun or monotonic() - self._reported < _INTERVAL:
            return
        self._reported = monotonic()
        percentage = 100 * done // max(total, 1)
        message = f"{done:,} of {total:,} files"
        self._send(lsp.WorkDoneProgressReport(message=message, percentage=percentage))

    async def _begin(self) -> None:
        params = lsp.WorkDoneProgressCreateParams(self._token)
        try:
            await self._server.window_work_done_progress_create_async(params)
        except JsonRpcException:
            return
        self._begun = True
        self._send(lsp.WorkDoneProgressBegin(title=self._title, percentage=0))

    def _send(
        self,
        value: lsp.WorkDoneProgressBegin | lsp.WorkDoneProgressReport | lsp.WorkDoneProgressEnd,
    ) -> None:
        self._server.progress(lsp.ProgressParams(self._token, value))
