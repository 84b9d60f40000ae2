"""One worker process, seen from the client."""

import contextlib
import json
import os
import queue
import signal
import subprocess
import tempfile
import threading
from typing import Any

from mkls.runner.command import preamble, worker_command
from mkls.runner.settings import WorkerSettings

_TAIL_BYTES = 1 << 14
_JOIN_SECONDS = 2.0


class WorkerUnavailableError(Exception):
    """A worker that cannot be started; the message says why."""


class WorkerProcess:
    """A running worker; its messages arrive in `messages`, None when it has ended."""

    def __init__(self, settings: WorkerSettings) -> None:
        """Start it.

        Raises:
            WorkerUnavailableError: The command cannot be run.
        """
        self.messages: queue.SimpleQueue[dict[str, Any] | None] = queue.SimpleQueue()
        self.greeting: dict[str, Any] | None = None
        self._tail = b""
        self._command = worker_command(settings)
        try:
            self._process = self._start(settings)
        except OSError as error:
            reason = f"cannot start `{self._command[0]}`: {error.strerror or error}"
            raise WorkerUnavailableError(reason) from error
        self._write_lock = threading.Lock()
        targets = (self._read, self._read_errors)
        self._readers = [threading.Thread(target=it, daemon=True) for it in targets]
        for thread in self._readers:
            thread.start()
        self._write(preamble(settings))

    def _start(self, settings: WorkerSettings) -> subprocess.Popen[bytes]:
        return subprocess.Popen(
            self._command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            # A folder of nobody's: no file of the workspace can be taken for a module.
            cwd=tempfile.gettempdir(),
            env={**os.environ, **settings.environment},
            start_new_session=True,
        )

    @property
    def pid(self) -> int:
        """The process's number, which is its group's too."""
        return self._process.pid

    @property
    def is_alive(self) -> bool:
        """Whether it has not ended yet."""
        return self._process.poll() is None

    def send(self, message: dict[str, Any]) -> None:
        """Send one message; a worker that is gone shows in `messages`, not here."""
        self._write(json.dumps(message).encode() + b"\n")

    def kill(self) -> None:
        """End the process and everything that it started."""
        try:
            os.killpg(self._process.pid, signal.SIGKILL)
        except (ProcessLookupError, PermissionError):
            self._process.kill()
        self._process.wait()
        self._close_input()
        for thread in self._readers:
            thread.join(timeout=_JOIN_SECONDS)

    def ending(self) -> str:
        """Say how it ended, with the last line that it wrote to standard error."""
        status = self._process.wait()
        self._readers[1].join(timeout=_JOIN_SECONDS)
        how = f"ended with status {status}" if status >= 0 else f"was ended by {_signal(-status)}"
        lines = self._tail.decode(errors="replace").strip().splitlines()
        return f"{how}: {lines[-1]}" if lines else how

    def _close_input(self) -> None:
        assert self._process.stdin is not None
        with contextlib.suppress(OSError):
            self._process.stdin.close()

    def _write(self, data: bytes) -> None:
        pipe = self._process.stdin
        assert pipe is not None
        try:
            with self._write_lock:
                pipe.write(data)
                pipe.flush()
        except (BrokenPipeError, OSError, ValueError):
            pass  # it is gone: `messages` ends with None

    def _read(self) -> None:
        assert self._process.stdout is not None
        with self._process.stdout as pipe:
            for line in pipe:
                try:
                    self.messages.put(json.loads(line))
                except ValueError:
                    continue  # a login banner of the other machine
        self.messages.put(None)

    def _read_errors(self) -> None:
        assert self._process.stderr is not None
        with self._process.stderr as pipe:
            while chunk := os.read(pipe.fileno(), 4096):
                self._tail = (self._tail + chunk)[-_TAIL_BYTES:]


def _signal(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"
