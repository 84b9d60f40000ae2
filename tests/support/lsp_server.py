"""Servers for tests to talk to, over real pipes: in a process of its own, or in a thread.

A thread saves the third of a second that a process takes to import everything.
"""

import asyncio
import os
import subprocess
import sys
import threading
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import BinaryIO, Protocol

from mkls.server.app import serve_pipes

REPOSITORY = Path(__file__).parents[2]
SERVE = (sys.executable, "-m", "mkls", "serve", "--stdio")


class Server(Protocol):
    """A server at the other end of two pipes."""

    input: BinaryIO
    output: BinaryIO
    errors: BinaryIO | None

    def wait(self, deadline: float) -> int:
        """Wait until it has ended, at most `deadline` seconds; return its exit status."""
        ...

    def kill(self) -> None:
        """Make sure that it ends."""


class ServerProcess:
    """`mkls serve`, or another command, as an editor starts it."""

    def __init__(
        self, command: Sequence[str] = SERVE, environment: Mapping[str, str] | None = None
    ) -> None:
        """Start `command`; `environment` is added to the test's own."""
        self._process = subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            cwd=REPOSITORY,
            env={**os.environ, **(environment or {})},
        )
        stdin, stdout = self._process.stdin, self._process.stdout
        assert stdin
        assert stdout
        self.input: BinaryIO = stdin  # pyright: ignore[reportAttributeAccessIssue]
        self.output: BinaryIO = stdout  # pyright: ignore[reportAttributeAccessIssue]
        self.errors: BinaryIO | None = self._process.stderr  # pyright: ignore[reportAttributeAccessIssue]

    @property
    def pid(self) -> int:
        """Its process id."""
        return self._process.pid

    def wait(self, deadline: float) -> int:
        """Wait until it has ended, at most `deadline` seconds; return its exit status."""
        return self._process.wait(deadline)

    def kill(self) -> None:
        """Kill the process."""
        self._process.kill()


class ServerThread:
    """The server in this process, behind pipes all the same."""

    def __init__(self) -> None:
        """Start the thread."""
        source, mine = os.pipe()
        theirs, output = os.pipe()
        self.input: BinaryIO = os.fdopen(mine, "wb")
        self.output: BinaryIO = os.fdopen(theirs, "rb")
        self.errors: BinaryIO | None = None
        self._status: int | None = None
        self._thread = threading.Thread(target=self._serve, args=(source, output), daemon=True)
        self._thread.start()

    def _serve(self, source: int, output: int) -> None:
        try:
            self._status = asyncio.run(serve_pipes(source, output))
        finally:
            os.close(source)
            os.close(output)

    def wait(self, deadline: float) -> int:
        """Wait until it has ended, at most `deadline` seconds; return its exit status."""
        self._thread.join(deadline)
        assert self._status is not None, "the server has not ended"
        return self._status

    def kill(self) -> None:
        """Close its input, which ends it."""
        if not self.input.closed:
            self.input.close()
