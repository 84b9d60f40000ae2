"""No message ends the server: a long conversation with a client that has lost its mind."""

import random

import pytest

from tests.server.workspaces import BROKEN_HOST, CROSS, HOST, PULLING, TWICE, YAML
from tests.support.lsp_client import at, frame

REQUESTS = (
    "textDocument/hover",
    "textDocument/definition",
    "textDocument/documentSymbol",
    "textDocument/codeAction",
    "textDocument/diagnostic",
    "workspace/diagnostic",
    "codeAction/resolve",
    "workspace/executeCommand",
    "mkls/unheardOf",
)
NOTIFICATIONS = (
    "textDocument/didOpen",
    "textDocument/didChange",
    "textDocument/didClose",
    "textDocument/didSave",
    "workspace/didChangeConfiguration",
    "workspace/didChangeWatchedFiles",
    "workspace/didChangeWorkspaceFolders",
    "$/cancelRequest",
    "initialized",
)
FILES = {**CROSS, HOST: BROKEN_HOST, YAML: TWICE}
STRANGE = ("untitled:1", "file:///nowhere/x.metal", "x", "file://host/share/a.mm", "file:///%ZZ.mm")


class Noise:
    """Messages by chance."""

    def __init__(self, seed: int, root) -> None:
        self.random = random.Random(seed)
        self.root = root
        self.uris = [*((root / name).as_uri() for name in FILES), *STRANGE]

    def junk(self, depth: int = 0):
        leaves = (None, True, self.random.randint(-5, 10**10), 1.5, "x", [], {})
        if depth > 2 or self.random.random() < 0.6:
            return self.random.choice(leaves)
        key = self.random.choice(("uri", "textDocument", "position", "id", "range", "settings"))
        return self.random.choice(([self.junk(depth + 1)], {key: self.junk(depth + 1)}))

    def place(self):
        return at(self.random.randrange(12), self.random.randrange(50))

    def params(self, version: int):
        text = self.random.choice(("", "x", "\n", "\r", "𝒳", "(", "- func: "))
        change = {"range": {"start": self.place(), "end": self.place()}, "text": text}
        folder = {"uri": self.random.choice((self.root.as_uri(), "x:1")), "name": "folder"}
        document = {
            "uri": self.random.choice(self.uris),
            "languageId": self.random.choice(("metal", "yaml", "objcpp", "x")),
            "version": version,
            "text": self.random.choice(list(FILES.values())),
        }
        return {
            "textDocument": document,
            "contentChanges": [change],
            "position": self.place(),
            "range": change["range"],
            "context": {"diagnostics": []},
            "previousResultIds": [],
            "changes": [{"uri": document["uri"], "type": self.random.randint(1, 3)}],
            "settings": {"mkls": self.random.choice(({}, {"exclude": ["*"]}, self.junk()))},
            "event": {"added": [folder], "removed": [folder] * self.random.randrange(2)},
            "id": self.random.randrange(400),
        }

    def message(self, number: int):
        params = self.junk() if self.random.random() < 0.2 else self.params(number)
        if self.random.random() < 0.5:
            return {"id": number, "method": self.random.choice(REQUESTS), "params": params}
        return {"method": self.random.choice(NOTIFICATIONS), "params": params}


@pytest.mark.parametrize("seed", range(4))
def test_every_request_is_answered_and_nothing_fails(spawn, write, seed):
    root = write(FILES)
    noise = Noise(seed, root)
    client = spawn(PULLING if seed % 2 else {})
    client.initialize(root)

    messages = [noise.message(number) for number in range(1000, 1400)]
    for message in messages:
        if noise.random.random() < 0.05:
            client.send_bytes(frame(noise.random.randbytes(20)))
        client.send(message)

    for message in messages:
        if "id" in message:
            client.answer(message["id"])
    assert client.exit() == 0
    assert "Traceback" not in client.log
