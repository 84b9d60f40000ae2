"""A language client for tests: raw JSON-RPC over a server's two pipes.

It waits for messages with a deadline and never sleeps. It answers what a server may ask of a client
by itself, and keeps everything that it was told.
"""

import json
import queue
import threading
from collections.abc import Callable
from contextlib import suppress
from itertools import count
from pathlib import Path
from time import monotonic
from typing import Any

from tests.support.lsp_server import Server

Json = dict[str, Any]
DEADLINE = 20.0  # seconds; a test that has to wait that long has failed


class LspClient:
    """One conversation with one server process."""

    def __init__(
        self, server: Server, capabilities: Json | None = None, paused: bool = False
    ) -> None:
        """Talk to `server`, and claim `capabilities` when `initialize` is called.

        A `paused` client reads nothing before it is told to `read`.
        """
        self.capabilities = capabilities or {}
        self.settings: Json | None = None
        self.answers_configuration = True
        self.received: list[Json] = []
        self._server = server
        self._arrived: queue.Queue[Json | None] = queue.Queue()
        self._ids = count(1)
        self._writing = threading.Lock()
        self._errors: list[bytes] = []
        self._threads = [
            threading.Thread(target=work, daemon=True)
            for work in (self._read_messages, self._read_errors)
        ]
        if not paused:
            self.read()

    def read(self) -> None:
        """Begin to read what the server writes."""
        for thread in self._threads:
            thread.start()

    # What a client does.

    def initialize(self, *folders: Path, **more: object) -> Json:
        """Begin the conversation about `folders`; return the server's capabilities."""
        named = [{"uri": folder.as_uri(), "name": folder.name} for folder in folders]
        params = {"processId": None, "rootUri": None, "capabilities": self.capabilities}
        result = self.call("initialize", {**params, "workspaceFolders": named or None, **more})
        self.notify("initialized", {})
        return result["capabilities"]

    def open(self, uri: str, text: str, language: str = "plaintext", version: int = 1) -> None:
        """Open a document."""
        item = {"uri": uri, "languageId": language, "version": version, "text": text}
        self.notify("textDocument/didOpen", {"textDocument": item})

    def change(self, uri: str, version: int, *changes: Json) -> None:
        """Change an open document."""
        document = {"uri": uri, "version": version}
        params = {"textDocument": document, "contentChanges": list(changes)}
        self.notify("textDocument/didChange", params)

    def close_document(self, uri: str) -> None:
        """Close a document."""
        self.notify("textDocument/didClose", {"textDocument": {"uri": uri}})

    def exit(self, shut_down: bool = True) -> int:
        """End the conversation; return the server's exit status."""
        if shut_down:
            self.call("shutdown", None)
        self.notify("exit", None)
        return self.wait_for_end()

    # Messages.

    def call(self, method: str, params: object) -> Any:
        """Send a request and return its result."""
        answer = self.answer(self.request(method, params))
        assert "error" not in answer, answer["error"]
        return answer["result"]

    def error(self, method: str, params: object) -> Json:
        """Send a request and return its error."""
        return self.answer(self.request(method, params))["error"]

    def request(self, method: str, params: object) -> int:
        """Send a request and return its id."""
        message_id = next(self._ids)
        self.send(self.request_message(method, params, message_id))
        return message_id

    def request_message(self, method: str, params: object, message_id: int) -> Json:
        """Return a request; `params` None are left out."""
        message: Json = {"id": message_id, "method": method}
        return message if params is None else {**message, "params": params}

    def notify(self, method: str, params: object) -> None:
        """Send a notification."""
        self.send({"method": method} if params is None else {"method": method, "params": params})

    def send(self, *messages: Json) -> None:
        """Send messages in one piece, so that all are in the pipe at once."""
        bodies = (json.dumps({"jsonrpc": "2.0", **it}).encode() for it in messages)
        self.send_bytes(b"".join(frame(body) for body in bodies))

    def send_bytes(self, data: bytes) -> None:
        """Send `data` as it is."""
        with self._writing:
            self._server.input.write(data)
            self._server.input.flush()

    def answer(self, message_id: object) -> Json:
        """Wait for the answer to a request of ours."""
        return self.wait(lambda it: "method" not in it and it.get("id") == message_id)

    def told(self, method: str, where: Callable[[Any], bool] = lambda _: True) -> Any:
        """Wait until the server sends `method` with parameters that pass `where`; return them."""
        return self.wait(lambda it: it.get("method") == method and where(it["params"]))["params"]

    def diagnostics(self, uri: str, where: Callable[[Any], bool] = lambda _: True) -> list[Json]:
        """Wait for published diagnostics of `uri` that pass `where`."""
        method = "textDocument/publishDiagnostics"
        return self.told(method, lambda it: it["uri"] == uri and where(it))["diagnostics"]

    def wait(self, wanted: Callable[[Json], bool]) -> Json:
        """Return the first message that is `wanted`, of those not looked at by an earlier wait."""
        deadline = monotonic() + DEADLINE
        seen = list(self.received)
        for message in seen:
            if wanted(message):
                self.received.remove(message)
                return message
        while True:
            message = self._next(deadline)
            if wanted(message):
                return message
            self.received.append(message)

    def wait_for_end(self) -> int:
        """Wait until the server has ended; return its exit status."""
        status = self._server.wait(DEADLINE)
        for thread in self._threads:
            if thread.ident is not None:
                thread.join(DEADLINE)
        return status

    def end_input(self) -> None:
        """Close the server's standard input, as an editor that dies does."""
        self._server.input.close()

    def stop(self) -> None:
        """Make sure that the server is gone."""
        self._server.kill()
        self.wait_for_end()
        for stream in (self._server.input, self._server.output, self._server.errors):
            if stream and not stream.closed:
                with suppress(BrokenPipeError):
                    stream.close()

    @property
    def log(self) -> str:
        """What the server wrote to standard error."""
        return b"".join(self._errors).decode()

    def _next(self, deadline: float) -> Json:
        try:
            message = self._arrived.get(timeout=max(0.0, deadline - monotonic()))
        except queue.Empty:
            raise AssertionError(f"nothing came; there is {self.received}; {self.log}") from None
        assert message is not None, f"the server has ended: {self.log}"
        return message

    def _read_messages(self) -> None:
        stdout = self._server.output
        while length := _content_length(stdout.readline()):
            while stdout.readline().strip():
                pass
            message: Json = json.loads(stdout.read(length))
            self._answer_by_itself(message)
            self._arrived.put(message)
        self._arrived.put(None)

    def _read_errors(self) -> None:
        for line in self._server.errors or ():
            self._errors.append(line)

    def _answer_by_itself(self, message: Json) -> None:
        if "method" in message and "id" in message:
            result = None
            if message["method"] == "workspace/configuration":
                if not self.answers_configuration:
                    return
                result = [self.settings for _ in message["params"]["items"]]
            elif message["method"] == "window/showDocument":
                result = {"success": True}
            with suppress(OSError, ValueError):  # the test may have closed the pipe
                self.send({"id": message["id"], "result": result})


def frame(body: bytes) -> bytes:
    """Return `body` under a head."""
    return b"Content-Length: %d\r\n\r\n%s" % (len(body), body)


def _content_length(line: bytes) -> int:
    name, _, value = line.partition(b":")
    return int(value) if name.lower() == b"content-length" else 0


def at(line: int, column: int) -> Json:
    """Return a position."""
    return {"line": line, "character": column}


def replacement(start: tuple[int, int], end: tuple[int, int], text: str) -> Json:
    """Return a change of a document."""
    return {"range": {"start": at(*start), "end": at(*end)}, "text": text}
