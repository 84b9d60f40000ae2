"""Work that nobody waits for any more is not done."""

import json
import sys

from tests.server.workspaces import CROSS, HOST, METAL, PULLING
from tests.support.lsp_client import replacement

CANCELLED, CONTENT_MODIFIED, SERVER_CANCELLED = -32800, -32801, -32802

# Every request for a hover writes a line to standard error when it is taken up.
COUNTING = """
import sys
from mkls.server import requests

answer = requests.text_document_hover

def counted(backend, params):
    print("hover", params.position.character, file=sys.stderr, flush=True)
    return answer(backend, params)

requests.text_document_hover = counted
from mkls.server.app import serve_stdio

sys.exit(serve_stdio())
"""


def hover(message_id, uri, character=0):
    position = {"line": 0, "character": character}
    params = {"textDocument": {"uri": uri}, "position": position}
    return {"id": message_id, "method": "textDocument/hover", "params": params}


def cancel(message_id):
    return {"method": "$/cancelRequest", "params": {"id": message_id}}


def test_requests_that_are_cancelled_already_are_never_started(spawn, write):
    root = write(CROSS)
    metal = (root / METAL).as_uri()
    client = spawn(command=(sys.executable, "-c", COUNTING))
    client.initialize(root)
    client.open(metal, CROSS[METAL])

    ids = [f"r{n}" for n in range(30)]
    requests = [hover(message_id, metal, n) for n, message_id in enumerate(ids)]
    client.send(*requests, *map(cancel, ids), hover("last", metal, 99))

    assert [client.answer(it)["error"]["code"] for it in ids] == [CANCELLED] * 30
    assert "error" not in client.answer("last")
    client.exit()
    assert client.log.splitlines() == ["hover 99"]


def test_a_request_without_a_cancellation_is_answered(start, write):
    root = write(CROSS)
    metal = (root / METAL).as_uri()
    client = start()
    client.initialize(root)
    client.open(metal, CROSS[METAL])

    client.send(hover("a", metal), hover("b", metal), cancel("a"), cancel("unknown"))

    assert client.answer("a")["error"]["code"] == CANCELLED
    assert "error" not in client.answer("b")


def test_a_running_request_can_be_cancelled(start, write):
    root = write(CROSS)
    client = start({**PULLING, "workspace": {**PULLING["workspace"], "configuration": True}})
    client.answers_configuration = False
    client.initialize(root)
    # The server waits for settings before it loads, and the request waits for the load.
    client.told("workspace/configuration")

    params = {"previousResultIds": []}
    waiting = client.request("workspace/diagnostic", params)
    client.send(cancel(waiting))

    assert client.answer(waiting)["error"]["code"] == CANCELLED


def test_what_editors_ask_after_each_edit_is_dropped_when_the_next_edit_is_there(start, write):
    root = write(CROSS)
    host = (root / HOST).as_uri()
    client = start(PULLING)
    client.initialize(root)
    client.open(host, CROSS[HOST])
    about = {"textDocument": {"uri": host}}
    change = {
        "textDocument": {"uri": host, "version": 2},
        "contentChanges": [replacement((0, 0), (0, 0), "//\n")],
    }

    client.send(
        {"id": "a", "method": "textDocument/diagnostic", "params": about},
        {"id": "b", "method": "textDocument/documentSymbol", "params": about},
        {"method": "textDocument/didChange", "params": change},
        {"id": "c", "method": "textDocument/documentSymbol", "params": about},
    )

    stale = client.answer("a")["error"]
    assert stale["code"] == SERVER_CANCELLED
    assert stale["data"] == {"retriggerRequest": False}
    assert client.answer("b")["error"]["code"] == CONTENT_MODIFIED
    assert client.answer("c")["result"]


def test_what_a_person_asks_is_answered_from_the_text_that_they_see(start, write):
    root = write(CROSS)
    host = (root / HOST).as_uri()
    client = start()
    client.initialize(root)
    client.open(host, CROSS[HOST])
    position = {"line": 1, "character": 45}
    params = {"textDocument": {"uri": host}, "position": position}
    change = {
        "textDocument": {"uri": host, "version": 2},
        "contentChanges": [{"text": "// nothing\n"}],
    }

    client.wait(lambda it: it.get("method") == "textDocument/publishDiagnostics")
    client.send(
        {"id": "a", "method": "textDocument/hover", "params": params},
        {"method": "textDocument/didChange", "params": change},
        {"id": "b", "method": "textDocument/hover", "params": params},
    )

    assert "cross_float" in json.dumps(client.answer("a")["result"])
    assert client.answer("b")["result"] is None
