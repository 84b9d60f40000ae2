"""Every message in both directions is what the meta-model says, for real clients' capabilities.

A new method needs a row in `ROWS`; `test_every_method_has_a_row` fails until it has one.
"""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, cast

import pytest

from mkls.server.backend import Backend
from mkls.server.handlers import handlers_of
from tests.features.ripple import RIPPLE
from tests.server.workspaces import merged
from tests.support.checked_client import CLIENTS, CheckedClient, recorded
from tests.support.fixture import parse
from tests.support.lsp_client import Json, at
from tests.support.lsp_server import ServerThread

NATIVE = "aten/src/ATen/native"
YAML, HOST = f"{NATIVE}/native_functions.yaml", f"{NATIVE}/mps/operations/Ripple.mm"
CPP, METAL = f"{NATIVE}/Ripple.cpp", f"{NATIVE}/mps/kernels/Ripple.metal"
HEADER = f"{NATIVE}/mps/kernels/Shared.h"
FILES = {uri.removeprefix("file:///"): text for uri, text in parse(RIPPLE).marked.items()}
FILES[HEADER] = "#include <metal_stdlib>\n"
FILES[METAL] = '#include "Shared.h"\n// mkls-run: threads=8\n' + FILES[METAL]
FILES[HOST] += "Tensor lost_mps(const Tensor& self) { return fmax_stu(self); }\n"
FILES[YAML] += "- func: lost(Tensor self) -> Tensor\n  structured_delegate: lost.ot\n"
ENCODINGS = ("utf-8", "utf-16", "utf-32")


class Place:
    """A workspace on the disk, and how tests name places in it."""

    def __init__(self, root: Path) -> None:
        self.root = root

    def document(self, path: str) -> Json:
        return {"textDocument": {"uri": (self.root / path).as_uri()}}

    def __call__(self, path: str, text: str, into: int = 1) -> Json:
        before = FILES[path][: FILES[path].index(text) + into]
        line = before.count("\n")
        return {**self.document(path), "position": at(line, len(before) - before.rfind("\n") - 1)}

    def whole(self, path: str) -> Json:
        return {**self.document(path), "range": {"start": at(0, 0), "end": at(99, 0)}}


Ask = Callable[[CheckedClient, Place], object]
HIERARCHY = "callHierarchy"


def one(method: str, params: Callable[[Place], Json]) -> Ask:
    """Return a row that sends one request."""
    return lambda client, place: client.call(method, params(place))


def _item(client: CheckedClient, place: Place) -> Json:
    at_function = place(HOST, "ripple_mps_kernel")
    return client.call("textDocument/prepareCallHierarchy", at_function)[0]


def _diagnostics(client: CheckedClient, place: Place) -> list[Json]:
    if "diagnosticProvider" not in client.offered:
        return []  # the range tells as well
    return client.call("textDocument/diagnostic", place.document(YAML))["items"]


def _action(client: CheckedClient, place: Place) -> list[Json]:
    context = {"context": {"diagnostics": _diagnostics(client, place)}}
    return client.call("textDocument/codeAction", {**place.whole(YAML), **context})


def _resolved(listing: Ask, method: str) -> Ask:
    def ask(client: CheckedClient, place: Place) -> object:
        listed = cast("list[Json]", listing(client, place))
        assert listed
        return [client.call(method, it) for it in listed]

    return ask


LENSES = one("textDocument/codeLens", lambda at: at.document(METAL))
LINKS = one("textDocument/documentLink", lambda at: at.document(HOST))
SYMBOLS = one("workspace/symbol", lambda _: {"query": "ripple"})

ROWS: dict[str, Ask] = {
    "textDocument/definition": one("textDocument/definition", lambda at: at(YAML, "wave_mps")),
    "textDocument/declaration": one("textDocument/declaration", lambda at: at(HOST, '"ripple_', 3)),
    "textDocument/typeDefinition": one(
        "textDocument/typeDefinition", lambda at: at(METAL, "REGISTER(ripple, float)", 11)
    ),
    "textDocument/implementation": one(
        "textDocument/implementation", lambda at: at(CPP, "ripple_stub")
    ),
    "textDocument/references": one(
        "textDocument/references",
        lambda at: {**at(CPP, "ripple_stub"), "context": {"includeDeclaration": True}},
    ),
    "textDocument/documentHighlight": one(
        "textDocument/documentHighlight", lambda at: at(HOST, "ripple_mps_kernel")
    ),
    "textDocument/prepareRename": one(
        "textDocument/prepareRename", lambda at: at(HOST, '"ripple_', 3)
    ),
    "textDocument/rename": one(
        "textDocument/rename", lambda at: {**at(HOST, '"ripple_', 3), "newName": "wavelet"}
    ),
    "textDocument/prepareCallHierarchy": one(
        "textDocument/prepareCallHierarchy", lambda at: at(METAL, "REGISTER(ripple, float)", 11)
    ),
    "callHierarchy/incomingCalls": lambda client, place: client.call(
        f"{HIERARCHY}/incomingCalls", {"item": _item(client, place)}
    ),
    "callHierarchy/outgoingCalls": lambda client, place: client.call(
        f"{HIERARCHY}/outgoingCalls", {"item": _item(client, place)}
    ),
    "textDocument/hover": one("textDocument/hover", lambda at: at(YAML, "ripple.out", 9)),
    "textDocument/documentSymbol": one(
        "textDocument/documentSymbol", lambda at: at.document(METAL)
    ),
    "textDocument/documentLink": LINKS,
    "documentLink/resolve": _resolved(LINKS, "documentLink/resolve"),
    "textDocument/codeLens": LENSES,
    "codeLens/resolve": _resolved(LENSES, "codeLens/resolve"),
    "textDocument/codeAction": _action,
    "codeAction/resolve": _resolved(_action, "codeAction/resolve"),
    "textDocument/diagnostic": one("textDocument/diagnostic", lambda at: at.document(YAML)),
    "workspace/diagnostic": one("workspace/diagnostic", lambda _: {"previousResultIds": []}),
    "workspace/symbol": SYMBOLS,
    "workspaceSymbol/resolve": lambda client, _place: (
        _resolved(SYMBOLS, "workspaceSymbol/resolve")(client, _place)
        if client.offered["workspaceSymbolProvider"].get("resolveProvider")
        else "nothing to resolve"
    ),
    "workspace/willRenameFiles": lambda client, place: client.call(
        "workspace/willRenameFiles",
        {
            "files": [
                {
                    "oldUri": (place.root / HEADER).as_uri(),
                    "newUri": (place.root / HEADER).with_name("Common.h").as_uri(),
                }
            ]
        },
    ),
    "workspace/executeCommand": one(
        "workspace/executeCommand",
        lambda _: {"command": "mkls.restartWorker", "arguments": []},
    ),
}
"""For each method, a conversation whose result says something."""

SILENT = {"workspace/executeCommand"}
"""Methods whose result is null when all went well."""


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


@pytest.mark.parametrize("capabilities", [*CLIENTS, "none"])
def test_every_message_is_what_the_meta_model_says(place, capabilities):
    claimed = {} if capabilities == "none" else recorded(capabilities)
    for client in talk(place, claimed):
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
