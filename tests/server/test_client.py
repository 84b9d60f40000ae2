"""What is concluded from what a client says of itself."""

from pathlib import Path

import pytest
from lsprotocol import converters
from lsprotocol import types as lsp

from mkls.diagnostics.model import Diagnostic, Finding, Severity
from mkls.rules import RULES
from mkls.server.capabilities import server_capabilities
from mkls.server.client import Client, canonical, client_of
from mkls.server.diagnostics_to_proto import diagnostic
from mkls.server.reports import Shown
from mkls.text.document import Uri
from mkls.text.line_index import Encoding
from mkls.text.span import Span
from tests.support.fixture import of_files
from tests.support.lsp_client import Json


def client(capabilities: Json, **more: object) -> Client:
    params = {"processId": 1, "rootUri": None, "capabilities": capabilities, **more}
    return client_of(converters.get_converter().structure(params, lsp.InitializeParams))


@pytest.mark.parametrize(
    ("offered", "chosen"),
    [
        (["utf-32", "utf-8"], Encoding.UTF32),
        (["utf-7", "utf-8"], Encoding.UTF8),
        (["utf-7"], Encoding.UTF16),
        ([], Encoding.UTF16),
        (None, Encoding.UTF16),
    ],
)
def test_the_first_encoding_that_the_client_offers_is_taken(offered, chosen):
    assert client({"general": {"positionEncodings": offered}}).encoding is chosen


PULL, PUSH = {"diagnostic": {}}, {"publishDiagnostics": {}}
RELATED = {"diagnostic": {"relatedDocumentSupport": True}}
REFRESH = {"workspace": {"diagnostics": {"refreshSupport": True}}}


@pytest.mark.parametrize(
    ("capabilities", "asks"),
    [
        ({}, False),
        ({"textDocument": PUSH}, False),
        ({"textDocument": PULL}, True),
        ({"textDocument": PULL | PUSH, **REFRESH}, True),
        ({"textDocument": RELATED | PUSH}, True),
        # It would go on showing old diagnostics of other documents.
        ({"textDocument": PULL | PUSH}, False),
    ],
)
def test_a_client_that_cannot_be_told_to_ask_again_is_told_if_it_can_be(capabilities, asks):
    it = client(capabilities)

    assert it.pulls is asks
    assert (server_capabilities(it).diagnostic_provider is not None) is asks


@pytest.mark.parametrize(
    ("named", "folders"),
    [
        ({}, []),
        ({"rootPath": "/a b"}, ["/a b"]),
        ({"rootUri": "file:///a%20b", "rootPath": "/c"}, ["/a b"]),
        ({"rootUri": "file:///c", "workspaceFolders": [{"uri": "file:///a", "name": ""}]}, ["/a"]),
        ({"workspaceFolders": [{"uri": "git:/a", "name": ""}]}, []),
        ({"workspaceFolders": None, "rootUri": None}, []),
    ],
)
def test_folders_are_named_in_one_of_three_ways(named, folders):
    assert client({}, **named).folders == tuple(map(Path, folders))


def test_uris_that_differ_in_escapes_are_one():
    assert canonical("file:///a(b)/c%2Bd.mm") == canonical("file:///a%28b%29/c+d.mm")
    assert canonical("untitled:a(b)") == "untitled:a(b)"


def test_what_is_unnecessary_is_tagged_for_clients_that_know_the_tag():
    fixture = of_files({"a.metal": "// nothing\n"})
    found = Diagnostic(Span(0, 2), "not used", unnecessary=True)
    shown = Shown(Finding(Uri("file:///a.metal"), RULES[0], found), Severity.HINT)
    tags = {"textDocument": {"publishDiagnostics": {"tagSupport": {"valueSet": [1, 2]}}}}

    assert diagnostic(client(tags), fixture.snapshot, shown).tags == [1]
    assert diagnostic(client({}), fixture.snapshot, shown).tags is None
