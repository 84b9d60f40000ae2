"""Running kernels from the editor: the emulator, over the wire."""

from collections.abc import Iterator

import pytest

from tests.server.kernels import (
    BROKEN,
    HEADER,
    HOPELESS,
    INCLUDING,
    RICH,
    RUN,
    THRICE,
    TWICE,
    ShaderEditor,
    command,
    ran,
)
from tests.support.lsp_client import LspClient, replacement
from tests.support.lsp_server import ServerThread

REFUSED, CANCELLED, INVALID_PARAMS = -32803, -32800, -32602


@pytest.fixture(scope="module")
def shared_editor(tmp_path_factory) -> Iterator[ShaderEditor]:
    """One server for the tests of this module: its workers are warm."""
    client = LspClient(ServerThread(), RICH)
    yield ShaderEditor(client, tmp_path_factory.mktemp("with spaces"))
    client.stop()


@pytest.fixture
def editor(shared_editor) -> ShaderEditor:
    """An editor with the correct kernel, and nothing run."""
    shared_editor.write("\n")
    shared_editor.write(TWICE)
    return shared_editor


def test_the_report_is_the_commands_result(editor):
    report = editor.run()

    assert report["backend"] == "emulator"
    (only,) = report["runs"]
    assert (only["kernel"], only["outcome"]) == ("twice", "passed")
    assert editor.lenses() == [(8, "✓ 1 case"), (13, "▶ Run")]


def test_a_mismatch_of_the_unsaved_text_is_shown_until_the_kernel_is_edited(editor):
    editor.write(THRICE)

    assert editor.run()["runs"][0]["outcome"] == "mismatched"

    (found,) = editor.ran()
    assert found["code"] == "mismatched"
    assert "7 of 8 differ; first at [1]: expected 2, got 3" in found["message"]
    assert found["range"]["start"]["line"] == 8
    assert editor.lenses()[0] == (8, "✗ as directed: 7 of 8 differ")

    (moved,) = ran(editor.edit(replacement((0, 0), (0, 0), "// above\n")))
    assert moved["range"]["start"]["line"] == 9
    (still,) = ran(editor.edit(replacement((15, 13), (15, 14), "4")))
    assert still["range"] == moved["range"]
    assert ran(editor.edit(replacement((4, 42), (4, 43), "2"))) == []
    assert editor.lenses()[0] == (9, "▶ Run")


def test_running_again_replaces_what_was_shown(editor):
    editor.write(THRICE)
    editor.run()
    assert editor.ran()

    editor.run("thrice")
    assert [title for _, title in editor.lenses()] == ["✗ as directed: 7 of 8 differ", "✓ ran"]
    editor.run(["twice", "thrice"], case="nothing is called so")

    assert [title for _, title in editor.lenses()] == ["▶ Run", "▶ Run"]


def test_a_compile_error_is_on_its_token_with_its_notes(editor):
    editor.write(BROKEN)

    assert editor.run()["runs"][0]["outcome"] == "compile-error"

    (found,) = editor.ran()
    assert found["code"] == "compile-error"
    assert "dubled" in found["message"]
    assert found["range"]["start"] == {"line": 10, "character": 13}
    assert found["range"]["end"] == {"line": 10, "character": 19}
    (note,) = found["relatedInformation"]
    assert note["location"]["range"]["start"]["line"] == 3
    assert editor.lenses()[0][1] == "✗ does not compile"


def test_the_editors_text_of_an_open_header_counts(editor):
    header = editor.uri.replace("Twice.metal", "doubled.h")
    editor.client.open(header, HEADER.replace("x * 2", "x * 4"), "metal")
    editor.write(INCLUDING)

    report = editor.run()
    editor.client.close_document(header)

    assert "expected 2, got 4" in report["runs"][0]["message"]


@pytest.mark.parametrize("by", ["request", "progress"])
def test_a_run_can_be_cancelled_while_a_kernel_goes_on_forever(editor, by):
    editor.write(HOPELESS)
    request = editor.client.request(RUN, {**editor.command(), "workDoneToken": f"mine {by}"})
    editor.client.told("$/progress", lambda it: "running" in it["value"].get("message", ""))
    assert editor.lenses()[0][1] == "◌ Running…"

    if by == "request":
        editor.client.notify("$/cancelRequest", {"id": request})
    else:
        editor.client.notify("window/workDoneProgress/cancel", {"token": f"mine {by}"})

    assert editor.client.answer(request)["error"]["code"] == CANCELLED
    progress = [it["params"] for it in editor.client.received if it.get("method") == "$/progress"]
    assert {"token": f"mine {by}", "value": {"kind": "end"}} in progress
    assert editor.lenses()[0][1] == "▶ Run"


def test_hovers_are_answered_while_a_kernel_runs(editor):
    editor.write(HOPELESS)
    request = editor.client.request(RUN, {**editor.command(), "workDoneToken": "busy"})
    editor.client.told("$/progress", lambda it: "running" in it["value"].get("message", ""))

    position = {"line": 13, "character": 14}
    document = {"textDocument": {"uri": editor.uri}, "position": position}
    editor.client.call("textDocument/hover", document)
    answered = [it.get("id") for it in editor.client.received]

    assert request not in answered
    editor.client.notify("$/cancelRequest", {"id": request})
    assert "error" in editor.client.answer(request)


def test_the_client_is_told_to_fetch_its_lenses_again(editor):
    editor.client.received.clear()

    editor.run()

    refreshes = [it for it in editor.client.received if it.get("method", "").endswith("/refresh")]
    assert {it["method"] for it in refreshes} == {"workspace/codeLens/refresh"}


def test_workers_can_be_restarted(editor):
    editor.run()

    assert editor.client.call(RUN, command("restartWorker")) is None

    assert editor.run()["runs"][0]["outcome"] == "passed"


def test_an_unknown_kernel_is_refused_with_the_nearest_name(editor):
    error = editor.client.error(RUN, editor.command("twic"))

    assert error["code"] == REFUSED
    assert error["message"] == "the source makes no kernel `twic`; did you mean `twice`, `thrice`?"


@pytest.mark.parametrize(
    ("name", "argument"),
    [
        ("runKernel", None),
        ("runKernel", {"uri": 5}),
        ("runOperator", {}),
        ("showExpansion", {"uri": "file:///x"}),
        ("noSuchThing", {}),
    ],
)
def test_wrong_arguments_are_refused(editor, name, argument):
    assert editor.client.error(RUN, command(name, argument))["code"] == INVALID_PARAMS


def test_what_is_no_metal_source_is_not_run(editor):
    error = editor.client.error(RUN, command("runKernel", {"uri": "file:///nowhere.txt"}))

    assert error["code"] == REFUSED
    assert "no Metal source" in error["message"]


def test_an_operator_nobody_registers_is_refused(editor):
    error = editor.client.error(RUN, command("runOperator", {"operator": "logit"}))

    assert error["message"] == "no Metal source here registers a kernel for `logit`"


def test_a_directive_that_means_nothing_is_shown_before_anything_runs(editor):
    (found,) = ran(
        editor.edit({"text": TWICE.replace("mkls-expect: out ==", "mkls-expect: out ===")})
    )

    assert found["code"] == "run-directive"
    assert found["severity"] == 2
    assert found["range"]["start"]["line"] == 7
