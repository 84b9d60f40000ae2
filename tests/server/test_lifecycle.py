"""The conversation's beginning, its end, and everything that is no proper message."""

import json
import subprocess
import sys
import threading

import pytest

from tests.support.lsp_client import DEADLINE, frame
from tests.support.lsp_server import REPOSITORY, SERVE, ServerProcess

PARSE_ERROR, INVALID_REQUEST, METHOD_NOT_FOUND, INVALID_PARAMS = -32700, -32600, -32601, -32602
NOT_INITIALIZED = -32002


def still_answers(client):
    return client.call("textDocument/documentSymbol", {"textDocument": {"uri": "x:y"}}) == []


def test_the_server_says_what_it_can_do(spawn):
    client = spawn()

    result = client.call("initialize", {"processId": None, "rootUri": None, "capabilities": {}})

    assert result["serverInfo"]["name"] == "mkls"
    assert result["capabilities"]["textDocumentSync"] == {
        "openClose": True,
        "change": 2,
        "save": {"includeText": False},
    }


def test_a_request_before_initialize_is_refused(spawn):
    client = spawn()

    assert client.error("textDocument/hover", {})["code"] == NOT_INITIALIZED


def test_initialize_comes_once(spawn):
    client = spawn()
    client.initialize()

    assert client.error("initialize", {"capabilities": {}})["code"] == INVALID_REQUEST


def test_initialize_with_wrong_parameters_may_be_tried_again(spawn):
    client = spawn()

    assert client.error("initialize", {"capabilities": 5})["code"] == INVALID_PARAMS
    assert client.initialize()["hoverProvider"] is True


def test_a_server_that_was_shut_down_exits_with_0(spawn):
    client = spawn()
    client.initialize()

    assert client.exit() == 0


def test_exit_without_shutdown_is_a_failure(spawn):
    client = spawn()
    client.initialize()

    assert client.exit(shut_down=False) == 1


def test_exit_before_initialize_is_a_failure(spawn):
    assert spawn().exit(shut_down=False) == 1


def test_the_end_of_the_input_ends_the_server(spawn):
    client = spawn()
    client.initialize()

    client.end_input()

    assert client.wait_for_end() == 1


def test_after_shutdown_requests_are_refused(spawn):
    client = spawn()
    client.initialize()
    client.call("shutdown", None)

    assert client.error("textDocument/hover", {})["code"] == INVALID_REQUEST
    assert client.error("shutdown", None)["code"] == INVALID_REQUEST
    client.notify("exit", None)
    assert client.wait_for_end() == 0


def test_all_of_a_short_conversation_in_one_piece(spawn):
    client = spawn()

    client.send(
        {"id": 1, "method": "initialize", "params": {"processId": None, "capabilities": {}}},
        {"method": "initialized", "params": {}},
        {"id": 2, "method": "shutdown"},
        {"method": "exit"},
    )

    assert client.answer(1)["result"]["serverInfo"]["name"] == "mkls"
    assert client.answer(2)["result"] is None
    assert client.wait_for_end() == 0


@pytest.mark.parametrize(
    "body", [b"{", b"", b"\xff\xfe", b'{"jsonrpc": "2.0", "method": ', b"[" * 100_000]
)
def test_a_body_that_is_not_json_gets_a_parse_error(shared, body):
    shared.send_bytes(frame(body))

    assert shared.answer(None)["error"]["code"] == PARSE_ERROR
    assert still_answers(shared)


@pytest.mark.parametrize(
    ("message", "message_id"),
    [
        ([], None),
        ([{"jsonrpc": "2.0", "id": 1, "method": "shutdown"}], None),
        (7, None),
        ({"jsonrpc": "2.0", "id": 5}, 5),
        ({"jsonrpc": "2.0", "id": 6, "method": 1}, 6),
        ({"jsonrpc": "1.0", "id": "seven", "method": "shutdown"}, "seven"),
        ({"id": 8, "method": "shutdown"}, 8),
        ({"jsonrpc": "2.0", "id": True, "method": "shutdown"}, None),
        ({"jsonrpc": "2.0", "id": {}, "method": "shutdown"}, None),
    ],
)
def test_what_is_no_message_is_an_invalid_request(shared, message, message_id):
    shared.send_bytes(frame(json.dumps(message).encode()))

    assert shared.answer(message_id)["error"]["code"] == INVALID_REQUEST
    assert still_answers(shared)


def test_a_head_without_a_length_is_skipped(shared):
    shared.send_bytes(b"Content-Type: application/vscode-jsonrpc\r\n\r\n")

    assert shared.answer(None)["error"]["code"] == PARSE_ERROR
    assert still_answers(shared)


def test_heads_may_be_written_in_other_ways(spawn):
    client = spawn()
    body = json.dumps(
        {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {"capabilities": {}}}
    ).encode()

    client.send_bytes(
        b"content-type: application/vscode-jsonrpc; charset=utf-8\r\n"
        b"content-length:%d\r\n\r\n%s" % (len(body), body)
    )

    assert client.answer(1)["result"]["serverInfo"]["name"] == "mkls"


def test_an_unknown_method_is_refused_and_an_unknown_notification_ignored(shared):
    shared.notify("textDocument/didFlip", {"textDocument": {"uri": "file:///a.metal"}})
    shared.notify("$/didFlip", None)

    assert shared.error("textDocument/flip", {})["code"] == METHOD_NOT_FOUND
    assert shared.error("$/flip", {})["code"] == METHOD_NOT_FOUND


@pytest.mark.parametrize(
    "params",
    [
        None,
        [],
        "hover",
        {},
        {"textDocument": {"uri": "file:///a.metal"}},
        {"textDocument": {"uri": None}, "position": {"line": 0, "character": 0}},
        {"textDocument": {"uri": "file:///a.metal"}, "position": {"line": "0", "character": 0}},
        {"textDocument": {"uri": "file:///a.metal"}, "position": {"line": -1, "character": 0}},
        {"textDocument": {"uri": "file:///a.metal"}, "position": {"line": 0.5, "character": 0}},
    ],
)
def test_wrong_parameters_are_answered(shared, params):
    assert shared.error("textDocument/hover", params)["code"] == INVALID_PARAMS


def test_a_notification_with_wrong_parameters_is_dropped(shared):
    shared.notify("textDocument/didOpen", {"textDocument": {"uri": 5}})
    shared.notify("textDocument/didChange", {"textDocument": {}})
    shared.notify("$/cancelRequest", {"id": []})
    shared.notify("$/cancelRequest", None)

    assert still_answers(shared)


def test_an_answer_that_nobody_asked_for_is_dropped(shared):
    shared.send({"id": "unknown", "result": 5}, {"id": 99, "error": {"code": 1, "message": "no"}})

    assert still_answers(shared)


CONVERSATION = b"".join(
    frame(json.dumps({"jsonrpc": "2.0", **message}).encode())
    for message in (
        {"id": 1, "method": "initialize", "params": {"processId": None, "capabilities": {}}},
        {"id": 2, "method": "shutdown"},
        {"method": "exit"},
    )
)


def test_input_and_output_may_be_files(tmp_path):
    source, output = tmp_path / "input", tmp_path / "output"
    source.write_bytes(CONVERSATION)

    with source.open() as reading, output.open("w") as writing:
        done = subprocess.run(
            SERVE, cwd=REPOSITORY, stdin=reading, stdout=writing, timeout=DEADLINE, check=True
        )

    assert done.returncode == 0
    assert output.read_text().count("Content-Length") == 2


def test_a_client_may_leave_right_after_its_last_words():
    server = ServerProcess()
    server.input.write(CONVERSATION)
    server.input.close()

    assert server.wait(DEADLINE) == 0
    assert server.output.read().count(b"Content-Length") == 2
    server.output.close()
    assert server.errors
    server.errors.close()


def test_a_client_that_writes_before_it_reads_is_not_locked_out(spawn):
    # More than a pipe holds, in both directions: a server that waits for its client to read
    # would stop reading itself.
    client = spawn(paused=True)
    size = 1 << 17
    messages = [
        *({"id": n, "method": "mkls/unknown" + "x" * size} for n in range(2, 10)),
        {"method": "exit"},
    ]
    hello = {"id": 1, "method": "initialize", "params": {"processId": None, "capabilities": {}}}
    writing = threading.Thread(target=client.send, args=(hello, *messages), daemon=True)
    writing.start()
    writing.join(DEADLINE)
    assert not writing.is_alive()

    client.read()

    assert all(len(client.answer(n)["error"]["message"]) > size for n in range(2, 10))
    assert client.wait_for_end() == 1


NOISY = """
import gc, sys
from mkls.server.app import serve_stdio

gc.callbacks.append(lambda *_: print("noise"))
sys.exit(serve_stdio())
"""


def test_what_is_printed_does_not_reach_the_client(spawn):
    client = spawn(command=(sys.executable, "-c", NOISY))
    client.initialize()

    assert client.exit() == 0
    assert "noise" in client.log
