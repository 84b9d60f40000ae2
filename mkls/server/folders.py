"""The workspaces that are open, one session each."""

import asyncio
from collections.abc import Iterable, Iterator
from pathlib import Path

import msgspec

from mkls.index.snapshot import Snapshot
from mkls.server.reports import Failed, Reports
from mkls.server.stamps import Stamps
from mkls.session.config import Config
from mkls.session.discovery import find_root, is_pytorch
from mkls.session.disk import home_folder
from mkls.session.state import Session
from mkls.text.document import Uri, path_of, uri_of


class Told(msgspec.Struct, frozen=True):
    """What the client last heard about a document, and which version of it that was about."""

    result_id: str
    version: int | None = None


class Folder:
    """One workspace: its texts, its configuration and what is to be said about it.

    `whole` is false for the folder of a lone file: what lies below it is none of our business.
    """

    def __init__(self, root: Path, failed: Failed, whole: bool = True) -> None:
        """Start empty; `mkls.server.loading` fills it, and `failed` hears of faulty rules."""
        self.root = root
        self.whole = whole
        self.session = Session(uri_of(str(root)))
        self.config = Config()
        self.reports = Reports(failed)
        self.told: dict[Uri, Told] = {}
        self.loaded = asyncio.Event()
        self.stamps: Stamps = {}
        self.work: asyncio.Task[None] | None = None

    def snapshot(self) -> Snapshot:
        """Return the workspace as it is now."""
        return self.session.snapshot()

    def tell(self, snapshot: Snapshot, uri: Uri) -> str:
        """Remember that the client hears the report about `uri`; return its id."""
        source = snapshot.sources.get(uri)
        version = source.document.version if source else None
        result_id = self.reports.of(snapshot, uri).result_id
        self.told[uri] = Told(result_id, version)
        return result_id

    def configure(self, config: Config) -> None:
        """Use `config` from now on."""
        self.config = config
        self.reports.configure(config)

    def holds(self, path: Path) -> bool:
        """Whether `path` lies in this workspace."""
        if self.whole:
            return path.is_relative_to(self.root)
        return path.parent == self.root


class Folders:
    """Every workspace; the one for a document is found by where the document lies."""

    def __init__(self, roots: Iterable[Path], failed: Failed) -> None:
        """Open the workspaces of the folders that the client named."""
        self._failed = failed
        self._named: list[Path] = []
        self._by_root: dict[tuple[Path, bool], Folder] = {}
        for root in roots:
            self.add(root)

    def __iter__(self) -> Iterator[Folder]:
        return iter(tuple(self._by_root.values()))

    def add(self, path: Path) -> Folder:
        """Open the workspace of a folder: the PyTorch checkout around it, else itself."""
        self._named.append(path)
        return self._folder(_pytorch_around(path) or path)

    def remove(self, path: Path) -> list[Folder]:
        """Close and return the workspaces that no folder of the client's is about any more."""
        self._named = [named for named in self._named if named != path]
        wanted = {_pytorch_around(named) or named for named in self._named}
        closed = [
            folder
            for folder in self
            if folder.root not in wanted
            and (folder.root.is_relative_to(path) or path.is_relative_to(folder.root))
        ]
        for folder in closed:
            del self._by_root[folder.root, folder.whole]
        return closed

    def of(self, uri: Uri) -> Folder:
        """Return the workspace of a document, opened for it when there is none.

        A header outside of all of them belongs to the workspace that reads it.
        """
        if not uri.startswith("file:"):
            return next(iter(self._by_root.values()), None) or self._folder(Path("/"), whole=False)
        path = Path(path_of(uri))
        if reading := next((it for it in self if uri in it.snapshot().sources), None):
            return reading
        if around := _pytorch_around(path):
            return self._folder(around)
        return self.holding(path) or self._lone(path)

    def holding(self, path: Path) -> Folder | None:
        """Return the innermost open workspace that holds `path`."""
        holding = [folder for folder in self if folder.holds(path)]
        return max(holding, key=lambda it: len(it.root.parts), default=None)

    def _lone(self, path: Path) -> Folder:
        root = find_root(path)
        # A `.git` in a home folder, or no marker at all: do not read everything that lies there.
        whole = root != path.parent and root not in (home_folder(), Path(root.anchor))
        return self._folder(root if whole else path.parent, whole)

    def _folder(self, root: Path, whole: bool = True) -> Folder:
        key = root, whole
        if key not in self._by_root:
            self._by_root[key] = Folder(root, self._failed, whole)
        return self._by_root[key]


def _pytorch_around(path: Path) -> Path | None:
    root = find_root(path)
    return root if is_pytorch(root) else None
