"""What users may set about running kernels, and what is missing on their machine."""

import sys

import pytest

from tests.server.kernels import HOPELESS, RUN, THRICE, ShaderEditor, command, ran
from tests.server.workspaces import PULLING, VERSIONED
from tests.support.lsp_client import replacement

REFUSED = -32803


@pytest.fixture
def open_editor(start, tmp_path):
    """Open the shader with settings of the editor and a configuration of the workspace."""

    def open_one(settings=None, configuration="", text=THRICE, capabilities=None):
        (tmp_path / "mkls.toml").write_text(configuration)
        client = start({"workspace": {"configuration": True}, **(capabilities or {})})
        client.settings = {"run": settings or {}}
        return ShaderEditor(client, tmp_path, text)

    return open_one


def refusal(editor):
    error = editor.client.error(RUN, editor.command())
    assert error["code"] == REFUSED
    return error["message"]


@pytest.mark.parametrize(
    ("settings", "configuration"),
    [
        ({"enabled": False}, ""),
        ({"enabled": True}, "run.enabled = false"),
        ({}, "run.enabled=false"),
    ],
)
def test_where_it_is_switched_off_nothing_runs_and_nothing_offers_to(
    open_editor, settings, configuration
):
    editor = open_editor(settings, configuration)

    assert "switched off by the setting `mkls.run.enabled`" in refusal(editor)
    assert editor.lenses() == []
    operator = editor.client.error(RUN, command("runOperator", {"operator": "twice"}))
    assert operator["code"] == REFUSED


def test_an_interpreter_that_is_not_there_costs_one_message(open_editor):
    editor = open_editor({"python": "/no/such/python"})

    assert refusal(editor) == "cannot start `/no/such/python`: No such file or directory"
    assert editor.lenses()[0] == (8, "▶ Run")


def test_an_interpreter_without_torch_costs_one_message(open_editor, tmp_path):
    bare = tmp_path / "python"
    bare.write_text(f'#!/bin/sh\nexec "{sys.executable}" -S "$@"\n')
    bare.chmod(0o755)

    message = refusal(open_editor({"python": str(bare)}))

    assert "torch" in message


def test_a_command_starts_the_worker_elsewhere(open_editor):
    editor = open_editor({"command": ["sh", "-c"], "python": sys.executable})

    assert editor.run()["runs"][0]["outcome"] == "mismatched"
    assert "expected 2, got 3" in editor.ran()[0]["message"]


def test_a_worker_that_ends_at_once_costs_one_message(open_editor):
    editor = open_editor({"command": [sys.executable, "-c", "raise SystemExit('no such host')"]})

    assert refusal(editor) == "the worker ended with status 1: no such host"


def test_a_workspace_may_not_name_the_program_that_is_started(open_editor, tmp_path):
    witness = tmp_path / "witness"
    configuration = f'[run]\npython = "/no/such/python"\ncommand = ["touch", "{witness}"]\n'
    editor = open_editor({"command": []}, configuration)

    assert editor.run()["runs"][0]["outcome"] == "mismatched"
    assert not witness.exists()
    complaint = editor.client.told("window/showMessage")["message"]
    assert "which a workspace may not; set them in the editor" in complaint


def test_the_workspace_sets_what_the_editor_does_not(open_editor):
    editor = open_editor({"backend": "emulator"}, "run.timeout = 0.3\n", HOPELESS)

    (only,) = editor.run()["runs"]

    assert only["outcome"] == "timed-out"
    assert editor.ran()[0]["range"]["start"]["line"] == 10


def test_clients_that_ask_for_diagnostics_get_those_of_runs_too(open_editor):
    editor = open_editor(capabilities={**PULLING})
    about = {"textDocument": {"uri": editor.uri}}
    before = editor.client.call("textDocument/diagnostic", about)
    assert ran(before["items"]) == []

    editor.run()

    editor.client.wait(lambda it: it.get("method") == "workspace/diagnostic/refresh")
    previous = {**about, "previousResultId": before["resultId"]}
    (found,) = ran(editor.client.call("textDocument/diagnostic", previous)["items"])
    assert found["code"] == "mismatched"


def test_what_is_typed_while_a_kernel_runs_moves_or_drops_its_result(open_editor):
    editor = open_editor({"timeout": 1}, text=HOPELESS, capabilities=VERSIONED)

    def run_and_type(change):
        request = editor.client.request(RUN, {**editor.command(), "workDoneToken": editor.version})
        editor.client.told("$/progress", lambda it: "running" in it["value"].get("message", ""))
        editor.edit(change)
        assert editor.client.answer(request)["result"]["runs"][0]["outcome"] == "timed-out"

    run_and_type(replacement((0, 0), (0, 0), "// above\n"))
    (moved,) = editor.ran()
    assert moved["range"]["start"]["line"] == 11
    run_and_type(replacement((11, 2), (11, 2), " "))

    assert ran(editor.edit(replacement((0, 0), (0, 0), "\n"))) == []
    assert editor.lenses()[0] == (10, "▶ Run")
