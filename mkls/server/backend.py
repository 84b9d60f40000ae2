"""What the handlers share: the client, the open documents and the workspaces."""

from pygls.lsp.server import LanguageServer

from mkls.index.snapshot import Snapshot, Source
from mkls.server.client import Client
from mkls.server.compiling import Compiling
from mkls.server.documents import Documents
from mkls.server.folders import Folder, Folders
from mkls.server.loading import Loader
from mkls.server.notices import Notices
from mkls.server.publish import Publisher
from mkls.server.runs import Runs
from mkls.server.settings import Settings
from mkls.server.token_memory import TokenMemory
from mkls.text.document import Uri


class Backend:
    """One conversation's state; the event loop alone touches it."""

    def __init__(self, server: LanguageServer, client: Client, notices: Notices) -> None:
        """Start with the folders that `client` named."""
        self.server = server
        self.client = client
        self.notices = notices
        self.folders = Folders(client.folders, notices.failed)
        self.documents = Documents(client, notices)
        self.settings = Settings(server, client, notices)
        self.publisher = Publisher(server, client, self.documents, notices)
        self.tokens = TokenMemory()
        self.runs = Runs(server, client, self.publisher)
        self.compiling = Compiling(self.documents, self.publisher, notices)
        self.loader = Loader(
            server, client, self.documents, self.settings, self.publisher, self.compiling, notices
        )

    def folder(self, uri: Uri) -> Folder:
        """Return the workspace of `uri`, which is being loaded from now on."""
        opened = self.documents.get(uri)
        folder = opened.folder if opened else self.folders.of(uri)
        self.loader.start(folder)
        return folder

    def snapshot(self, uri: Uri) -> tuple[Snapshot, Source | None]:
        """Return the workspace of `uri` as it is now, and what it knows of `uri`."""
        folder = self.folder(uri)
        self.documents.read(folder)
        snapshot = folder.snapshot()
        return snapshot, snapshot.sources.get(uri)
