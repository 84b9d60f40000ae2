"""A fault of mkls is told, and the server goes on."""

import sys

from tests.server.workspaces import BROKEN_HOST, CROSS, HOST, METAL, OTHERS, codes
from tests.support.lsp_client import replacement

FAILING = """
import sys
from mkls.server import requests
from mkls.facts import extract, metal

def fail(*_):
    raise KeyError("oops")

requests.hover = fail
read = extract._READERS
from mkls.text.document import Language

def fail_on(text, read=read[Language.METAL].read):
    return fail() if "FAIL" in text else read(text)

extract._READERS = {**read, Language.METAL: read[Language.METAL]._replace(read=fail_on)}
from mkls.server.app import serve_stdio

sys.exit(serve_stdio())
"""


def hover(client, uri):
    position = {"line": 0, "character": 0}
    return client.error("textDocument/hover", {"textDocument": {"uri": uri}, "position": position})


def test_an_exception_in_a_request_is_answered_told_once_and_logged(spawn, write):
    root = write(CROSS)
    metal = (root / METAL).as_uri()
    client = spawn(command=(sys.executable, "-c", FAILING))
    client.initialize(root)
    client.open(metal, CROSS[METAL])

    first, second = (hover(client, metal) for _ in range(2))

    assert first == second
    assert first["code"] == -32603
    assert first["message"] == "`textDocument/hover` failed: KeyError: 'oops'"
    assert "`textDocument/hover` failed" in client.told("window/showMessage")["message"]
    assert "`textDocument/hover` failed" in client.told("window/logMessage")["message"]
    assert client.exit() == 0
    assert client.log.count("Traceback") == 1
    assert client.log.count("textDocument/hover failed: KeyError: 'oops'") == 2
    assert not [it for it in client.received if it.get("method") == "window/showMessage"]


def test_a_text_that_cannot_be_read_does_not_take_others_along(spawn, write):
    root = write({**OTHERS, METAL: "// FAIL\n", HOST: BROKEN_HOST})
    metal, host = ((root / name).as_uri() for name in (METAL, HOST))
    client = spawn(command=(sys.executable, "-c", FAILING))
    client.initialize(root)
    client.open(metal, "// FAIL\n")
    client.told("window/showMessage")

    client.change(metal, 2, replacement((0, 0), (1, 0), CROSS[METAL]))

    assert codes(client.diagnostics(host)) == ["unresolved-kernel-name"]
    assert client.exit() == 0


FAULTY = """
import sys
from mkls import rules
from mkls.rules import RULES, duplicate_host_name

def fail(snapshot, source):
    raise ZeroDivisionError("oops")
    yield

import msgspec

faulty = msgspec.structs.replace(duplicate_host_name.RULE, check=fail)
rules.RULES = tuple(faulty if rule.code == faulty.code else rule for rule in RULES)
from mkls.server.app import serve_stdio

sys.exit(serve_stdio())
"""


def test_a_rule_that_raises_does_not_silence_the_others(spawn, write):
    root = write({**CROSS, HOST: BROKEN_HOST})
    client = spawn(command=(sys.executable, "-c", FAULTY))
    client.initialize(root)

    assert "`rule duplicate-host-name` failed" in client.told("window/showMessage")["message"]
    assert codes(client.diagnostics((root / HOST).as_uri())) == ["unresolved-kernel-name"]
    assert client.exit() == 0


def test_an_unknown_command_is_refused(start):
    client = start()
    client.initialize()

    error = client.error("workspace/executeCommand", {"command": "mkls.dance"})

    assert error["code"] == -32602
    assert "mkls.dance" in error["message"]
