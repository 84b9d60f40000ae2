"""Load workspaces in the background, on the event loop, in slices."""

import asyncio
import gc
from collections.abc import Coroutine, Iterable, Iterator
from pathlib import Path

from pygls.lsp.server import LanguageServer

from mkls.server.client import Client
from mkls.server.compiling import Compiling
from mkls.server.documents import Documents
from mkls.server.folders import Folder
from mkls.server.notices import Notices
from mkls.server.progress import ProgressReport
from mkls.server.publish import Publisher
from mkls.server.refresh import refresh_views
from mkls.server.settings import Settings
from mkls.server.stamps import changed, stamps_of
from mkls.server.turns import Turns
from mkls.session.config import Config
from mkls.session.discovery import workspace_files
from mkls.session.loading import Progress, excluded, load_steps, read_sources
from mkls.session.state import Session
from mkls.text.document import uri_of


class Loader:
    """Fills folders with what the disk holds."""

    def __init__(
        self,
        server: LanguageServer,
        client: Client,
        documents: Documents,
        settings: Settings,
        publisher: Publisher,
        compiling: Compiling,
        notices: Notices,
    ) -> None:
        """Tell `publisher` when a folder has changed, `compiling` when its settings have."""
        self._server = server
        self._client = client
        self._documents = documents
        self._settings = settings
        self._publisher = publisher
        self._compiling = compiling
        self._notices = notices

    def start(self, folder: Folder) -> None:
        """Load `folder`, unless that has begun."""
        if not folder.work:
            self._begin(folder, self._load(folder))

    def configure(self, folder: Folder) -> None:
        """Take in a change of the configuration of `folder`."""
        self._begin(folder, self._configure(folder))

    def reread(self, folder: Folder, paths: Iterable[Path]) -> None:
        """Take in files of `folder` that have changed on the disk."""
        self._begin(folder, self._reread(folder, list(paths)))

    def look_again(self, folder: Folder) -> None:
        """Take in what has changed on the disk, unless the client tells of that."""
        if not self._client.registers_watchers:
            self._begin(folder, self._look_again(folder))

    def _begin(self, folder: Folder, work: Coroutine[None, None, None]) -> None:
        """Do `work` after what `folder` is busy with: changes of the disk stay in order."""
        folder.work = asyncio.ensure_future(self._after(folder.work, work))

    async def _after(
        self, earlier: "asyncio.Task[None] | None", work: Coroutine[None, None, None]
    ) -> None:
        try:
            if earlier:
                await earlier
            await work
        except Exception as error:
            self._notices.failed("loading the workspace", error)
        finally:
            work.close()  # when it is cancelled before its turn

    async def _load(self, folder: Folder) -> None:
        try:
            folder.configure(await self._settings.config(folder))
            await self._read_all(folder)
        finally:
            folder.loaded.set()
        self._publisher.touch(folder)
        refresh_views(self._server, self._client)

    async def _read_all(self, folder: Folder) -> None:
        turns = Turns()
        if not self._client.registers_watchers:
            folder.stamps = await stamps_of(_paths(folder))
        name = folder.root.name or str(folder.root)
        # Facts are acyclic and stay: the collector would look through them over and over.
        gc.disable()
        try:
            async with ProgressReport(self._server, self._client, f"Reading {name}") as progress:
                for _ in self._steps(folder, progress.count):
                    await turns.give_way()
        finally:
            gc.freeze()
            gc.enable()

    async def _look_again(self, folder: Folder) -> None:
        before = folder.stamps
        folder.stamps = await stamps_of(_paths(folder))
        if paths := changed(before, folder.stamps):
            await self._reread(folder, paths)

    async def _configure(self, folder: Folder) -> None:
        before = folder.config
        folder.configure(await self._settings.config(folder))
        if _selects_files(folder.config) != _selects_files(before):
            folder.loaded.clear()
            folder.session = Session(folder.session.root)
            self._documents.reread(folder)
            try:
                await self._read_all(folder)
            finally:
                folder.loaded.set()
        if folder.config != before:
            self._compiling.configure(folder)
        self._publisher.touch(folder)
        refresh_views(self._server, self._client)

    async def _reread(self, folder: Folder, paths: list[Path]) -> None:
        turns = Turns()
        for path in paths:
            folder.session.forget(uri_of(str(path)))
            folder.session.load(read_sources((str(path),), failed=self._notices.unreadable))
            await turns.give_way()
        self._publisher.touch(folder)
        refresh_views(self._server, self._client)

    def _steps(self, folder: Folder, progress: Progress) -> Iterator[None]:
        if folder.whole:
            return load_steps(
                folder.session, folder.root, folder.config, progress, self._notices.unreadable
            )
        return self._load_siblings(folder)

    def _load_siblings(self, folder: Folder) -> Iterator[None]:
        for source in read_sources(_paths(folder), failed=self._notices.unreadable):
            folder.session.load((source,))
            yield


def _paths(folder: Folder) -> Iterable[str]:
    """Return the files that `folder` is made of."""
    if folder.whole:
        listed = workspace_files(folder.root)
        return (it for it in listed if not excluded(it, folder.root, folder.config.exclude))
    try:
        return [str(path) for path in folder.root.iterdir() if path.is_file()]
    except OSError:  # the document has a name but was never saved
        return []


def _selects_files(config: Config) -> object:
    return config.exclude, config.include_dirs
