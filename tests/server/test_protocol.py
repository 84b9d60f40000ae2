"""Every message in both directions is what the meta-model says, for real clients' capabilities.

A new method needs a row in `ROWS`; `test_every_method_has_a_row` fails until it has one.
"""

from collections.abc import Iterator
from typing import Any, cast

import pytest

from mkls.server.backend import Backend
from mkls.server.handlers import handlers_of
from tests.server.conversations import (
    CPP,
    FILES,
    HOST,
    METAL,
    ROWS,
    SILENT,
    YAML,
    Place,
)
from tests.server.workspaces import merged
from tests.support.checked_client import CLIENTS, CheckedClient, recorded
from tests.support.lsp_client import Json, at
from tests.support.lsp_server import ServerThread

ENCODINGS = ("utf-8", "utf-16", "utf-32")


@pytest.fixture
def place(write) -> Place:
    return Place(write(FILES))


def talk(place: Place, capabilities: Json) -> Iterator[CheckedClient]:
    """Begin a conversation about `place` with every file open."""
    client = CheckedClient(ServerThread(), capabilities)
    try:
        client.offered = client.initialize(place.root)
        for path, text in FILES.items():
            client.open((place.root / path).as_uri(), text, language="plaintext")
        client.call("workspace/diagnostic", {"previousResultIds": []})
        yield client
    finally:
        client.stop()


def test_every_method_has_a_row():
    handled = set(handlers_of(cast("Backend", None)).requests)

    assert handled == set(ROWS)


CLAIMED = {it: recorded(it) for it in CLIENTS}
CLAIMED["vscode of 3.18"] = merged(CLAIMED["vscode"], {"workspace": {"textDocumentContent": {}}})
CLAIMED["none"] = {}


@pytest.mark.parametrize("capabilities", CLAIMED)
def test_every_message_is_what_the_meta_model_says(place, capabilities):
    for client in talk(place, CLAIMED[capabilities]):
        for method, ask in ROWS.items():
            if not _offers(client, method):
                continue
            result = ask(client, place)
            assert result or method in SILENT, f"{method} says nothing"
        assert client.exit() == 0
        assert client.faults == []


def _offers(client: CheckedClient, method: str) -> bool:
    """Whether a client of these capabilities would send `method`."""
    if "codeAction" in method:
        return "codeActionProvider" in client.offered
    if method == "workspace/textDocumentContent":
        return "textDocumentContent" in client.offered["workspace"]
    if method == "workspace/willRenameFiles":
        return "fileOperations" in client.offered["workspace"]
    return method != "codeAction/resolve" or client.offered["codeActionProvider"]["resolveProvider"]


@pytest.mark.parametrize("capabilities", CLIENTS)
@pytest.mark.parametrize("encoding", ENCODINGS)
def test_every_encoding(place, capabilities, encoding):
    claimed = merged(recorded(capabilities), {"general": {"positionEncodings": [encoding]}})
    for client in talk(place, claimed):
        assert client.offered["positionEncoding"] == encoding
        for method in ("textDocument/definition", "textDocument/references", "workspace/symbol"):
            assert ROWS[method](client, place)
        assert client.faults == []


def test_partial_results(place):
    for client in talk(place, recorded("vscode")):
        found = client.call("workspace/symbol", {"query": "", "partialResultToken": "part"})
        told = client.told("$/progress", lambda it: it["token"] == "part")

        assert found == []
        assert {"ripple.out", "wave"} <= {it["name"] for it in told["value"]}
        client.call("workspace/diagnostic", {"previousResultIds": [], "partialResultToken": 7})
        assert client.told("$/progress", lambda it: it["token"] == 7)["value"]["items"]
        assert client.faults == []


def test_what_a_client_can_take_is_registered_and_refreshed(place):
    for client in talk(place, recorded("vscode")):
        registered = client.told("client/registerCapability")["registrations"]
        assert registered[0]["method"] == "workspace/didChangeWatchedFiles"
        client.received.clear()
        path = place.root / HOST
        path.write_text(FILES[HOST] + "\n", encoding="utf-8")
        changed = {"changes": [{"uri": path.as_uri(), "type": 2}]}
        client.notify("workspace/didChangeWatchedFiles", changed)
        for view in ("codeLens", "semanticTokens", "inlayHint"):
            assert client.wait(lambda it, v=view: it.get("method") == f"workspace/{v}/refresh")
        assert client.faults == []


BROKEN: list[tuple[str, Any, int]] = [
    ("textDocument/nonsense", {}, -32601),
    ("textDocument/hover", {"textDocument": {"uri": 5}}, -32602),
    ("textDocument/references", {"textDocument": {"uri": "file:///x"}}, -32602),
    ("callHierarchy/incomingCalls", {"item": {}}, -32602),
    ("workspaceSymbol/resolve", {"name": "x", "kind": 5, "location": {"uri": "file:///x"}}, -32602),
    ("documentLink/resolve", {"range": {"start": at(0, 0), "end": at(0, 1)}}, -32602),
    ("initialize", {"processId": None, "rootUri": None, "capabilities": {}}, -32600),
]


@pytest.mark.parametrize(("method", "params", "code"), BROKEN)
def test_errors_have_their_codes(start, method, params, code):
    client = start(recorded("vscode"))
    client.initialize()

    assert client.error(method, params)["code"] == code


def test_nothing_is_answered_before_initialize_or_after_shutdown(start):
    client = start(recorded("neovim"))
    hover = {"textDocument": {"uri": "file:///x.metal"}, "position": at(0, 0)}

    assert client.error("textDocument/hover", hover)["code"] == -32002
    client.initialize()
    client.call("shutdown", None)
    assert client.error("textDocument/hover", hover)["code"] == -32600


def test_requests_that_are_cancelled_or_overtaken(place):
    for client in talk(place, recorded("vscode")):
        uri = (place.root / METAL).as_uri()
        references = {**place(CPP, "ripple_stub"), "context": {"includeDeclaration": True}}
        lens = client.request_message("textDocument/codeLens", place.document(METAL), 901)
        asked = client.request_message("textDocument/references", references, 902)
        change = {"textDocument": {"uri": uri, "version": 2}, "contentChanges": [{"text": "\n"}]}
        client.send(
            lens,
            {"method": "textDocument/didChange", "params": change},
            asked,
            {"method": "$/cancelRequest", "params": {"id": 902}},
        )

        assert client.answer(901)["error"]["code"] == -32801
        assert client.answer(902)["error"]["code"] == -32800
        assert client.faults == []


def test_a_rename_that_would_break_something_says_why(place):
    for client in talk(place, recorded("neovim")):
        row = {**place(YAML, "ripple.out", 2), "newName": "wavelet"}

        error = client.error("textDocument/rename", row)

        assert error["code"] == -32803
        assert (
            error["message"] == "only the overload `out` can be renamed: `torch.ripple` is public"
        )
        assert client.faults == []
