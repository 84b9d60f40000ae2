"""What the Metal compiler says about open documents, a while after the last edit."""

import asyncio
import os
import sys

import pytest

from mkls.runner.request import RunRequest
from mkls.server import compiling
from tests.server.kernels import BROKEN, RICH, TWICE, ShaderEditor
from tests.support.lsp_client import LspClient, replacement

PUBLISHED = "textDocument/publishDiagnostics"
HEADER = "inline float doubled(float x) { return x * 2; }\n"


@pytest.fixture(autouse=True)
def quiet(monkeypatch) -> None:
    """Instead of the others' quiet hour."""
    monkeypatch.setattr(compiling, "QUIET_SECONDS", 0.01)


def codes(params) -> list[str]:
    return [it.get("code", "") for it in params["diagnostics"]]


def judged(client: LspClient, uri: str) -> list[dict]:
    """Wait for what the compiler says about `uri`."""
    return client.diagnostics(uri, lambda it: any(c.startswith("msl-") for c in codes(it)))


def test_an_error_is_shown_on_its_token_and_goes_with_its_cause(start, tmp_path):
    editor = ShaderEditor(start(RICH), tmp_path, BROKEN)

    (found,) = judged(editor.client, editor.uri)

    assert found["code"] == "msl-error"
    assert found["source"] == "mkls"
    assert "use of undeclared identifier 'dubled'" in found["message"]
    line = BROKEN.split("\n").index("  out[tid] = dubled(input[tid]);")
    assert found["range"]["start"] == {"line": line, "character": 13}
    assert found["range"]["end"] == {"line": line, "character": 19}

    editor.client.change(editor.uri, 2, {"text": TWICE})
    editor.client.diagnostics(editor.uri, lambda it: it["version"] == 2 and not it["diagnostics"])


def test_an_error_moves_with_its_line_until_the_compiler_has_looked_again(
    start, tmp_path, monkeypatch
):
    editor = ShaderEditor(start(RICH), tmp_path, BROKEN)
    (found,) = judged(editor.client, editor.uri)
    line = found["range"]["start"]["line"]
    monkeypatch.setattr(compiling, "QUIET_SECONDS", 3600)

    editor.client.change(editor.uri, 2, replacement((0, 0), (0, 0), "// one more\n"))

    (moved,) = editor.client.diagnostics(editor.uri, lambda it: it["version"] == 2)
    assert moved["range"]["start"]["line"] == line + 1
    # An edit of the token itself is the end of what was said about it.
    place = (line + 1, 13), (line + 1, 14)
    editor.client.change(editor.uri, 3, replacement(*place, "D"))
    editor.client.diagnostics(editor.uri, lambda it: it["version"] == 3 and not it["diagnostics"])


def test_an_error_in_an_unsaved_header_is_shown_there(start, tmp_path):
    header = tmp_path / "kernels" / "doubled.h"
    header.parent.mkdir()
    header.write_text(HEADER)
    text = TWICE.replace(HEADER, '#include "doubled.h"\n')
    editor = ShaderEditor(start(RICH), tmp_path, text)
    client, uri = editor.client, header.as_uri()

    client.open(uri, HEADER.replace("x * 2", "y * 2"), "cpp")

    (found,) = judged(client, uri)
    assert "use of undeclared identifier 'y'" in found["message"]
    (near,) = found["relatedInformation"]
    assert near["message"] == "included here"
    assert near["location"]["uri"] == editor.uri


def test_nothing_is_said_of_a_closed_document(start, tmp_path):
    editor = ShaderEditor(start(RICH), tmp_path, BROKEN)
    judged(editor.client, editor.uri)

    editor.client.close_document(editor.uri)

    editor.client.diagnostics(editor.uri, lambda it: not it["diagnostics"])


def test_the_compiler_can_be_switched_off_while_the_server_runs(start, tmp_path):
    editor = ShaderEditor(start(RICH), tmp_path, BROKEN)
    judged(editor.client, editor.uri)

    editor.client.notify("workspace/didChangeConfiguration", {"settings": {"mkls": {"msl": "off"}}})

    editor.client.diagnostics(editor.uri, lambda it: not it["diagnostics"])


def test_a_client_that_pulls_is_told_to_ask_again(start, tmp_path):
    capabilities = {
        "textDocument": {"diagnostic": {}},
        "workspace": {"diagnostics": {"refreshSupport": True}},
    }
    editor = ShaderEditor(start(capabilities), tmp_path, BROKEN)
    about = {"textDocument": {"uri": editor.uri}}
    editor.client.call("textDocument/diagnostic", about)

    editor.client.wait(lambda it: it.get("method") == "workspace/diagnostic/refresh")

    report = editor.client.call("textDocument/diagnostic", about)
    assert [it["code"] for it in report["items"]] == ["msl-error"]


SLEEPER = """\
import os, pathlib, sys, time
pathlib.Path({started!r}).write_text(f"{{os.getpid()}} ")
time.sleep(600)
"""


def test_what_is_given_up_ends_its_process(tmp_path):
    started, script = tmp_path / "started", tmp_path / "examiner.py"
    script.write_text(SLEEPER.format(started=str(started)))
    request = RunRequest("/a.metal", "")

    async def give_up() -> int:
        asking = compiling.examined_in_process(sys.executable, request, script)
        task = asyncio.ensure_future(asking)
        while not (started.exists() and started.read_text().endswith(" ")):
            await asyncio.sleep(0)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        return int(started.read_text())

    pid = asyncio.run(give_up())

    while is_running(pid):  # the end of a killed process takes its time
        pass


def is_running(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True
