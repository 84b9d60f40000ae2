"""Receive requests, run them one after the other, send events (worker side).

Messages are lines of JSON. To the worker: `run` (id, request), `cancel` (id). From it: `hello`,
`plan`, `stage`, `run`, `done`, `failed`; see `_serve_one`.
"""

import json
import os
import queue
import signal
import sys
import threading
import traceback
from collections.abc import Callable
from typing import Any, BinaryIO

from mkls.runner.codec import from_json, to_json
from mkls.runner.process_limits import limit_memory
from mkls.runner.request import RequestRefusedError, RunRequest

Send = Callable[[dict[str, Any]], None]


def serve(memory_limit_bytes: int) -> None:
    """Serve requests until standard input ends, then end the whole process group."""
    source, send = _take_over_streams()
    if memory_limit_bytes:
        limit_memory(
            memory_limit_bytes,
            lambda: send({"type": "stage", "stage": "memory", "limit": memory_limit_bytes}),
        )
    try:
        send({"type": "hello", **_environment()})
    except Exception as error:  # whatever the environment lacks, the client is told
        advice = f"install it for {sys.executable}, or name another interpreter with --python"
        message = f"cannot import torch: {error}; {advice}"
        send({"type": "failed", "id": 0, "message": message})
        return
    inbox = _Inbox(source)
    while True:
        message = inbox.requests.get()
        _serve_one(message, send, inbox)


def _take_over_streams() -> tuple[BinaryIO, Send]:
    """Keep the pipes to ourselves: whatever a library prints goes to standard error."""
    source = os.fdopen(os.dup(0), "rb")
    sink = os.fdopen(os.dup(1), "wb", buffering=0)
    null = os.open(os.devnull, os.O_RDONLY)
    os.dup2(null, 0)
    os.dup2(2, 1)
    lock = threading.Lock()

    def send(message: dict[str, Any]) -> None:
        line = json.dumps(message, separators=(",", ":")).encode() + b"\n"
        with lock:
            sink.write(line)

    return source, send


def _environment() -> dict[str, Any]:
    import torch

    return {
        "python": sys.version.split()[0],
        "executable": sys.executable,
        "torch": torch.__version__,
        "mps": bool(torch.backends.mps.is_available()),
        "pid": os.getpid(),
    }


class _Inbox:
    """Reads messages on a thread of its own, so that a cancellation arrives while a kernel runs."""

    def __init__(self, source: BinaryIO) -> None:
        self.requests: queue.SimpleQueue[dict[str, Any]] = queue.SimpleQueue()
        self.cancelled: set[int] = set()
        self._source = source
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self) -> None:
        for line in self._source:
            message = json.loads(line)
            if message["type"] == "cancel":
                self.cancelled.add(message["id"])
            else:
                self.requests.put(message)
        _end_group()


def _end_group() -> None:
    """The client is gone: nobody waits for the kernel or the compiler that may be running."""
    if hasattr(os, "killpg") and os.getpgrp() == os.getpid():
        os.killpg(os.getpgrp(), signal.SIGKILL)
    os._exit(0)


def _serve_one(message: dict[str, Any], send: Send, inbox: _Inbox) -> None:
    number: int = message["id"]

    def emit(kind: str, **fields: Any) -> None:
        send({"type": kind, "id": number, **to_json(fields)})

    try:
        from mkls.runner.execution import execute

        request = from_json(RunRequest, message["request"])
        backend = execute(request, emit, lambda: number in inbox.cancelled)
        emit("done", backend=backend)
    except RequestRefusedError as error:
        emit("failed", message=str(error))
    except Exception as error:  # a fault of mkls: the client shows it, the worker lives on
        traceback.print_exc()
        emit("failed", message=f"{type(error).__name__}: {error}", fault=True)
    finally:
        inbox.cancelled.discard(number)
