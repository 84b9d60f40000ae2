"""Submit requests to a few warm workers (client side): no torch, threads and futures."""

import itertools
import sys
import threading
from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import replace
from functools import partial
from typing import Any

from mkls.runner.conversation import Conversation, RunCancelledError
from mkls.runner.process import WorkerProcess
from mkls.runner.report import Report
from mkls.runner.request import RunRequest
from mkls.runner.requests import for_remote
from mkls.runner.settings import WorkerSettings
from mkls.runner.validation_layer import ENVIRONMENT

Listener = Callable[[dict[str, Any]], None]
"""Receives events as they arrive, on a thread of the runner: `stage`, `plan` and `run`."""


class Job:
    """A submitted request; its `future` gives the report.

    Or it raises `RunCancelledError`, `RunRefusedError` or `WorkerUnavailableError`.
    """

    def __init__(self, request: RunRequest, listener: Listener | None) -> None:
        """Prepare; `Runner.submit` starts it."""
        self.request = request
        self.future: Future[Report] = Future()
        self.listener = listener
        self.cancelled = threading.Event()

    def cancel(self) -> None:
        """Stop it: at once when it waits, within a moment when a kernel runs."""
        self.cancelled.set()

    def result(self, timeout: float | None = None) -> Report:
        """Wait for the report."""
        return self.future.result(timeout)


class Runner:
    """Runs requests in worker processes, as many at once as the settings allow.

    Workers stay warm between requests and are replaced when they die.
    """

    def __init__(self, settings: WorkerSettings | None = None) -> None:
        """Start nothing yet: the first request does, or `warm_up`."""
        self._settings = settings or WorkerSettings()
        self._slots = threading.Semaphore(self._settings.workers)
        self._idle: list[WorkerProcess] = []
        self._validating: set[WorkerProcess] = set()
        self._busy: set[WorkerProcess] = set()
        self._lock = threading.Lock()
        self._numbers = itertools.count(1)
        self._closed = False

    def submit(self, request: RunRequest, listener: Listener | None = None) -> Job:
        """Start `request` in the background."""
        if self._settings.is_remote:
            request = for_remote(request)
        job = Job(request, listener)
        job.future.set_running_or_notify_cancel()
        threading.Thread(target=self._run, args=(job,), daemon=True).start()
        return job

    def warm_up(self) -> None:
        """Start a worker in the background, so that the first request need not wait for torch."""
        with self._lock:
            if not self._idle and not self._busy and not self._closed:
                self._idle.append(WorkerProcess(self._settings))

    @property
    def worker_pids(self) -> tuple[int, ...]:
        """The numbers of the worker processes that are alive."""
        with self._lock:
            return tuple(it.pid for it in (*self._idle, *self._busy) if it.is_alive)

    def restart(self) -> None:
        """End every worker; requests that are running fail with what happened."""
        with self._lock:
            workers = [*self._idle, *self._busy]
            self._idle.clear()
        for worker in workers:
            worker.kill()

    def close(self) -> None:
        """End every worker for good."""
        self._closed = True
        self.restart()

    def __enter__(self) -> "Runner":
        """Return the runner itself."""
        return self

    def __exit__(self, *_exception: object) -> None:
        """End every worker."""
        self.close()

    def _run(self, job: Job) -> None:
        try:
            self._wait_for_slot(job)
        except RunCancelledError as error:
            job.future.set_exception(error)
            return
        try:
            conversation = Conversation(self._settings, self._numbers, job.request, job.cancelled)
            take = partial(self._take, self._validates(job.request))
            report = conversation.hold(take, self._give_back, job.listener or _ignore)
            job.future.set_result(report)
        except BaseException as error:
            job.future.set_exception(error)
        finally:
            self._slots.release()

    def _wait_for_slot(self, job: Job) -> None:
        while not self._slots.acquire(timeout=0.05):
            if job.cancelled.is_set():
                raise RunCancelledError
        if job.cancelled.is_set():
            self._slots.release()
            raise RunCancelledError

    def _validates(self, request: RunRequest) -> bool:
        """Whether the worker must have been started with Metal's validation switched on."""
        has_metal = sys.platform == "darwin" or self._settings.is_remote
        return bool(request.check) and request.backend != "emulator" and has_metal

    def _take(self, validating: bool) -> WorkerProcess:
        with self._lock:
            for worker in [*self._idle]:
                if not worker.is_alive:
                    self._idle.remove(worker)
                elif (worker in self._validating) == validating:
                    self._idle.remove(worker)
                    self._busy.add(worker)
                    return worker
        environment = {**self._settings.environment, **(ENVIRONMENT if validating else {})}
        worker = WorkerProcess(replace(self._settings, environment=environment))
        with self._lock:
            self._busy.add(worker)
            if validating:
                self._validating.add(worker)
        return worker

    def _give_back(self, worker: WorkerProcess, usable: bool) -> None:
        with self._lock:
            self._busy.discard(worker)
            if usable and worker.is_alive and not self._closed:
                self._idle.append(worker)
                return
            self._validating.discard(worker)
        worker.kill()


def _ignore(_event: dict[str, Any]) -> None:
    pass
