"""Renames, symbols and hierarchies as clients of different abilities get them."""

import pytest

from tests.server.workspaces import CROSS, HOST, METAL, PULLING, merged
from tests.support.lsp_client import at, replacement

LOOKUP = at(1, 45)  # within the string of the look-up
ANNOTATED = {
    "workspace": {
        "workspaceEdit": {
            "documentChanges": True,
            "changeAnnotationSupport": {"groupsOnLabel": True},
        }
    },
    "textDocument": {"rename": {"prepareSupport": True}},
}
STUB = {
    "aten/src/ATen/native/Ripple.h": "DECLARE_DISPATCH(unary_fn, ripple_stub)\n",
    "aten/src/ATen/native/mps/Ripple.mm": (
        "static void ripple_mps_kernel(TensorIteratorBase& iter) {}\n"
        "REGISTER_DISPATCH(ripple_stub, &ripple_mps_kernel)\n"
    ),
}


def loaded(start, root, *capabilities):
    client = start(merged(PULLING, *capabilities))
    client.initialize(root)
    client.call("workspace/diagnostic", {"previousResultIds": []})
    return client


def place(root, path, position, **more):
    return {"textDocument": {"uri": (root / path).as_uri()}, "position": position, **more}


def test_a_rename_is_prepared_at_the_part_that_changes(start, write):
    root = write(CROSS)
    client = loaded(start, root, ANNOTATED)

    found = client.call("textDocument/prepareRename", place(root, HOST, LOOKUP))

    assert found == {
        "range": {"start": at(1, 42), "end": at(1, 53)},
        "placeholder": "cross_float",
    }


def test_a_rename_works_on_unsaved_texts_and_names_their_versions(start, write):
    root = write(CROSS)
    client = loaded(start, root, ANNOTATED)
    uri = (root / METAL).as_uri()
    client.open(uri, CROSS[METAL])
    client.change(uri, 7, replacement((0, 0), (0, 0), "\n"))

    edit = client.call("textDocument/rename", place(root, HOST, LOOKUP, newName="product_float"))

    changes = {it["textDocument"]["uri"]: it for it in edit["documentChanges"]}
    assert changes[uri]["textDocument"]["version"] == 7
    assert changes[uri]["edits"][0]["range"] == {"start": at(1, 12), "end": at(1, 23)}
    host = changes[(root / HOST).as_uri()]
    assert host["textDocument"]["version"] is None
    assert host["edits"][0]["annotationId"] == "Look-ups of kernels"
    assert set(edit["changeAnnotations"]) == {
        "Look-ups of kernels",
        "Kernels, functors and registrations",
    }


def test_a_client_without_document_changes_gets_plain_ones(start, write):
    root = write(CROSS)
    client = loaded(start, root)

    edit = client.call("textDocument/rename", place(root, HOST, LOOKUP, newName="product_float"))

    assert set(edit) == {"changes"}
    assert set(edit["changes"]) == {(root / HOST).as_uri(), (root / METAL).as_uri()}


def test_a_doubtful_rename_needs_confirmation(start, write):
    root = write(STUB)
    client = loaded(start, root, ANNOTATED)
    name = place(root, "aten/src/ATen/native/Ripple.h", at(0, 30), newName="wavelet_stub")

    annotations = client.call("textDocument/rename", name)["changeAnnotations"]

    (annotation,) = annotations.values()
    assert annotation["needsConfirmation"] is True
    assert "which mkls does not read" in annotation["description"]


def test_a_doubtful_rename_that_nobody_confirms_is_not_made(start, write):
    root = write(STUB)
    client = loaded(start, root)
    name = place(root, "aten/src/ATen/native/Ripple.h", at(0, 30), newName="wavelet_stub")

    error = client.error("textDocument/rename", name)

    question = client.told("window/showMessageRequest")
    assert "Rename in 2 places all the same?" in question["message"]
    assert [it["title"] for it in question["actions"]] == ["Rename", "Cancel"]
    assert (error["code"], error["message"]) == (-32803, "not renamed")


def test_symbols_come_without_their_ranges_where_the_client_asks_for_them_later(start, write):
    root = write(CROSS)
    later = {"workspace": {"symbol": {"resolveSupport": {"properties": ["location.range"]}}}}
    client = loaded(start, root, later)

    (symbol,) = client.call("workspace/symbol", {"query": "cross_float"})

    assert symbol["location"] == {"uri": (root / METAL).as_uri()}
    found = client.call("workspaceSymbol/resolve", symbol)["location"]["range"]
    assert found == {"start": at(0, 12), "end": at(0, 23)}


@pytest.mark.parametrize("uri", ["untitled:Untitled-1", "mkls-test:/kernels/Lone.metal"])
def test_documents_that_are_no_files(start, uri):
    client = start(PULLING)
    client.initialize()
    client.open(uri, CROSS[METAL], language="metal")
    there = {"textDocument": {"uri": uri}, "position": at(0, 14)}

    found = client.call(
        "textDocument/references", {**there, "context": {"includeDeclaration": True}}
    )
    edit = client.call("textDocument/rename", {**there, "newName": "product_float"})

    assert [it["uri"] for it in found] == [uri]
    assert set(edit["changes"]) == {uri}


def test_a_lone_metal_file(start, write):
    root = write({"lone/Lone.metal": CROSS[METAL]})
    client = start(PULLING)
    client.initialize()
    client.open((root / "lone/Lone.metal").as_uri(), CROSS[METAL], language="metal")
    there = place(root, "lone/Lone.metal", at(0, 14))

    (item,) = client.call("textDocument/prepareCallHierarchy", there)

    assert item["name"] == "cross_float"
    assert client.call("callHierarchy/incomingCalls", {"item": item}) == []
    assert client.call("textDocument/declaration", there) == []


def test_two_folders_are_searched_and_one_that_is_closed_is_not(start, write):
    root = write({"one/kernels/One.metal": CROSS[METAL], "two/kernels/Two.metal": CROSS[METAL]})
    client = start(PULLING)
    client.initialize(root / "one", root / "two")
    client.call("workspace/diagnostic", {"previousResultIds": []})

    both = client.call("workspace/symbol", {"query": "cross"})
    removed = {"uri": (root / "two").as_uri(), "name": "two"}
    client.notify(
        "workspace/didChangeWorkspaceFolders", {"event": {"added": [], "removed": [removed]}}
    )
    one = client.call("workspace/symbol", {"query": "cross"})

    assert len(both) == 2
    assert [it["location"]["uri"].rpartition("/")[2] for it in one] == ["One.metal"]
