"""Start the server, and answer what comes before there is anything to work on.

What reads and checks files is imported after `initialize` is answered: the editor does not wait
for it.
"""

import asyncio
import gc
import os
import sys
from collections.abc import Callable
from typing import Protocol as Shape

from lsprotocol import types as lsp
from pygls.lsp.server import LanguageServer

import mkls
from mkls.server.capabilities import server_capabilities
from mkls.server.client import Client, client_of
from mkls.server.dispatch import Dispatcher, Handlers
from mkls.server.frames import Frames
from mkls.server.notices import Notices
from mkls.server.protocol import Protocol, strict_converter
from mkls.server.streams import PipeReader, PipeWriter, SocketConnection, SocketWriter


class Writer(Shape):
    """Where answers go."""

    def write(self, data: bytes) -> None:
        """Send `data`."""

    def close(self) -> None:
        """Send what is left."""


class Conversation:
    """One client's conversation with the server, from `initialize` to `exit`."""

    def __init__(self, writer: Writer) -> None:
        """Answer through `writer`."""
        self._writer = writer
        self._frames = Frames()
        self._server = LanguageServer(
            "mkls", mkls.__version__, protocol_cls=Protocol, converter_factory=strict_converter
        )
        self._protocol = self._server.protocol
        assert isinstance(self._protocol, Protocol)
        self._protocol.set_writer(writer)
        self._notices = Notices(self._server)
        self._client: Client | None = None
        self._working: Handlers | None = None
        self._at_end: list[Callable[[], None]] = [writer.close]
        self._dispatcher = Dispatcher(self._protocol, self._handlers, self._notices.failed)

    async def run(self) -> int:
        """Work until the client is done; return the exit status."""
        status = await self._dispatcher.run()
        for close in self._at_end:
            close()
        return status

    def receive(self, data: bytes) -> None:
        """Take in bytes as they arrive; none means the end."""
        for body in self._frames.feed(data):
            self._dispatcher.receive(body)
        if not data:
            self._dispatcher.end()

    def _handlers(self) -> Handlers:
        if self._client is None:
            return Handlers({lsp.INITIALIZE: self._initialize}, {})
        if self._working is None:
            self._working = _working(self._server, self._client, self._notices, self._at_end)
        return self._working

    def _initialize(self, params: lsp.InitializeParams) -> lsp.InitializeResult:
        self._client = client_of(params)
        asyncio.get_running_loop().call_soon(self._handlers)
        return lsp.InitializeResult(
            capabilities=server_capabilities(self._client),
            server_info=lsp.ServerInfo("mkls", mkls.__version__),
        )


def _working(
    server: LanguageServer, client: Client, notices: Notices, at_end: list[Callable[[], None]]
) -> Handlers:
    from mkls.server.backend import Backend  # noqa: PLC0415
    from mkls.server.handlers import handlers_of  # noqa: PLC0415

    backend = Backend(server, client, notices)
    at_end.append(backend.runs.close)
    handlers = handlers_of(backend)
    # What start-up made stays: the collector need not look at it again.
    gc.freeze()
    gc.enable()
    return handlers


def serve_stdio() -> int:
    """Serve over standard input and output; return the exit status."""
    # Nothing but messages may reach the client: what else is printed goes to standard error.
    output = os.dup(sys.stdout.fileno())
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    return asyncio.run(serve_pipes(sys.stdin.fileno(), output))


async def serve_pipes(source: int, output: int) -> int:
    """Serve the client that writes to file descriptor `source` and reads from `output`."""
    conversation = Conversation(PipeWriter(output))
    PipeReader(source, conversation.receive)
    return await conversation.run()


def serve_tcp(port: int) -> int:
    """Serve the first client that connects to `port` on this machine; return the exit status.

    With `port` 0 the system chooses one; standard error tells which.
    """
    return asyncio.run(_serve_tcp(port))


async def _serve_tcp(port: int) -> int:
    first: asyncio.Future[Conversation] = asyncio.get_running_loop().create_future()

    def connected(writer: SocketWriter) -> Callable[[bytes], None]:
        if first.done():
            writer.close()
            return lambda _data: None
        first.set_result(Conversation(writer))
        return first.result().receive

    loop = asyncio.get_running_loop()
    listener = await loop.create_server(lambda: SocketConnection(connected), "127.0.0.1", port)
    async with listener:
        host, chosen = listener.sockets[0].getsockname()
        sys.stderr.write(f"mkls: listening on {host}:{chosen}\n")
        sys.stderr.flush()
        conversation = await first
        return await conversation.run()
