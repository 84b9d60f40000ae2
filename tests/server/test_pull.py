"""Diagnostics for clients that ask."""

from tests.server.workspaces import BROKEN_HOST, CROSS, HOST, METAL, PULLING, codes, merged
from tests.support.lsp_client import replacement

UNRESOLVED = ["unresolved-kernel-name"]
RELATED = {"textDocument": {"diagnostic": {"relatedDocumentSupport": True}}}


def pull(client, uri, **more):
    return client.call("textDocument/diagnostic", {"textDocument": {"uri": uri}, **more})


def pull_all(client, previous=(), **more):
    params = {"previousResultIds": list(previous), **more}
    return client.call("workspace/diagnostic", params)["items"]


def test_a_client_that_asks_is_not_told(start, write):
    root = write({**CROSS, HOST: BROKEN_HOST})
    host = (root / HOST).as_uri()
    client = start(PULLING)
    capabilities = client.initialize(root)
    client.open(host, BROKEN_HOST)

    report = pull(client, host)

    assert capabilities["diagnosticProvider"] == {
        "identifier": "mkls",
        "interFileDependencies": True,
        "workspaceDiagnostics": True,
    }
    assert report["kind"] == "full"
    assert codes(report["items"]) == UNRESOLVED
    client.exit()
    assert not [it for it in client.received if "publish" in it.get("method", "")]


def test_a_report_that_has_not_changed_is_not_sent_again(start, write):
    root = write({**CROSS, HOST: BROKEN_HOST})
    host = (root / HOST).as_uri()
    client = start(PULLING)
    client.initialize(root)
    client.open(host, BROKEN_HOST)
    first = pull(client, host)["resultId"]

    client.change(host, 2, replacement((2, 1), (2, 1), "\n"))
    assert pull(client, host, previousResultId=first) == {"kind": "unchanged", "resultId": first}

    client.change(host, 3, replacement((0, 0), (0, 0), "\n"))
    moved = pull(client, host, previousResultId=first)
    assert moved["kind"] == "full"
    assert moved["items"][0]["range"]["start"]["line"] == 2


def test_equal_reports_have_equal_ids_in_another_server(start, write):
    root = write({**CROSS, HOST: BROKEN_HOST})
    ids = []
    for client in (start(PULLING), start(PULLING)):
        client.initialize(root)
        ids.append(pull(client, (root / HOST).as_uri())["resultId"])

    assert ids[0] == ids[1]


def test_the_reports_of_other_open_documents_come_along(start, write):
    root = write(CROSS)
    metal, host = ((root / name).as_uri() for name in (METAL, HOST))
    client = start(merged(PULLING, RELATED))
    client.initialize(root)
    for uri, name in ((metal, METAL), (host, HOST)):
        client.open(uri, CROSS[name])
        pull(client, uri)

    client.change(metal, 2, replacement((0, 12), (0, 17), "cros"))
    related = pull(client, metal)["relatedDocuments"]

    assert related.keys() == {host}
    assert codes(related[host]["items"]) == UNRESOLVED
    assert "relatedDocuments" not in pull(client, metal)


def test_the_client_is_told_to_ask_again_about_other_documents(start, write):
    root = write(CROSS)
    metal, host = ((root / name).as_uri() for name in (METAL, HOST))
    client = start(PULLING)
    client.initialize(root)
    for uri, name in ((metal, METAL), (host, HOST)):
        client.open(uri, CROSS[name])
        assert pull(client, uri)["items"] == []

    client.change(metal, 2, replacement((0, 12), (0, 17), "cros"))

    assert client.wait(lambda it: it.get("method") == "workspace/diagnostic/refresh")
    assert codes(pull(client, host)["items"]) == UNRESOLVED


def test_the_whole_workspace(start, write):
    root = write({**CROSS, HOST: BROKEN_HOST})
    host = (root / HOST).as_uri()
    client = start(PULLING)
    client.initialize(root)

    (report,) = pull_all(client)

    assert (report["uri"], report["version"], report["kind"]) == (host, None, "full")
    assert codes(report["items"]) == UNRESOLVED
    (again,) = pull_all(client, [{"uri": host, "value": report["resultId"]}])
    assert again == {
        "uri": host,
        "version": None,
        "kind": "unchanged",
        "resultId": report["resultId"],
    }


def test_a_document_that_was_mended_is_reported_once_more(start, write):
    root = write({**CROSS, HOST: BROKEN_HOST})
    host = (root / HOST).as_uri()
    client = start(PULLING)
    client.initialize(root)
    (report,) = pull_all(client)

    client.open(host, CROSS[HOST])

    (mended,) = pull_all(client, [{"uri": host, "value": report["resultId"]}])
    assert (mended["kind"], mended["items"], mended["version"]) == ("full", [], 1)
    assert pull_all(client) == []


def test_the_whole_workspace_in_parts(start, write):
    broken = {f"operations/Cross{n}.mm": BROKEN_HOST for n in range(70)}
    root = write({METAL: CROSS[METAL], **broken})
    client = start(PULLING)
    client.initialize(root)

    assert pull_all(client, partialResultToken="part") == []

    parts = [it["params"] for it in client.received if it.get("method") == "$/progress"]
    assert [part["token"] for part in parts] == ["part"] * 3
    reported = [report["uri"] for part in parts for report in part["value"]["items"]]
    assert sorted(reported) == sorted((root / name).as_uri() for name in broken)


def test_a_document_that_mkls_does_not_read_has_no_diagnostics(start, write):
    root = write({"notes.txt": "hello\n"})
    client = start(PULLING)
    client.initialize(root)
    client.open((root / "notes.txt").as_uri(), "hello\n")

    assert pull(client, (root / "notes.txt").as_uri())["items"] == []
