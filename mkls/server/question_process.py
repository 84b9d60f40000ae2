"""A process that answers one question and can be ended at any time."""

import contextlib
import os
import signal
import subprocess
import tempfile
import threading
from collections.abc import Sequence


class QuestionProcess:
    """`answer` is called on a thread of its own, `kill` from anywhere."""

    def __init__(self, command: Sequence[str]) -> None:
        """Start nothing yet."""
        self._command = command
        self._process: subprocess.Popen[bytes] | None = None
        self._is_over = False
        self._lock = threading.Lock()

    def answer(self, question: bytes, seconds: float) -> bytes:
        """Ask, and return what the process says; nothing when it fails or takes too long."""
        process = self._start()
        if process is None:
            return b""
        try:
            said, _ = process.communicate(question, timeout=seconds)
        except (subprocess.TimeoutExpired, BrokenPipeError):
            self.kill()
            said, _ = process.communicate()
        return said if process.returncode == 0 else b""

    def kill(self) -> None:
        """End the process and what it has started, also one that has not been started yet."""
        with self._lock:
            self._is_over = True
            if self._process and self._process.poll() is None:
                with contextlib.suppress(ProcessLookupError, PermissionError):
                    os.killpg(self._process.pid, signal.SIGKILL)

    def _start(self) -> "subprocess.Popen[bytes] | None":
        with self._lock:
            if self._is_over:
                return None
            try:
                self._process = subprocess.Popen(
                    self._command,
                    stdin=subprocess.PIPE,
                    stdout=subprocess.PIPE,
                    stderr=subprocess.DEVNULL,
                    cwd=tempfile.gettempdir(),  # no file of the workspace is taken for a module
                    start_new_session=True,
                )
            except OSError:
                return None
            return self._process
