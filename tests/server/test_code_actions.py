"""Fixes as code actions, for clients of any age."""

import pytest

from tests.server.workspaces import SIBLINGS, TWICE, YAML, merged
from tests.support.lsp_client import replacement

LITERALS = {
    "textDocument": {
        "codeAction": {"codeActionLiteralSupport": {"codeActionKind": {"valueSet": []}}}
    }
}
RESOLVING = merged(
    LITERALS,
    {
        "textDocument": {
            "codeAction": {"dataSupport": True, "resolveSupport": {"properties": ["edit"]}}
        }
    },
)
VERSIONED = merged(LITERALS, {"workspace": {"workspaceEdit": {"documentChanges": True}}})
ANNOTATED = merged(
    VERSIONED,
    {"workspace": {"workspaceEdit": {"changeAnnotationSupport": {"groupsOnLabel": True}}}},
)
FIX = {
    "range": {"start": {"line": 1, "character": 23}, "end": {"line": 1, "character": 33}},
    "newText": "twice.out",
}


@pytest.fixture
def opened(start, write):
    """A client of some abilities with an open document."""

    def open_text(capabilities, text=TWICE):
        root = write({YAML: text})
        client = start(capabilities)
        client.initialize(root)
        client.open((root / YAML).as_uri(), text)
        return client, (root / YAML).as_uri()

    return open_text


def actions(client, uri, line, column=25, diagnostics=(), **context):
    place = {"line": line, "character": column}
    params = {
        "textDocument": {"uri": uri},
        "range": {"start": place, "end": place},
        "context": {"diagnostics": list(diagnostics), **context},
    }
    return client.call("textDocument/codeAction", params)


def titles(found):
    return [(it["title"], it["kind"]) for it in found]


def test_a_fix_is_a_quick_fix(opened):
    client, uri = opened(LITERALS)

    fix, _ = actions(client, uri, 1)

    assert fix["title"] == "Change to `twice.out`"
    assert fix["kind"] == "quickfix"
    assert fix["isPreferred"] is True
    assert fix["edit"] == {"changes": {uri: [FIX]}}
    assert [it["code"] for it in fix["diagnostics"]] == ["unknown-structured-delegate"]


def test_where_there_is_no_mistake_only_all_fixes_are_offered(opened):
    client, uri = opened(LITERALS)

    assert titles(actions(client, uri, 3)) == [("Apply all 2 safe fixes", "source.fixAll.mkls")]


def test_the_diagnostics_that_the_client_means_are_fixed_wherever_the_cursor_is(opened):
    client, uri = opened(LITERALS)
    meant = {"range": FIX["range"], "code": "unknown-structured-delegate", "message": "…"}

    found = actions(client, uri, 1, column=0, diagnostics=[meant], only=["quickfix"])

    assert titles(found) == [("Change to `twice.out`", "quickfix")]


def test_the_client_chooses_kinds(opened):
    client, uri = opened(LITERALS)

    def kinds(*only):
        return [it["kind"] for it in actions(client, uri, 1, only=only)]

    assert kinds("quickfix") == ["quickfix"]
    for everything in ("source", "source.fixAll", "source.fixAll.mkls"):
        assert kinds(everything) == ["source.fixAll.mkls"]
    assert kinds("") == ["quickfix", "source.fixAll.mkls"]
    assert kinds("source.fixAll.eslint") == kinds("refactor", "quick") == kinds() == []


def test_all_safe_fixes_at_once(opened):
    client, uri = opened(VERSIONED)

    (everything,) = actions(client, uri, 0, only=["source.fixAll"])

    (change,) = everything["edit"]["documentChanges"]
    assert change["textDocument"] == {"uri": uri, "version": 1}
    assert [it["newText"] for it in change["edits"]] == ["twice.out", "thrice.out"]


def test_an_edit_is_worked_out_when_it_is_chosen(opened):
    client, uri = opened(RESOLVING)
    offered = actions(client, uri, 1)
    assert all("edit" not in it for it in offered)

    fix, everything = (client.call("codeAction/resolve", it) for it in offered)

    assert fix["edit"] == {"changes": {uri: [FIX]}}
    assert len(everything["edit"]["changes"][uri]) == 2


def test_an_action_for_an_older_text_is_not_worked_out(opened):
    client, uri = opened(RESOLVING)
    fix, _ = actions(client, uri, 1)

    client.change(uri, 2, replacement((0, 0), (0, 0), "#\n"))

    assert client.error("codeAction/resolve", fix)["code"] == -32801
    assert client.error("codeAction/resolve", {"title": "?", "data": 5})["code"] == -32602


def test_an_unsafe_fix_is_not_preferred_and_asks_before_it_is_applied(opened):
    client, uri = opened(ANNOTATED, SIBLINGS)

    first = actions(client, uri, 0, column=10)[0]

    assert "isPreferred" not in first
    (change,) = first["edit"]["documentChanges"]
    annotations = first["edit"]["changeAnnotations"]
    assert {it["annotationId"] for it in change["edits"]} == annotations.keys()
    assert [it["needsConfirmation"] for it in annotations.values()] == [True]


def test_unsafe_fixes_are_no_part_of_fixing_all(opened):
    client, uri = opened(LITERALS, SIBLINGS)

    assert actions(client, uri, 0, only=["source.fixAll"]) == []


def test_a_client_that_knows_only_commands_gets_no_actions(start):
    assert "codeActionProvider" not in start().initialize()
