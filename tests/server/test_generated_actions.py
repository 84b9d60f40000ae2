"""What can be generated, as code actions: over the open text, with files to create."""

import pytest

from tests.server.test_code_actions import ANNOTATED, LITERALS, RESOLVING, VERSIONED, actions
from tests.server.workspaces import SIBLINGS, merged
from tests.support.legacy_tree import YAML, Legacy, legacy_files
from tests.support.lsp_client import replacement

CREATING = merged(
    ANNOTATED, RESOLVING, {"workspace": {"workspaceEdit": {"resourceOperations": ["create"]}}}
)
DISABLING = merged(CREATING, {"textDocument": {"codeAction": {"disabledSupport": True}}})
HYPOT = Legacy("hypot", 2)
MIGRATE = "Migrate `hypot` to its dispatch stub"


@pytest.fixture
def opened(start, write):
    """A client of some abilities with the rows of a workspace open."""

    def open_rows(capabilities, files):
        root = write(files)
        client = start(capabilities)
        client.initialize(root)
        uri = (root / YAML).as_uri()
        client.open(uri, files[YAML])
        # The workspace is complete when its findings are told.
        client.call("workspace/diagnostic", {"previousResultIds": []})
        return client, uri

    return open_rows


def line_of(files, text):
    return next(n for n, line in enumerate(files[YAML].splitlines()) if text in line)


def offered(client, uri, line, **context):
    return [it for it in actions(client, uri, line, 6, **context)
            if not it["kind"].startswith("source")]  # fmt: skip


def resolved(client, action):
    return client.call("codeAction/resolve", action)["edit"]


def test_a_migration_is_a_rewrite_that_is_worked_out_when_it_is_chosen(opened):
    files = legacy_files([HYPOT])
    client, uri = opened(CREATING, files)

    (action,) = offered(client, uri, line_of(files, "MPS: hypot"))

    assert (action["title"], action["kind"]) == (MIGRATE, "refactor.rewrite")
    assert "edit" not in action
    changes = resolved(client, action)["documentChanges"]
    names = [it["textDocument"]["uri"].rpartition("/")[2] for it in changes]
    assert names == [
        "native_functions.yaml", "BinaryKernel.metal", "BinaryKernel.mm", "Legacy.mm",
    ]  # fmt: skip
    assert [it["textDocument"]["version"] for it in changes] == [1, None, None, None]


def test_what_may_change_results_is_confirmed(opened):
    files = legacy_files([HYPOT])
    client, uri = opened(CREATING, files)

    (action,) = offered(client, uri, line_of(files, "MPS: hypot"))
    edit = resolved(client, action)

    annotations = edit["changeAnnotations"]
    assert [it["label"] for it in annotations.values()] == [
        "List MPS beside CPU and CUDA in `hypot.out`",
        "Delete `hypot_out_mps`, `run_graph` from Legacy.mm",
    ]
    assert all(it["needsConfirmation"] for it in annotations.values())
    used = {edit.get("annotationId") for it in edit["documentChanges"] for edit in it["edits"]}
    assert used == {None, *annotations}


def test_a_client_that_knows_no_annotations_gets_plain_edits(opened):
    files = legacy_files([HYPOT])
    client, uri = opened(VERSIONED, files)

    (action,) = offered(client, uri, line_of(files, "MPS: hypot"))

    assert "changeAnnotations" not in action["edit"]
    edits = [edit for it in action["edit"]["documentChanges"] for edit in it["edits"]]
    assert not any("annotationId" in it for it in edits)


def test_the_plan_is_of_the_text_that_is_open(opened):
    files = legacy_files([HYPOT])
    client, uri = opened(CREATING, files)
    client.change(uri, 2, replacement((0, 0), (0, 0), "# unsaved\n"))

    (action,) = offered(client, uri, line_of(files, "MPS: hypot") + 1)
    rows = resolved(client, action)["documentChanges"][0]

    assert rows["textDocument"] == {"uri": uri, "version": 2}
    lines = {it["range"]["start"]["line"] for it in rows["edits"]}
    assert lines == {line_of(files, "CPU, CUDA: hypot") + 1, line_of(files, "MPS: hypot") + 1}


def test_a_plan_for_an_older_text_is_refused(opened):
    files = legacy_files([HYPOT])
    client, uri = opened(CREATING, files)
    (action,) = offered(client, uri, line_of(files, "MPS: hypot"))

    client.change(uri, 2, replacement((0, 0), (0, 0), "#\n"))

    assert client.error("codeAction/resolve", action)["code"] == -32801


def test_files_are_created_where_the_client_can(opened):
    files = {YAML: legacy_files([HYPOT], has_mps=False)[YAML]}
    client, uri = opened(CREATING, files)

    (action,) = offered(client, uri, line_of(files, "CPU, CUDA"))
    first, second, *_ = resolved(client, action)["documentChanges"]

    assert first["kind"] == "create"
    assert first["uri"].endswith("/mps/operations/Hypot.mm")
    assert first["options"] == {"overwrite": False, "ignoreIfExists": False}
    assert second["textDocument"] == {"uri": first["uri"], "version": None}
    (text,) = [it["newText"] for it in second["edits"]]
    assert "TORCH_IMPL_FUNC(hypot_out_mps)" in text
    assert "left to do" in action["title"]


def test_nothing_is_offered_that_needs_files_of_a_client_that_cannot_create_them(opened):
    files = {YAML: legacy_files([HYPOT], has_mps=False)[YAML]}
    client, uri = opened(LITERALS, files)

    assert offered(client, uri, line_of(files, "CPU, CUDA")) == []


def test_a_refusal_is_shown_where_the_client_can(opened):
    files = legacy_files([HYPOT])
    files[YAML] = files[YAML].replace("CPU, CUDA: hypot_out", "CPU: hypot_out\n    CUDA: other")
    client, uri = opened(DISABLING, files)

    (action,) = offered(client, uri, line_of(files, "MPS: hypot"))

    assert "CPU runs `hypot_out` and CUDA `other`" in action["disabled"]["reason"]
    assert "data" not in action


def test_a_gap_is_mended_by_a_quick_fix_that_writes_the_function_too(opened):
    client, uri = opened(CREATING, {YAML: SIBLINGS})
    found = [it for it in offered(client, uri, 0) if it["title"].startswith("Add MPS to")]

    assert [it["kind"] for it in found] == ["quickfix"]
    assert [it["code"] for it in found[0]["diagnostics"]] == ["missing-sibling-dispatch"]


def test_the_client_chooses_kinds(opened):
    files = legacy_files([HYPOT])
    client, uri = opened(CREATING, files)
    line = line_of(files, "MPS: hypot")

    def kinds(*only):
        return [it["kind"] for it in offered(client, uri, line, only=only)]

    assert kinds("refactor") == kinds("refactor.rewrite") == ["refactor.rewrite"]
    assert kinds("quickfix") == kinds("refactor.extract") == []


def test_a_row_that_stands_alone_is_implemented(opened):
    files = legacy_files([HYPOT])
    files[YAML] += "\n- func: ripple(Tensor self) -> Tensor\n"
    client, uri = opened(CREATING, files)

    (action,) = offered(client, uri, line_of(files, "ripple"))
    changes = resolved(client, action)["documentChanges"]

    assert action["title"].startswith("Implement operator `ripple` for MPS")
    created = [it["uri"].rpartition("/")[2] for it in changes if it.get("kind") == "create"]
    assert created == ["Ripple.h", "Ripple.cpp", "test_mps_ripple.py"]
