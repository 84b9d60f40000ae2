"""The check of messages finds what is wrong with them."""

import pytest

from tests.support.lsp_client import at
from tests.support.lsp_schema import faults_of_params, faults_of_progress, faults_of_result

RANGE = {"start": at(0, 0), "end": at(0, 1)}
LINK = {"targetUri": "file:///x", "targetRange": RANGE, "targetSelectionRange": RANGE}


@pytest.mark.parametrize(
    ("result", "fault"),
    [
        ([{"uri": "file:///x", "range": RANGE, "more": 1}], "has no property 'more'"),
        ([{"uri": "file:///x"}], "lacks 'range'"),
        ([{"uri": 5, "range": RANGE}], "expected str, got 5"),
        ([{**LINK, "originSelectionRange": None}], "null, where it may only be left out"),
        ({"uri": "file:///x", "range": {"start": at(0, 0)}}, "lacks 'end'"),
    ],
)
def test_a_result_that_is_wrong(result, fault):
    assert any(fault in it for it in faults_of_result("textDocument/definition", result))


def test_results_that_are_right():
    assert faults_of_result("textDocument/definition", None) == []
    assert faults_of_result("textDocument/definition", [LINK]) == []
    assert faults_of_result("textDocument/definition", {"uri": "x", "range": RANGE}) == []


def test_kinds_outside_of_an_enumeration():
    symbol = {"name": "x", "kind": 99, "range": RANGE, "selectionRange": RANGE}

    assert faults_of_result("textDocument/documentSymbol", [symbol])
    assert not faults_of_result("textDocument/documentSymbol", [{**symbol, "kind": 5}])


def test_parameters_and_progress():
    assert faults_of_params("textDocument/hover", {"textDocument": {"uri": "x"}})
    assert faults_of_params("shutdown", {"x": 1})
    assert faults_of_progress({"kind": "begins", "title": "x"}, None)
    assert not faults_of_progress({"kind": "begin", "title": "x"}, None)
    registration = {"id": "1", "method": "workspace/didChangeWatchedFiles"}
    wrong = {"registrations": [{**registration, "registerOptions": {"watchers": 1}}]}
    assert faults_of_params("client/registerCapability", wrong)
