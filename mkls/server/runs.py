"""Run kernels in workers, with progress in the editor; the event loop never waits for them."""

import asyncio
from collections.abc import Callable, Sequence
from contextlib import ExitStack, suppress
from typing import TYPE_CHECKING, Any

from lsprotocol import types as lsp
from pygls.lsp.server import LanguageServer

from mkls.index.snapshot import Snapshot
from mkls.runner.report import Report
from mkls.server.client import Client
from mkls.server.errors import cancelled, request_failed
from mkls.server.folders import Folder
from mkls.server.progress import ProgressReport
from mkls.server.publish import Publisher
from mkls.server.run_outcomes import outcome_of
from mkls.session.run_config import RunConfig
from mkls.text.document import uri_of

if TYPE_CHECKING:
    from mkls.runner.client import Job, Runner
    from mkls.runner.request import RunRequest

_DOING = {"compile": "compiling", "reference": "preparing", "run": "running"}


class Runs:
    """The workers of one server, one pool for each way of starting them."""

    def __init__(self, server: LanguageServer, client: Client, publisher: Publisher) -> None:
        """Start nothing yet: the first run does."""
        self._server = server
        self._client = client
        self._publisher = publisher
        self._runners: dict[tuple[str | None, tuple[str, ...]], Runner] = {}
        self._jobs: dict[lsp.ProgressToken, Job] = {}

    async def run(
        self,
        folder: Folder,
        snapshot: Snapshot,
        requests: "Sequence[RunRequest]",
        title: str,
        token: lsp.ProgressToken | None,
    ) -> Report:
        """Run `requests`, made from `snapshot`, one after the other; show and return the result.

        Raises:
            RefusedError: It was cancelled, or nothing can be run; the message says why.
        """
        results = folder.reports.results
        with ExitStack() as running:
            for it in requests:
                running.enter_context(results.running(uri_of(it.path), frozenset(it.kernels)))
            self._refresh_lenses()
            running.callback(self._refresh_lenses)
            async with ProgressReport(self._server, self._client, title, token, True) as progress:
                reports = [await self._report(folder, it, progress) for it in requests]
        for request, report in zip(requests, reports, strict=True):
            kernels = frozenset(request.kernels)
            results.add(outcome_of(snapshot, uri_of(request.path), kernels, report))
        folder.reports.forget()
        self._publisher.touch(folder)
        self._refresh_lenses()
        runs = tuple(run for report in reports for run in report.runs)
        return Report(reports[0].backend, reports[0].file, runs)

    async def restart(self) -> None:
        """End every worker; the next run starts a new one."""
        for runner in self._runners.values():
            await asyncio.to_thread(runner.restart)

    def cancel(self, token: lsp.ProgressToken) -> None:
        """Stop the run whose progress is shown under `token`."""
        if job := self._jobs.get(token):
            job.cancel()

    def close(self) -> None:
        """End every worker for good."""
        for runner in self._runners.values():
            runner.close()

    async def _report(
        self, folder: Folder, request: "RunRequest", progress: ProgressReport
    ) -> Report:
        from mkls.runner.conversation import RunCancelledError, RunRefusedError  # noqa: PLC0415
        from mkls.runner.process import WorkerUnavailableError  # noqa: PLC0415
        from mkls.runner.requests import for_remote  # noqa: PLC0415

        runner = self._runner(folder.config.run)
        listener = _listener(progress)
        if folder.config.run.command:
            # Every header goes along: reading them may take its time.
            request = await asyncio.to_thread(for_remote, request)
        job = runner.submit(request, listener)
        self._jobs[progress.token] = job
        try:
            return await asyncio.wrap_future(job.future)
        except RunCancelledError:
            raise cancelled() from None
        except (RunRefusedError, WorkerUnavailableError) as error:
            raise request_failed(f"{error}") from error
        finally:
            job.cancel()  # when nobody waits for it any more
            self._jobs.pop(progress.token, None)

    def _runner(self, config: RunConfig) -> "Runner":
        from mkls.runner.client import Runner  # noqa: PLC0415
        from mkls.runner.settings import WorkerSettings  # noqa: PLC0415

        python, command = config.python or None, config.command or ()
        if (python, command) not in self._runners:
            settings = WorkerSettings(interpreter=python, command_prefix=command)
            self._runners[python, command] = Runner(settings)
        return self._runners[python, command]

    def _refresh_lenses(self) -> None:
        if self._client.refreshes_lenses:
            self._server.workspace_code_lens_refresh(None)


def _listener(progress: ProgressReport) -> Callable[[dict[str, Any]], None]:
    """Return what hears of events on the runner's thread, and shows them on the event loop."""
    loop = asyncio.get_running_loop()
    kernels: list[str] = []

    def show(event: dict[str, Any]) -> None:
        if event["type"] == "plan":
            kernels[:] = event["kernels"]
        elif event["type"] == "stage" and event.get("kernel"):
            done = kernels.index(event["kernel"]) if event["kernel"] in kernels else 0
            percentage = 100 * done // max(len(kernels), 1)
            doing = _DOING.get(event["stage"], event["stage"])
            message = f"{doing} {event['kernel']} {event.get('case') or ''}".rstrip()
            with suppress(RuntimeError):  # the server ends
                loop.call_soon_threadsafe(progress.report, message, percentage)

    return show
