"""Move bytes between the event loop and the client.

On POSIX the loop itself reads and writes standard input and output, when the system says that it
can: no thread competes for the interpreter, a slow client never blocks the loop, and everything
that is in the pipe can be read before work starts. Elsewhere, and for plain files, a thread reads.
"""

import asyncio
import os
import select
import sys
import threading
from collections.abc import Callable

Receive = Callable[[bytes], None]
"""Takes the bytes that arrived; none means the end of the stream."""

_CHUNK = 1 << 16
_PATIENCE = 2.0  # seconds for a client to read the last words
_AT_ONCE = 4096  # POSIX: a pipe that is ready takes PIPE_BUF bytes without blocking


class PipeReader:
    """Read a file descriptor on the loop."""

    def __init__(self, descriptor: int, receive: Receive) -> None:
        """Call `receive` with what arrives at `descriptor`."""
        self._descriptor = descriptor
        self._receive = receive
        self._loop = asyncio.get_running_loop()
        try:
            self._loop.add_reader(descriptor, self._read)
        except (NotImplementedError, PermissionError):
            threading.Thread(target=self._read_in_thread, daemon=True).start()

    def _read(self) -> None:
        try:
            data = os.read(self._descriptor, _CHUNK)
        except BlockingIOError:
            return
        except OSError:
            data = b""
        if not data:
            self._loop.remove_reader(self._descriptor)
        self._receive(data)

    def _read_in_thread(self) -> None:
        data = b"?"
        while data:
            try:
                data = os.read(self._descriptor, _CHUNK)
            except OSError:
                data = b""
            self._loop.call_soon_threadsafe(self._receive, data)


class PipeWriter:
    """Write to a file descriptor without blocking the loop."""

    def __init__(self, descriptor: int) -> None:
        """Write to `descriptor`, whose mode stays as it is."""
        self._descriptor = descriptor
        self._pending = bytearray()
        self._loop = asyncio.get_running_loop()
        self._waiting = False

    def write(self, data: bytes) -> None:
        """Send `data` now, or as soon as the client reads."""
        self._pending += data
        if not self._waiting:
            self._write_some()

    def close(self) -> None:
        """Send what is left, unless the client is gone."""
        self._stop_waiting()
        try:
            while self._pending and _takes(self._descriptor, _PATIENCE):
                del self._pending[: os.write(self._descriptor, self._pending[:_AT_ONCE])]
        except OSError:
            self._pending.clear()

    def _write_some(self) -> None:
        try:
            while self._pending and _takes(self._descriptor):
                del self._pending[: os.write(self._descriptor, self._pending[:_AT_ONCE])]
        except BlockingIOError:
            pass
        except OSError:
            self._pending.clear()
        if self._pending and not self._waiting:
            self._loop.add_writer(self._descriptor, self._write_some)
            self._waiting = True
        elif not self._pending:
            self._stop_waiting()

    def _stop_waiting(self) -> None:
        if self._waiting:
            self._loop.remove_writer(self._descriptor)
            self._waiting = False


def _takes(descriptor: int, patience: float = 0) -> bool:
    # Windows can ask that of sockets only; its pipes are written to at once.
    return sys.platform == "win32" or bool(select.select((), (descriptor,), (), patience)[1])


class SocketConnection(asyncio.Protocol):
    """One client over TCP."""

    def __init__(self, connected: Callable[["SocketWriter"], Receive]) -> None:
        """Call `connected` with the way back; it returns what takes the bytes that arrive."""
        self._connected = connected
        self._receive: Receive | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Begin."""
        assert isinstance(transport, asyncio.Transport)
        self._receive = self._connected(SocketWriter(transport))

    def data_received(self, data: bytes) -> None:
        """Pass on what arrived."""
        if self._receive:
            self._receive(data)

    def connection_lost(self, exc: Exception | None) -> None:
        """Tell that nothing more will come."""
        del exc
        if self._receive:
            self._receive(b"")


class SocketWriter:
    """Write to a client over TCP."""

    def __init__(self, transport: asyncio.Transport) -> None:
        """Write to `transport`."""
        self._transport = transport

    def write(self, data: bytes) -> None:
        """Send `data`; the transport keeps what the client does not read yet."""
        self._transport.write(data)

    def close(self) -> None:
        """Send what is left and close."""
        self._transport.close()
