"""Turn changes of text into snapshots."""

from collections.abc import Iterable, Mapping

from mkls.facts.extract import facts_of
from mkls.index.snapshot import Snapshot, Source, Workspace
from mkls.text.document import Document, Language, Uri, language_of_text


class Session:
    """Holds the current text of every document.

    Invariant: one thread alone changes a session. Everything else works on the snapshot that it
    took when its request began, so nothing needs a lock. Guard: `mkls.server.sync` is the only
    caller there, on the event loop.
    """

    def __init__(self, root: Uri) -> None:
        """Start with no document below `root`."""
        self.root = root
        self._workspace = Workspace.of(root)
        self._disk: dict[Uri, Source] = {}
        self._open: dict[Uri, Source] = {}
        self._library: set[Uri] = set()
        self._snapshot: Snapshot | None = None

    def load(self, sources: Iterable[Source], library: bool = False) -> None:
        """Take in what the disk holds; `library` sources are read but not checked."""
        for source in sources:
            self._disk[source.document.uri] = source
            if library:
                self._library.add(source.document.uri)
        self._snapshot = None

    def look_in(self, include_roots: Iterable[Uri]) -> None:
        """Let sources include headers from `include_roots`; see `Workspace`."""
        self._workspace = Workspace.of(self.root, include_roots)
        self._snapshot = None

    def compare_with(self, baseline: Iterable[Source]) -> None:
        """Let rules tell what differs from `baseline`; see `Workspace`."""
        self._workspace = self._workspace.compared_with(baseline)
        self._snapshot = None

    def on_disk(self) -> Mapping[Uri, Source]:
        """Return what the disk holds."""
        return self._disk

    def forget(self, uri: Uri) -> None:
        """Drop what the disk held under `uri`."""
        if self._disk.pop(uri, None) is not None:
            self._snapshot = None

    def edit(self, uri: Uri, language: Language, text: str, version: int | None) -> None:
        """Make the editor's `text` win over the disk's."""
        self._open[uri] = source_of(Document(uri, language, text, version))
        self._snapshot = None

    def close(self, uri: Uri) -> None:
        """Let the disk's text count again."""
        if self._open.pop(uri, None) is not None:
            self._snapshot = None

    def open_document(self, uri: Uri) -> Document | None:
        """Return what the editor holds under `uri`, if it is open."""
        source = self._open.get(uri)
        return source.document if source else None

    def snapshot(self) -> Snapshot:
        """Return the workspace as it is now; equal to the last one when nothing changed."""
        if self._snapshot is None:
            sources = (self._disk | self._open).values()
            self._snapshot = Snapshot.of(sources, self._workspace, frozenset(self._library))
        return self._snapshot


def source_of(document: Document) -> Source:
    """Read the facts of `document`."""
    return Source(document, facts_of(document))


def language_for(uri: Uri, language_id: str, text: str) -> Language | None:
    """Return the language of a document that is opened.

    Its name and text tell, else the editor's language identifier.
    """
    by_id = {
        "metal": Language.METAL,
        "objective-cpp": Language.HOST,
        "objcpp": Language.HOST,
        "cpp": Language.CPP,
        "python": Language.PYTHON,
    }
    return language_of_text(uri, text) or by_id.get(language_id)
