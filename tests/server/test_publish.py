"""Diagnostics for clients that are told."""

from tests.server.workspaces import BROKEN_HOST, CROSS, HOST, METAL, VERSIONED, codes, merged
from tests.support.lsp_client import replacement

UNRESOLVED = ["unresolved-kernel-name"]


def test_a_workspace_is_checked_without_a_file_being_open(start, write):
    root = write({**CROSS, HOST: BROKEN_HOST})
    client = start()
    client.initialize(root)

    (found,) = client.diagnostics((root / HOST).as_uri())

    assert found["code"] == "unresolved-kernel-name"
    assert found["source"] == "mkls"
    assert found["severity"] == 1
    assert found["range"] == {
        "start": {"line": 1, "character": 42},
        "end": {"line": 1, "character": 52},
    }


def test_an_edit_of_one_file_changes_what_is_said_about_another(start, write):
    root = write(CROSS)
    metal, host = ((root / name).as_uri() for name in (METAL, HOST))
    client = start(VERSIONED)
    client.initialize(root)
    client.open(metal, CROSS[METAL])
    assert client.diagnostics(metal) == []

    client.change(metal, 2, replacement((0, 12), (0, 17), "cros"))

    assert codes(client.diagnostics(host)) == UNRESOLVED
    client.change(metal, 3, replacement((0, 12), (0, 16), "cross"))
    assert client.diagnostics(host) == []


def test_a_clean_workspace_is_not_worth_a_message(start, write):
    root = write(CROSS)
    client = start(VERSIONED)
    client.initialize(root)
    client.open((root / METAL).as_uri(), CROSS[METAL])
    client.diagnostics((root / METAL).as_uri())

    client.exit()

    published = [it["params"]["uri"] for it in client.received if "publish" in it.get("method", "")]
    assert published == []


def test_a_burst_of_edits_costs_one_run(start, write):
    root = write(CROSS)
    host = (root / HOST).as_uri()
    client = start(VERSIONED)
    client.initialize(root)
    client.open(host, CROSS[HOST])
    client.diagnostics(host, lambda it: it["version"] == 1)

    document = {"textDocument": {"uri": host}}
    client.send(
        *(
            {
                "method": "textDocument/didChange",
                "params": {
                    "textDocument": {"uri": host, "version": version},
                    "contentChanges": [replacement((0, 0), (0, 0), "//\n")],
                },
            }
            for version in range(2, 52)
        ),
        {"id": "last", "method": "textDocument/hover", "params": {**document, "position": _START}},
    )

    client.diagnostics(host, lambda it: it["version"] == 51)
    versions = [it["params"].get("version") for it in client.received if "params" in it]
    assert versions == []


_START = {"line": 0, "character": 0}


def test_versions_are_left_out_for_clients_that_do_not_know_them(start, write):
    root = write({**CROSS, HOST: BROKEN_HOST})
    client = start()
    client.initialize(root)
    client.open((root / HOST).as_uri(), BROKEN_HOST)

    assert "version" not in client.told("textDocument/publishDiagnostics")


def test_closing_a_document_takes_back_what_only_the_editor_held(start, write):
    root = write(CROSS)
    host = (root / HOST).as_uri()
    client = start()
    client.initialize(root)
    client.open(host, BROKEN_HOST)
    assert codes(client.diagnostics(host)) == UNRESOLVED

    client.close_document(host)

    assert client.diagnostics(host) == []


def test_closing_a_document_that_was_never_saved_clears_it(start, write):
    root = write({METAL: CROSS[METAL]})
    host = (root / HOST).as_uri()
    client = start()
    client.initialize(root)
    client.open(host, BROKEN_HOST)
    assert codes(client.diagnostics(host)) == UNRESOLVED

    client.close_document(host)

    assert client.diagnostics(host) == []


def test_closing_a_document_reads_what_was_saved_meanwhile(start, write):
    root = write(CROSS)
    host = (root / HOST).as_uri()
    client = start()
    client.initialize(root)
    client.open(host, CROSS[HOST])
    assert client.diagnostics(host) == []
    write({HOST: BROKEN_HOST})

    client.close_document(host)

    assert codes(client.diagnostics(host)) == UNRESOLVED


def test_more_findings_than_editors_like_are_cut_off_with_a_note(start, write):
    lookups = '  lib.getPipelineStateForFunc("cros_float");\n' * 1003
    root = write({METAL: CROSS[METAL], HOST: f"void cross() {{\n{lookups}}}\n"})
    client = start()
    client.initialize(root)

    found = client.diagnostics((root / HOST).as_uri())

    assert len(found) == 1001
    assert found[-1]["message"].startswith("3 more findings are not shown")
    assert found[-1]["severity"] == 3


def test_what_the_client_can_show_is_sent(start, write):
    yaml = "aten/src/ATen/native/native_functions.yaml"
    root = write({yaml: "- func: a(Tensor self) -> Tensor\n\n- func: a(Tensor self) -> Tensor\n"})
    rich = {
        "textDocument": {
            "publishDiagnostics": {
                "relatedInformation": True,
                "codeDescriptionSupport": True,
                "dataSupport": True,
            }
        }
    }
    client = start(merged(VERSIONED, rich))
    client.initialize(root)

    (found,) = client.diagnostics((root / yaml).as_uri())

    assert found["code"] == "duplicate-operator"
    assert "duplicate-operator" in found["codeDescription"]["href"]
    (related,) = found["relatedInformation"]
    assert related["location"]["range"]["start"] == {"line": 0, "character": 8}


def test_what_the_client_cannot_show_is_left_out(start, write):
    yaml = "aten/src/ATen/native/native_functions.yaml"
    root = write({yaml: "- func: a(Tensor self) -> Tensor\n\n- func: a(Tensor self) -> Tensor\n"})
    client = start()
    client.initialize(root)

    (found,) = client.diagnostics((root / yaml).as_uri())

    assert found.keys() == {"range", "message", "severity", "code", "source"}
