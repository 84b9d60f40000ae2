"""A client with a server of its own, and workspaces on the disk."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path

import pytest

from mkls.server import compiling
from tests.support.lsp_client import Json, LspClient
from tests.support.lsp_server import SERVE, ServerProcess, ServerThread

Start = Callable[..., LspClient]


@pytest.fixture(scope="session", autouse=True)
def cache(tmp_path_factory) -> Iterator[None]:
    """Keep the servers' cache out of the user's."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("MKLS_CACHE_DIR", str(tmp_path_factory.mktemp("cache")))
        yield


@pytest.fixture(autouse=True)
def quiet(monkeypatch) -> None:
    """Keep the Metal compiler out of tests that are not about it: it waits for a quiet hour."""
    monkeypatch.setattr(compiling, "QUIET_SECONDS", 3600)


@pytest.fixture
def start() -> Iterator[Start]:
    """Start servers in threads; they are gone after the test."""
    with ExitStack() as clients:

        def start_one(capabilities: Json | None = None) -> LspClient:
            client = LspClient(ServerThread(), capabilities)
            clients.callback(client.stop)
            return client

        yield start_one


@pytest.fixture
def spawn() -> Iterator[Start]:
    """Start server processes; they are gone after the test."""
    with ExitStack() as clients:

        def spawn_one(
            capabilities: Json | None = None,
            command: Sequence[str] = SERVE,
            paused: bool = False,
        ) -> LspClient:
            client = LspClient(ServerProcess(command), capabilities, paused)
            clients.callback(client.stop)
            return client

        yield spawn_one


@pytest.fixture(scope="module")
def shared() -> Iterator[LspClient]:
    """An initialized server without a workspace, for tests that leave nothing behind."""
    client = LspClient(ServerThread())
    client.initialize()
    yield client
    client.stop()


@pytest.fixture
def write(tmp_path) -> Callable[[Mapping[str, str]], Path]:
    """Write files below a folder of the test's own."""

    def write_all(files: Mapping[str, str]) -> Path:
        for name, text in files.items():
            path = tmp_path / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(text.encode())
        return tmp_path

    return write_all
