"""Take messages from the client and give each its answer."""

import asyncio
import logging
from collections.abc import Callable, Mapping
from enum import Enum
from typing import Any

import msgspec
from lsprotocol import types as lsp

from mkls.server.errors import RefusedError, cancelled, invalid_request
from mkls.server.inbox import Inbox
from mkls.server.messages import MalformedError, Message, RequestId, Response, parse
from mkls.server.protocol import Protocol

LOG = logging.getLogger("mkls.server")
_MOST_ROUNDS = 64  # of reading before a request is taken up, so that a flood does not starve it


class Handlers(msgspec.Struct, frozen=True):
    """What answers each method; a coroutine function gives way to other messages."""

    requests: Mapping[str, Callable[[Any], object]]
    notifications: Mapping[str, Callable[[Any], object]]


class Phase(Enum):
    """How far the conversation is (LSP 3.17, “Server lifecycle”)."""

    NEW = "new"
    INITIALIZED = "initialized"
    SHUT_DOWN = "shut down"


class Dispatcher:
    """The conversation with one client, from its first message to `exit`."""

    def __init__(
        self,
        protocol: Protocol,
        handlers: Callable[[], Handlers],
        failed: Callable[[str, Exception], None],
    ) -> None:
        """Answer with `handlers`, fetched late, and tell `failed` of exceptions in them."""
        self._protocol = protocol
        self._handlers = handlers
        self._failed = failed
        self._inbox = Inbox(protocol.refuse)
        self._running: dict[RequestId, asyncio.Task[object]] = {}
        self._phase = Phase.NEW
        self._status: int | None = None
        self._arrived = asyncio.Event()
        self._arrivals = 0

    async def run(self) -> int:
        """Work until `exit` or the end of the input; return the process's exit status."""
        while self._status is None:
            await self._arrived.wait()
            self._arrived.clear()
            while self._inbox and self._status is None:
                if self._inbox.next_is_request():
                    await self._read_what_is_there()
                if self._inbox:
                    self._take_up(self._inbox.pop())
        for task in self._running.values():
            task.cancel()
        return self._status

    def receive(self, body: bytes | None) -> None:
        """Take in one message as it arrives."""
        self._arrivals += 1
        self._arrived.set()
        try:
            self._sort(parse(body))
        except MalformedError as error:
            LOG.warning("dropped a message: %s", error)
            self._protocol.refuse(error.message_id, error.refusal)

    def end(self) -> None:
        """The client is gone: end after what it has sent, as after `exit`."""
        self._inbox.put(Message(lsp.EXIT, None))
        self._arrived.set()

    def _sort(self, message: Message | Response) -> None:
        if isinstance(message, Response):
            self._protocol.take_response(message.content)
        elif message.method == lsp.CANCEL_REQUEST:
            self._cancel(message.cancelled)
        else:
            self._inbox.put(message)

    def _cancel(self, request: RequestId | None) -> None:
        if request is not None and not self._inbox.cancel(request) and request in self._running:
            self._running[request].cancel()

    async def _read_what_is_there(self) -> None:
        for _ in range(_MOST_ROUNDS):
            before = self._arrivals
            # In the first round the loop asks the system what is there, in the second it reads.
            await asyncio.sleep(0)
            await asyncio.sleep(0)
            if self._arrivals == before:
                return

    def _take_up(self, message: Message) -> None:
        if message.id is None:
            self._notify(message)
            return
        try:
            self._request(message.id, message)
        except RefusedError as refusal:
            self._protocol.refuse(message.id, refusal)
        except Exception as error:
            self._fail(message, error)

    def _notify(self, message: Message) -> None:
        if message.method == lsp.EXIT:
            self._status = 0 if self._phase is Phase.SHUT_DOWN else 1
            return
        if self._phase is not Phase.INITIALIZED:
            return
        handler = self._handlers().notifications.get(message.method)
        if handler is None:
            return
        try:
            handler(self._protocol.params_of(message.method, message.params))
        except RefusedError as refusal:
            LOG.warning("%s: %s", message.method, refusal)
        except Exception as error:
            self._failed(message.method, error)

    def _request(self, request: RequestId, message: Message) -> None:
        self._check_phase(message.method)
        if message.method == lsp.SHUTDOWN:
            self._shut_down(request)
            return
        handler = self._handlers().requests.get(message.method)
        if handler is None:
            raise RefusedError(lsp.ErrorCodes.MethodNotFound, f"no method `{message.method}`")
        result = handler(self._protocol.params_of(message.method, message.params))
        if asyncio.iscoroutine(result):
            task = asyncio.ensure_future(result)
            self._running[request] = task
            task.add_done_callback(lambda done: self._finish(request, message, done))
            return
        self._protocol.answer(request, result)
        if message.method == lsp.INITIALIZE:
            self._phase = Phase.INITIALIZED

    def _shut_down(self, request: RequestId) -> None:
        self._phase = Phase.SHUT_DOWN
        for task in self._running.values():
            task.cancel()
        self._protocol.answer(request, None)

    def _check_phase(self, method: str) -> None:
        if self._phase is Phase.NEW and method != lsp.INITIALIZE:
            raise RefusedError(lsp.ErrorCodes.ServerNotInitialized, "`initialize` comes first")
        if self._phase is Phase.SHUT_DOWN:
            raise invalid_request("the server is shut down")
        if self._phase is Phase.INITIALIZED and method == lsp.INITIALIZE:
            raise invalid_request("the server is initialized already")

    def _finish(self, request: RequestId, message: Message, task: "asyncio.Task[object]") -> None:
        self._running.pop(request, None)
        if task.cancelled():
            self._protocol.refuse(request, cancelled())
            return
        error = task.exception()
        if error is None:
            self._protocol.answer(request, task.result())
        elif isinstance(error, RefusedError):
            self._protocol.refuse(request, error)
        elif isinstance(error, Exception):
            self._fail(message, error)

    def _fail(self, message: Message, error: Exception) -> None:
        reason = f"`{message.method}` failed: {type(error).__name__}: {error}"
        assert message.id is not None
        self._protocol.refuse(message.id, RefusedError(lsp.ErrorCodes.InternalError, reason))
        self._failed(message.method, error)
