"""What a person asks: convert, call, convert back."""

from tests.server.workspaces import CROSS, HOST, METAL, YAML
from tests.support.lsp_client import LspClient, at

HOST_NAME = at(1, 45)  # within the string of the look-up
KERNEL = {"start": at(0, 12), "end": at(0, 23)}
LINKS = {"textDocument": {"definition": {"linkSupport": True}}}
TREES = {"textDocument": {"documentSymbol": {"hierarchicalDocumentSymbolSupport": True}}}
MARKDOWN = {"textDocument": {"hover": {"contentFormat": ["markdown", "plaintext"]}}}
ROWS = "- func: rise(Tensor self) -> Tensor\n\n- func: rise.by(Tensor self, int by) -> Tensor\n"


def ask(client: LspClient, method: str, uri: str, **more: object):
    return client.call(f"textDocument/{method}", {"textDocument": {"uri": uri}, **more})


def loaded(start, root, capabilities=None) -> LspClient:
    pulls = {"diagnostic": {}, **(capabilities or {}).get("textDocument", {})}
    client = start({**(capabilities or {}), "textDocument": pulls})
    client.initialize(root)
    client.call("workspace/diagnostic", {"previousResultIds": []})
    return client


def test_a_definition_is_a_location(start, write):
    root = write(CROSS)
    client = loaded(start, root)

    found = ask(client, "definition", (root / HOST).as_uri(), position=HOST_NAME)

    assert found == [{"uri": (root / METAL).as_uri(), "range": KERNEL}]


def test_a_definition_is_a_link_where_the_client_knows_links(start, write):
    root = write(CROSS)
    client = loaded(start, root, LINKS)

    (link,) = ask(client, "definition", (root / HOST).as_uri(), position=HOST_NAME)

    assert link == {
        "targetUri": (root / METAL).as_uri(),
        "targetRange": KERNEL,
        "targetSelectionRange": KERNEL,
        "originSelectionRange": {"start": at(1, 42), "end": at(1, 53)},
    }


def test_a_hover_is_markdown_where_the_client_knows_it(start, write):
    root = write(CROSS)
    for capabilities, kind in ((MARKDOWN, "markdown"), ({}, "plaintext")):
        client = loaded(start, root, capabilities)
        found = ask(client, "hover", (root / HOST).as_uri(), position=HOST_NAME)
        assert found["contents"]["kind"] == kind
        assert "cross_float" in found["contents"]["value"]
        assert found["range"] == {"start": at(1, 42), "end": at(1, 53)}


def test_an_outline_is_a_tree_or_a_list(start, write):
    root = write({YAML: ROWS})
    uri = (root / YAML).as_uri()

    (tree,) = ask(loaded(start, root, TREES), "documentSymbol", uri)
    flat = ask(loaded(start, root), "documentSymbol", uri)

    assert [it["name"] for it in tree["children"]] == ["rise", "rise.by"]
    assert tree["children"][1]["selectionRange"] == {"start": at(2, 8), "end": at(2, 15)}
    assert [(it["name"], it.get("containerName")) for it in flat] == [
        ("rise", None),
        ("rise", "rise"),
        ("rise.by", "rise"),
    ]


def test_a_file_that_mkls_does_not_read_has_no_answers(start, write):
    root = write({"notes.txt": "hello\n"})
    uri = (root / "notes.txt").as_uri()
    client = loaded(start, root)
    client.open(uri, "hello\n")

    assert ask(client, "definition", uri, position=at(0, 2)) == []
    assert ask(client, "hover", uri, position=at(0, 2)) is None
    assert ask(client, "documentSymbol", uri) == []
    context = {"range": {"start": at(0, 0), "end": at(0, 5)}, "context": {"diagnostics": []}}
    assert ask(client, "codeAction", uri, **context) == []


def test_positions_outside_of_the_text_are_clamped(start, write):
    root = write(CROSS)
    client = loaded(start, root)

    for place in (at(0, 9999), at(9999, 0), at(2**31 - 1, 2**31 - 1)):
        assert ask(client, "hover", (root / METAL).as_uri(), position=place) is None


def test_a_header_outside_of_the_workspace_that_reads_it(start, write):
    root = write(
        {
            f"inside/{METAL}": "#include <c10/metal/cross.h>\nREGISTER(cross);\n",
            f"inside/{HOST}": 'void f() { lib.getPipelineStateForFunc("cross"); }\n',
            "inside/mkls.toml": 'include-dirs = ["../outside"]\n',
            "outside/c10/metal/cross.h": "#define REGISTER(NAME) kernel void NAME() {}\n",
        }
    )
    header = root / "outside/c10/metal/cross.h"
    client = loaded(start, root / "inside")
    client.open(header.as_uri(), header.read_text())

    (found,) = ask(client, "definition", (root / "inside" / HOST).as_uri(), position=at(0, 42))
    assert found["uri"] == (root / "inside" / METAL).as_uri()
    (macro,) = ask(client, "definition", (root / "inside" / METAL).as_uri(), position=at(1, 2))
    assert macro["uri"] == header.as_uri()
