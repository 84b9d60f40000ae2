"""Ask the Metal compiler about open sources, a while after the last edit, in a process of its own.

The event loop never waits for it: an edit ends what is under way, and what comes late is dropped.
"""

import asyncio
import json
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from mkls.diagnostics.model import Finding
from mkls.index.snapshot import Snapshot
from mkls.server.documents import Documents
from mkls.server.folders import Folder
from mkls.server.notices import Notices
from mkls.server.publish import Publisher
from mkls.server.question_process import QuestionProcess
from mkls.text.document import Uri

if TYPE_CHECKING:
    from mkls.runner.examination import Examination
    from mkls.runner.request import RunRequest

QUIET_SECONDS = 0.5
_MOST_SECONDS = 60.0
EXAMINER = Path(__file__).parents[1] / "runner" / "examiner.py"


class Compiling:
    """One source at a time is compiled; of the rest, each waits once."""

    def __init__(self, documents: Documents, publisher: Publisher, notices: Notices) -> None:
        """Start nothing yet."""
        self._documents = documents
        self._publisher = publisher
        self._notices = notices
        self._tasks: dict[Uri, asyncio.Task[None]] = {}
        self._turn = asyncio.Lock()
        self._without_compiler: set[str] = set()

    def touch(self, folder: Folder, uri: Uri) -> None:
        """Document `uri` of `folder` was opened, changed or saved."""
        if folder.config.msl == "off":
            return
        for unit in self._units(folder, uri):
            self._stop(unit)
            self._tasks[unit] = asyncio.ensure_future(self._guarded(folder, unit))

    def forget(self, folder: Folder, uri: Uri) -> None:
        """Document `uri` was closed: nothing is said of it any more."""
        self._stop(uri)
        if folder.reports.compiled.forget(uri):
            folder.reports.forget()

    def configure(self, folder: Folder) -> None:
        """The configuration of `folder` has been read."""
        folder.reports.compiled.forget()
        for it in self._documents:
            if it.folder is folder and it.document.uri.endswith(".metal"):
                self.touch(folder, it.document.uri)

    def close(self) -> None:
        """Stop everything."""
        for unit in tuple(self._tasks):
            self._stop(unit)

    def _units(self, folder: Folder, uri: Uri) -> Iterable[Uri]:
        """Return the open sources that a change of `uri` is about: for a header, all of them."""
        if uri.endswith(".metal"):
            return [uri]
        opened = [it.document.uri for it in self._documents if it.folder is folder]
        return [it for it in opened if it.endswith(".metal")] if uri.endswith(".h") else []

    def _stop(self, unit: Uri) -> None:
        if task := self._tasks.pop(unit, None):
            task.cancel()

    async def _guarded(self, folder: Folder, unit: Uri) -> None:
        try:
            await asyncio.sleep(QUIET_SECONDS)
            await folder.loaded.wait()
            async with self._turn:
                await self._judge(folder, unit)
        except Exception as error:
            self._notices.failed("asking the Metal compiler", error)

    async def _judge(self, folder: Folder, unit: Uri) -> None:
        from mkls.runner.compiler_findings import compiler_findings  # noqa: PLC0415
        from mkls.runner.requests import document_request  # noqa: PLC0415

        self._documents.read(folder)
        snapshot = folder.snapshot()
        interpreter = folder.config.run.python or sys.executable
        is_off = folder.config.msl == "off" or interpreter in self._without_compiler
        if is_off or unit not in snapshot.sources:
            return
        request = document_request(snapshot, unit, folder.config.include_dirs)
        examined = await examined_in_process(interpreter, request)
        if examined is None:
            return
        if examined.missing:
            self._without_compiler.add(interpreter)
            return
        self._show(folder, snapshot, unit, compiler_findings(snapshot, unit, examined))

    def _show(self, folder: Folder, snapshot: Snapshot, unit: Uri, findings: list[Finding]) -> None:
        folder.reports.compiled.add(snapshot, unit, findings)
        folder.reports.forget()
        self._publisher.touch(folder)


async def examined_in_process(
    interpreter: str, request: "RunRequest", script: Path = EXAMINER
) -> "Examination | None":
    """Return what the compiler says about `request`; None when it did not come to an end."""
    from mkls.runner.codec import from_json, to_json  # noqa: PLC0415
    from mkls.runner.examination import Examination  # noqa: PLC0415

    question = json.dumps(to_json(request)).encode()
    process = QuestionProcess((interpreter, str(script)))
    try:
        answer = await asyncio.to_thread(process.answer, question, _MOST_SECONDS)
    finally:
        process.kill()
    return from_json(Examination, json.loads(answer)) if answer else None
