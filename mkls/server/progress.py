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

    def __init__(
        self,
        server: LanguageServer,
        client: Client,
        title: str,
        token: lsp.ProgressToken | None = None,
        cancellable: bool = False,
    ) -> None:
        """Show `title`, if the client shows progress at all; `token` is one that it has given."""
        self._server = server
        self._client = client
        self._title = title
        self.token = f"mkls-{next(_numbers)}" if token is None else token
        self._given = token is not None
        self._cancellable = cancellable
        self._creation: asyncio.Task[None] | None = None
        self._begun = False
        self._reported = 0.0
        self._newest = "", 0
        self._timer: asyncio.TimerHandle | None = None

    async def __aenter__(self) -> "ProgressReport":
        if self._given:
            self._show()
        elif self._client.progress:
            self._creation = asyncio.ensure_future(self._begin())
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        if self._timer:
            self._timer.cancel()
        if self._creation and not self._begun:
            self._creation.cancel()
        if self._begun:
            self._begun = False
            self._send(lsp.WorkDoneProgressEnd())

    def count(self, done: int, total: int) -> None:
        """Tell that `done` files of `total` are read."""
        self.report(f"{done:,} of {total:,} files", 100 * done // max(total, 1))

    def report(self, message: str, percentage: int) -> None:
        """Tell what is being done; of what comes in quick succession, the last is told."""
        self._newest = message, percentage
        if self._timer is None:
            wait = max(0.0, self._reported + _INTERVAL - monotonic())
            self._timer = asyncio.get_running_loop().call_later(wait, self._tell)

    def _tell(self) -> None:
        self._timer = None
        if not self._begun:
            return
        self._reported = monotonic()
        message, percentage = self._newest
        self._send(lsp.WorkDoneProgressReport(message=message, percentage=percentage))

    async def _begin(self) -> None:
        params = lsp.WorkDoneProgressCreateParams(self.token)
        try:
            await self._server.window_work_done_progress_create_async(params)
        except JsonRpcException:
            return
        self._show()

    def _show(self) -> None:
        self._begun = True
        cancellable = True if self._cancellable else None
        begin = lsp.WorkDoneProgressBegin(self._title, cancellable=cancellable, percentage=0)
        self._send(begin)

    def _send(
        self,
        value: lsp.WorkDoneProgressBegin | lsp.WorkDoneProgressReport | lsp.WorkDoneProgressEnd,
    ) -> None:
        self._server.progress(lsp.ProgressParams(self.token, value))
