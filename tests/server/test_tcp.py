"""One client over a local socket."""

import json
import re
import socket
import subprocess
import sys

from tests.support.lsp_client import DEADLINE, frame
from tests.support.lsp_server import REPOSITORY


def test_a_conversation_over_tcp():
    server = subprocess.Popen(
        [sys.executable, "-m", "mkls", "serve", "--tcp", "0"],
        cwd=REPOSITORY,
        stderr=subprocess.PIPE,
        text=True,
    )
    with server:
        assert server.stderr
        listening = re.search(r"listening on 127\.0\.0\.1:(\d+)", server.stderr.readline())
        assert listening
        messages = (
            {"id": 1, "method": "initialize", "params": {"processId": None, "capabilities": {}}},
            {"id": 2, "method": "shutdown"},
            {"method": "exit"},
        )
        with socket.create_connection(("127.0.0.1", int(listening[1])), DEADLINE) as client:
            for message in messages:
                client.sendall(frame(json.dumps({"jsonrpc": "2.0", **message}).encode()))
            received = b"".join(iter(lambda: client.recv(1 << 16), b""))
        assert server.wait(DEADLINE) == 0

    assert b'"name": "mkls"' in received
    assert b'"result": null' in received
