"""Workspaces, the files in them, and files outside of all of them."""

import shutil

from tests.server.workspaces import (
    BROKEN_HOST,
    CROSS,
    HOST,
    METAL,
    OTHER,
    OTHERS,
    WATCHING,
    YAML,
    codes,
    merged,
)

UNRESOLVED = ["unresolved-kernel-name"]
CREATED, CHANGED, DELETED = 1, 2, 3


def tell(client, path, kind):
    changes = [{"uri": path.as_uri(), "type": kind}]
    client.notify("workspace/didChangeWatchedFiles", {"changes": changes})


def test_the_client_is_asked_to_watch_files(start, write):
    client = start(WATCHING)
    client.initialize(write(CROSS))

    (registration,) = client.told("client/registerCapability")["registrations"]

    assert registration["method"] == "workspace/didChangeWatchedFiles"
    globs = [it["globPattern"] for it in registration["registerOptions"]["watchers"]]
    assert globs == [
        "**/*.{yaml,metal,mm,h,cpp,py}",
        "**/torchgen/model.py",
        "**/mkls.toml",
        "**/pyproject.toml",
        "**/*",
    ]
    assert registration["registerOptions"]["watchers"][-1]["kind"] == 4, "deletions alone"


def test_files_that_change_on_the_disk_are_read_again(start, write):
    root = write({**OTHERS, HOST: CROSS[HOST]})
    host = (root / HOST).as_uri()
    client = start(WATCHING)
    client.initialize(root)
    assert codes(client.diagnostics(host)) == UNRESOLVED

    write({METAL: CROSS[METAL]})
    tell(client, root / METAL, CREATED)
    assert client.diagnostics(host) == []

    write({METAL: CROSS[METAL].replace("cross", "cros")})
    tell(client, root / METAL, CHANGED)
    assert codes(client.diagnostics(host)) == UNRESOLVED

    (root / HOST).unlink()
    tell(client, root / HOST, DELETED)
    assert client.diagnostics(host) == []


def test_the_files_of_a_folder_that_is_deleted_are_gone(start, write):
    root = write({**OTHERS, HOST: CROSS[HOST]})
    host = (root / HOST).as_uri()
    client = start(WATCHING)
    client.initialize(root)
    assert codes(client.diagnostics(host)) == UNRESOLVED

    shutil.rmtree((root / HOST).parent)
    tell(client, (root / HOST).parent, DELETED)

    assert client.diagnostics(host) == []


def test_the_editors_text_wins_over_the_disks(start, write):
    root = write(CROSS)
    host = (root / HOST).as_uri()
    client = start(merged(WATCHING))
    client.initialize(root)
    client.open(host, BROKEN_HOST)
    assert codes(client.diagnostics(host)) == UNRESOLVED

    tell(client, root / HOST, CHANGED)
    client.close_document(host)

    assert client.diagnostics(host) == []


def test_each_folder_is_a_workspace_of_its_own(start, write):
    two = {f"two/{OTHER}": OTHERS[OTHER], f"two/{HOST}": CROSS[HOST]}
    root = write({f"one/{METAL}": CROSS[METAL], **two})
    client = start()
    client.initialize(root / "one", root / "two")

    # The kernel is defined in the other folder, which is another library.
    assert codes(client.diagnostics((root / "two" / HOST).as_uri())) == UNRESOLVED


def test_folders_come_and_go(start, write):
    two = {f"two/{OTHER}": OTHERS[OTHER], f"two/{HOST}": CROSS[HOST]}
    root = write({f"one/{METAL}": CROSS[METAL], **two})
    host = (root / "two" / HOST).as_uri()
    folder = {"uri": (root / "two").as_uri(), "name": "two"}
    client = start()
    client.initialize(root / "one")

    added = {"event": {"added": [folder], "removed": []}}
    client.notify("workspace/didChangeWorkspaceFolders", added)
    assert codes(client.diagnostics(host)) == UNRESOLVED

    removed = {"event": {"added": [], "removed": [folder]}}
    client.notify("workspace/didChangeWorkspaceFolders", removed)
    assert client.diagnostics(host) == []


def test_an_open_document_stays_checked_when_its_folder_goes(start, write):
    root = write({**OTHERS, HOST: CROSS[HOST], "pyproject.toml": ""})
    host = (root / HOST).as_uri()
    folder = {"uri": root.as_uri(), "name": "root"}
    client = start()
    client.initialize(root)
    client.open(host, CROSS[HOST])
    assert codes(client.diagnostics(host)) == UNRESOLVED

    removed = {"event": {"added": [], "removed": [folder]}}
    client.notify("workspace/didChangeWorkspaceFolders", removed)

    assert client.diagnostics(host) == []
    assert codes(client.diagnostics(host)) == UNRESOLVED


def test_the_checkout_around_a_folder_is_the_workspace(start, write):
    native = "aten/src/ATen/native"
    root = write(
        {
            YAML: "- func: cross(Tensor self) -> Tensor\n",
            f"{native}/mps/{METAL}": CROSS[METAL],
            f"{native}/mps/{HOST}": BROKEN_HOST,
        }
    )
    client = start()
    client.initialize(root / native / "mps/operations")

    assert codes(client.diagnostics((root / native / "mps" / HOST).as_uri())) == UNRESOLVED


def test_without_a_folder_the_root_is_looked_for_from_the_open_file(start, write):
    root = write({**CROSS, "pyproject.toml": ""})
    host = (root / HOST).as_uri()
    client = start()
    client.initialize()

    client.open(host, CROSS[HOST])

    assert client.diagnostics(host, lambda it: "version" not in it) == []


def test_a_file_without_any_root_is_read_with_its_neighbours(start, write):
    root = write({"Cross.metal": CROSS[METAL], "Cross.mm": CROSS[HOST], "below/Other.mm": "x\n"})
    host = (root / "Cross.mm").as_uri()
    client = start()
    client.initialize()

    client.open(host, CROSS[HOST])

    assert client.diagnostics(host) == []
    client.change(host, 2, {"text": BROKEN_HOST})
    assert codes(client.diagnostics(host)) == UNRESOLVED


def test_a_document_that_is_no_file_is_checked_by_its_language(start):
    client = start()
    client.initialize()

    text = CROSS[METAL] * 2
    client.open("untitled:Untitled-1", text, language="metal")

    found = client.diagnostics("untitled:Untitled-1")
    assert set(codes(found)) == {"duplicate-host-name"}


def test_uris_keep_the_clients_spelling(start, write):
    root = write({f"a (b)/{METAL}": CROSS[METAL], f"a (b)/{HOST}": BROKEN_HOST})
    ours = (root / "a (b)" / HOST).as_uri()
    theirs = ours.replace("%20", "%20").replace("%28", "(").replace("%29", ")")
    assert theirs != ours
    client = start()
    client.initialize(root)
    assert codes(client.diagnostics(ours)) == UNRESOLVED

    client.open(theirs, CROSS[HOST])

    assert client.diagnostics(theirs) == []


def test_a_client_that_does_not_watch_hears_of_changes_when_it_saves(start, write):
    root = write({**OTHERS, HOST: CROSS[HOST]})
    host, other = ((root / name).as_uri() for name in (HOST, OTHER))
    client = start()
    client.initialize(root)
    client.open(other, OTHERS[OTHER])
    assert codes(client.diagnostics(host)) == UNRESOLVED

    write({METAL: CROSS[METAL]})
    client.notify("textDocument/didSave", {"textDocument": {"uri": other}})
    assert client.diagnostics(host) == []

    (root / METAL).unlink()
    client.open(host, CROSS[HOST])
    assert codes(client.diagnostics(host, lambda it: it["diagnostics"])) == UNRESOLVED
