"""Settings of the editor, over those of the workspace."""

import pytest

from tests.server.workspaces import BROKEN_HOST, CROSS, HOST, WATCHING, codes, merged

ASKED = {"workspace": {"configuration": True}}
UNRESOLVED = ["unresolved-kernel-name"]
DUPLICATE = """\
kernel void cross_float(device float* out [[buffer(0)]]) {}
kernel void cross_float(device float* out [[buffer(0)]]) {}
"""
BOTH = {HOST: BROKEN_HOST, "kernels/Cross.metal": DUPLICATE}


def severity(client, uri):
    (found,) = client.diagnostics(uri)
    return found["severity"]


def test_the_editor_is_asked(start, write):
    root = write({**CROSS, HOST: BROKEN_HOST})
    client = start(ASKED)
    client.settings = {"severity": {"unresolved-kernel-name": "hint"}}
    client.initialize(root)

    assert severity(client, (root / HOST).as_uri()) == 4
    (item,) = client.told("workspace/configuration")["items"]
    assert item == {"scopeUri": root.as_uri(), "section": "mkls"}


@pytest.mark.parametrize("nested", [True, False])
def test_a_client_that_cannot_be_asked_gives_options_at_initialize(start, write, nested):
    root = write({**CROSS, HOST: BROKEN_HOST})
    options = {"severity": {"kernel-name": "information"}}
    client = start()
    client.initialize(root, initializationOptions={"mkls": options} if nested else options)

    assert severity(client, (root / HOST).as_uri()) == 3


def test_the_editor_wins_over_the_workspace(start, write):
    stored = '[severity]\nkernel-name = "hint"\nunresolved-kernel-name = "hint"\n'
    root = write({**BOTH, "mkls.toml": stored})
    client = start()
    severities = {"severity": {"unresolved-kernel-name": "warning"}}
    client.initialize(root, initializationOptions=severities)

    assert severity(client, (root / HOST).as_uri()) == 2
    duplicates = client.diagnostics((root / "kernels/Cross.metal").as_uri())
    assert {it["severity"] for it in duplicates} == {4}


def test_names_may_be_written_in_camel_case(start, write):
    root = write({**CROSS, HOST: BROKEN_HOST})
    client = start()
    client.initialize(root, initializationOptions={"perFileIgnores": {"*.mm": ["all"]}})
    client.open((root / HOST).as_uri(), BROKEN_HOST)

    assert client.diagnostics((root / HOST).as_uri()) == []
    client.exit()
    assert not [it for it in client.received if it.get("method") == "window/showMessage"]


def test_a_change_of_settings_is_taken_up(start, write):
    root = write({**CROSS, HOST: BROKEN_HOST})
    host = (root / HOST).as_uri()
    client = start(ASKED)
    client.initialize(root)
    assert codes(client.diagnostics(host)) == UNRESOLVED

    client.settings = {"ignore": ["unresolved-kernel-name"]}
    client.notify("workspace/didChangeConfiguration", {"settings": None})

    assert client.diagnostics(host) == []


def test_a_client_that_cannot_be_asked_sends_what_changed(start, write):
    root = write({**CROSS, HOST: BROKEN_HOST})
    host = (root / HOST).as_uri()
    client = start()
    client.initialize(root)
    assert codes(client.diagnostics(host)) == UNRESOLVED

    settings = {"mkls": {"select": ["dispatch"]}}
    client.notify("workspace/didChangeConfiguration", {"settings": settings})

    assert client.diagnostics(host) == []


def test_the_configuration_file_is_watched(start, write):
    root = write({**CROSS, HOST: BROKEN_HOST})
    host = (root / HOST).as_uri()
    client = start(WATCHING)
    client.initialize(root)
    assert codes(client.diagnostics(host)) == UNRESOLVED

    write({"mkls.toml": 'ignore = ["kernel-name"]\n'})
    changes = [{"uri": (root / "mkls.toml").as_uri(), "type": 1}]
    client.notify("workspace/didChangeWatchedFiles", {"changes": changes})

    assert client.diagnostics(host) == []


def test_files_that_are_excluded_are_forgotten_and_come_back(start, write):
    root = write({**CROSS, HOST: BROKEN_HOST})
    host = (root / HOST).as_uri()
    client = start()
    client.initialize(root)
    assert codes(client.diagnostics(host)) == UNRESOLVED

    for excluded, expected in ((["operations/*"], []), ([], UNRESOLVED)):
        settings = {"mkls": {"exclude": excluded}}
        client.notify("workspace/didChangeConfiguration", {"settings": settings})
        assert codes(client.diagnostics(host)) == expected


@pytest.mark.parametrize(
    ("options", "complaint"),
    [
        ({"slect": ["all"]}, "unknown key `slect`"),
        ({"select": 5}, "`select` expects a list of strings"),
        ({"select": ["no-such-rule"]}, "`no-such-rule` is no rule and no group"),
    ],
)
def test_what_means_nothing_is_said_once(start, write, options, complaint):
    root = write({**CROSS, HOST: BROKEN_HOST})
    client = start()
    client.initialize(root, initializationOptions=options)

    assert complaint in client.told("window/showMessage")["message"]
    client.notify("workspace/didChangeConfiguration", {"settings": options})
    assert complaint in client.told("window/logMessage")["message"]
    client.exit()
    assert not [it for it in client.received if it.get("method") == "window/showMessage"]


@pytest.mark.parametrize("options", [None, [], "loud", 5, {"mkls": "loud"}, {"trace": "off"}])
def test_settings_of_another_shape_change_nothing(start, write, options):
    root = write({**CROSS, HOST: BROKEN_HOST})
    client = start()
    client.initialize(root, initializationOptions=options)

    assert codes(client.diagnostics((root / HOST).as_uri())) == UNRESOLVED


def test_an_editor_that_does_not_answer_does_not_stop_the_loading(start, write):
    root = write({**CROSS, HOST: BROKEN_HOST})
    client = start(merged(ASKED))
    client.answers_configuration = False
    client.initialize(root)

    assert codes(client.diagnostics((root / HOST).as_uri())) == UNRESOLVED
