"""One request from the client's side: watch the worker, survive its death, collect the report."""

import queue
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

from mkls.runner.codec import from_json, to_json
from mkls.runner.process import WorkerProcess, WorkerUnavailableError
from mkls.runner.report import Report, Run
from mkls.runner.request import RunRequest
from mkls.runner.settings import WorkerSettings

_GRACE_SECONDS = 3.0
_CANCEL_SECONDS = 0.5
_POLL_SECONDS = 0.05

Listener = Callable[[dict[str, Any]], None]


class RunCancelledError(Exception):
    """The request was cancelled before it was done."""


class RunRefusedError(Exception):
    """The request cannot be carried out; the message says why and what to do."""


class RunFaultError(Exception):
    """A fault of mkls in the worker."""


class Conversation:
    """Carries one request through, on as many workers as it takes."""

    def __init__(
        self,
        settings: WorkerSettings,
        numbers: Iterator[int],
        request: RunRequest,
        cancelled: threading.Event,
    ) -> None:
        """Prepare to run `request`."""
        self._settings = settings
        self._numbers = numbers
        self._request = request
        self._cancelled = cancelled
        self._backend = request.backend
        self._runs: list[Run] = []
        self._plan: list[str] = []
        self._stage: dict[str, Any] = {}
        self._finished = False
        self._usable = False

    def hold(
        self,
        take: Callable[[], WorkerProcess],
        give_back: Callable[[WorkerProcess, bool], None],
        listener: Listener,
    ) -> Report:
        """Run the request to its end.

        A kernel that kills its worker costs that kernel; the ones after it run on a new worker.

        Raises:
            RunCancelledError: `cancelled` was set.
            RunRefusedError: The worker cannot do what is asked.
            WorkerUnavailableError: No worker can be started.
        """
        remaining = self._request
        while True:
            worker = take()
            self._usable = False
            try:
                self._talk(worker, remaining, listener)
            finally:
                give_back(worker, self._usable)
            following = self._after_death()
            if self._finished or following is None:
                return Report(self._backend, self._request.path, tuple(self._runs))
            remaining = replace(self._request, kernels=following)

    def _after_death(self) -> tuple[str, ...] | None:
        """Return the kernels behind the one that killed the worker."""
        kernel = self._stage.get("kernel")
        if kernel not in self._plan or self._request.operator:
            return None
        return tuple(self._plan[self._plan.index(kernel) + 1 :]) or None

    def _talk(self, worker: WorkerProcess, request: RunRequest, listener: Listener) -> None:
        number = next(self._numbers)
        self._stage = {"stage": "start"}
        worker.send({"type": "run", "id": number, "request": to_json(request)})
        while True:
            message = self._next(worker, number)
            if message is None:
                return
            kind = message["type"]
            if kind == "hello":
                worker.greeting = message
            elif message.get("id") not in (number, 0):
                continue
            elif kind == "failed":
                self._usable = message["id"] == number
                self._failed(message)
            elif kind == "done":
                self._backend = message["backend"]
                self._finished = self._usable = True
                return
            else:
                self._take_in(message, listener)

    def _take_in(self, message: dict[str, Any], listener: Listener) -> None:
        if message["type"] == "plan":
            self._plan = message["kernels"]
            self._backend = message["backend"]
        elif message["type"] == "stage":
            self._stage = message
        elif message["type"] == "run":
            self._runs.append(from_json(Run, message["run"]))
        listener(message)

    @staticmethod
    def _failed(message: dict[str, Any]) -> None:
        if message["id"] == 0:
            raise WorkerUnavailableError(message["message"])
        raise (RunFaultError if message.get("fault") else RunRefusedError)(message["message"])

    def _next(self, worker: WorkerProcess, number: int) -> dict[str, Any] | None:
        """Return the next message; None when the worker is dead or had to be killed."""
        deadline = time.monotonic() + self._patience()
        while True:
            try:
                message = worker.messages.get(timeout=_POLL_SECONDS)
            except queue.Empty:
                if self._cancelled.is_set():
                    self._cancel(worker, number)
                if time.monotonic() > deadline:
                    worker.kill()
                    self._lost("timed-out", self._overdue())
                    return None
                continue
            if message is None:
                self._died(worker)
            return message

    def _cancel(self, worker: WorkerProcess, number: int) -> None:
        worker.send({"type": "cancel", "id": number})
        end = time.monotonic() + _CANCEL_SECONDS
        while (left := end - time.monotonic()) > 0:
            try:
                message = worker.messages.get(timeout=left)
            except queue.Empty:
                break
            if message is None:
                raise RunCancelledError
            if message["type"] == "done" and message["id"] == number:
                self._usable = True
                raise RunCancelledError
        worker.kill()
        raise RunCancelledError

    def _patience(self) -> float:
        stage = self._stage["stage"]
        if stage == "start":
            return self._settings.start_seconds
        if stage == "compile":
            return self._settings.compile_seconds
        return self._request.timeout + _GRACE_SECONDS

    def _overdue(self) -> str:
        stage = self._stage["stage"]
        if stage == "compile":
            return f"compiling took longer than {self._settings.compile_seconds:g} s; stopped"
        if stage == "start":
            return f"the worker did not answer for {self._settings.start_seconds:g} s; stopped"
        what = "computing the reference" if stage == "reference" else "the kernel"
        return f"{what} took longer than {self._request.timeout:g} s; stopped"

    def _died(self, worker: WorkerProcess) -> None:
        ending = worker.ending()
        if self._stage["stage"] == "start" and worker.greeting is None:
            raise WorkerUnavailableError(f"the worker {ending}")
        if self._stage["stage"] == "memory":
            limit = self._stage["limit"] / (1 << 30)
            self._lost("crashed", f"more than {limit:.3g} GiB of memory in use; stopped")
        else:
            doing = {"compile": "while compiling", "reference": "in the reference"}
            where = doing.get(self._stage["stage"], "while the kernel ran")
            self._lost("crashed", f"the worker {ending} {where}")

    def _lost(self, outcome: str, message: str) -> None:
        stage = self._stage
        self._runs.append(
            Run(
                kernel=stage.get("kernel", ""),
                case=stage.get("case", ""),
                outcome=outcome,
                message=message,
                path=stage.get("path", self._request.path),
                line=stage.get("line", 0),
            )
        )
