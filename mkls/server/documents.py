"""The documents that are open in the editor.

A change is applied to the text at once and read later, when somebody asks: of a burst of edits only
the last text is read.
"""

from collections.abc import Iterable, Iterator

from mkls.server.client import Client
from mkls.server.folders import Folder
from mkls.server.notices import Notices
from mkls.server.text_changes import TextChange, apply_changes
from mkls.text.document import Document, Uri
from mkls.text.line_index import Encoding


class OpenDocument:
    """A document that is open in the editor, and the workspace that it belongs to."""

    def __init__(self, document: Document, folder: Folder) -> None:
        """Take in `document` as it was opened."""
        self.document = document
        self.folder = folder
        self.is_read = False

    def change(self, changes: Iterable[TextChange], encoding: Encoding, version: int) -> None:
        """Apply what the user typed."""
        old = self.document
        text = apply_changes(old.lines, changes, encoding)
        self.document = Document(old.uri, old.language, text, version)
        self.is_read = False

    def read(self) -> None:
        """Let the session know the newest text."""
        if self.is_read:
            return
        self.is_read = True
        new = self.document
        self.folder.session.edit(new.uri, new.language, new.text, new.version)
        # The session's own document is the one whose lines get counted.
        self.document = self.folder.session.open_document(new.uri) or new


class Documents:
    """Every open document that mkls reads, the one that was touched last first."""

    def __init__(self, client: Client, notices: Notices) -> None:
        """Start with none."""
        self._client = client
        self._notices = notices
        self._open: dict[Uri, OpenDocument] = {}

    def __iter__(self) -> Iterator[OpenDocument]:
        return iter(tuple(reversed(self._open.values())))

    def get(self, uri: Uri) -> OpenDocument | None:
        """Return the open document `uri`."""
        return self._open.get(uri)

    def open(self, document: Document, folder: Folder, spelling: str) -> None:
        """Take in a document that the user opened; the client writes its URI as `spelling`."""
        self._client.spellings[document.uri] = spelling
        self._open[document.uri] = OpenDocument(document, folder)

    def change(self, uri: Uri, changes: Iterable[TextChange], version: int) -> OpenDocument | None:
        """Apply what the user typed; None when `uri` is not open."""
        document = self._open.pop(uri, None)
        if document is None:
            return None
        self._open[uri] = document
        document.change(changes, self._client.encoding, version)
        return document

    def close(self, uri: Uri) -> OpenDocument | None:
        """Let go of a document."""
        self._client.spellings.pop(uri, None)
        closed = self._open.pop(uri, None)
        if closed:
            closed.folder.session.close(uri)
        return closed

    def read(self, folder: Folder) -> None:
        """Let `folder` know the newest texts."""
        for it in self._open.values():
            if it.folder is folder:
                try:
                    it.read()
                except Exception as error:
                    self._notices.unreadable(it.document.uri, error)

    def move(self, document: OpenDocument, folder: Folder) -> None:
        """Make `document` part of `folder`."""
        if document.folder is not folder:
            document.folder.session.close(document.document.uri)
            document.folder, document.is_read = folder, False

    def reread(self, folder: Folder) -> None:
        """Let `folder`, whose session is a new one, know the texts again."""
        for it in self._open.values():
            if it.folder is folder:
                it.is_read = False
        self.read(folder)
