"""For each method, a conversation whose result says something; see `test_protocol.py`."""

from collections.abc import Callable
from pathlib import Path
from typing import Any, cast

from tests.features.ripple import RIPPLE
from tests.support.checked_client import CheckedClient
from tests.support.fixture import parse
from tests.support.lsp_client import Json, at

NATIVE = "aten/src/ATen/native"
YAML, HOST = f"{NATIVE}/native_functions.yaml", f"{NATIVE}/mps/operations/Ripple.mm"
CPP, METAL = f"{NATIVE}/Ripple.cpp", f"{NATIVE}/mps/kernels/Ripple.metal"
HEADER = f"{NATIVE}/mps/kernels/Shared.h"
FILES = {uri.removeprefix("file:///"): text for uri, text in parse(RIPPLE).marked.items()}
FILES[HEADER] = "#include <metal_stdlib>\n"
FILES[METAL] = '#include "Shared.h"\n// mkls-run: threads=8\n' + FILES[METAL]
FILES[HOST] += "Tensor lost_mps(const Tensor& self) { return fmax_stu(self); }\n"
FILES[YAML] += "- func: lost(Tensor self) -> Tensor\n  structured_delegate: lost.ot\n"


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


Ask = Callable[[CheckedClient, Place], Any]
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
COMPLETIONS = one("textDocument/completion", lambda at: at(YAML, "MPS: ripple_out"))
HINTS = one("textDocument/inlayHint", lambda at: at.whole(METAL))
TOKENS = one("textDocument/semanticTokens/full", lambda at: at.document(METAL))


def _delta(client: CheckedClient, place: Place) -> Json:
    known = TOKENS(client, place)["resultId"]
    about = place.document(METAL)
    client.change(about["textDocument"]["uri"], 2, {"text": FILES[METAL] + "// more\n"})
    params = {**about, "previousResultId": known}
    return client.call("textDocument/semanticTokens/full/delta", params)


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
    "textDocument/completion": COMPLETIONS,
    "completionItem/resolve": _resolved(
        lambda client, place: COMPLETIONS(client, place)["items"], "completionItem/resolve"
    ),
    "textDocument/signatureHelp": one(
        "textDocument/signatureHelp", lambda at: at(METAL, "REGISTER(ripple, float)", 18)
    ),
    "textDocument/inlayHint": HINTS,
    "inlayHint/resolve": _resolved(HINTS, "inlayHint/resolve"),
    "textDocument/foldingRange": one("textDocument/foldingRange", lambda at: at.document(METAL)),
    "textDocument/selectionRange": one(
        "textDocument/selectionRange",
        lambda at: {**at.document(YAML), "positions": [at(YAML, "wave_mps")["position"]]},
    ),
    "textDocument/semanticTokens/full": TOKENS,
    "textDocument/semanticTokens/full/delta": _delta,
    "textDocument/semanticTokens/range": one(
        "textDocument/semanticTokens/range", lambda at: at.whole(YAML)
    ),
    "workspace/textDocumentContent": one(
        "workspace/textDocumentContent", lambda _: {"uri": "mkls:/operator/wave.md?operator=wave"}
    ),
    "workspace/executeCommand": one(
        "workspace/executeCommand",
        lambda _: {"command": "mkls.restartWorker", "arguments": []},
    ),
}
"""What each method is asked."""

SILENT = {"workspace/executeCommand"}
"""Methods whose result is null when all went well."""
