"""Tokens, folds and selections on the wire."""

import pytest

from mkls.server.legend import KINDS, MODIFIERS
from mkls.server.token_data import changed_part
from tests.server.test_requests import ask, loaded
from tests.server.workspaces import CROSS, METAL
from tests.support.lsp_client import at

ENCODINGS = ("utf-8", "utf-16", "utf-32")
SMILE = "/* \U0001f600\n\u00e9 */ kernel void cross_float(device float* out [[buffer(0)]]) {}\n"


def decoded(data):
    """Return the tokens with absolute places and the words of the legend."""
    found, line, column = [], 0, 0
    for index in range(0, len(data), 5):
        down, along, length, kind, modifiers = data[index : index + 5]
        line, column = line + down, along + (0 if down else column)
        names = [name for bit, name in enumerate(MODIFIERS) if modifiers >> bit & 1]
        found.append((line, column, length, " ".join((KINDS[kind], *names))))
    return found


def test_tokens_are_relative_and_count_in_the_client_s_units(start, write):
    root = write({**CROSS, METAL: SMILE})
    lengths = {}
    for encoding in ENCODINGS:
        client = loaded(start, root, {"general": {"positionEncodings": [encoding]}})
        found = ask(client, "semanticTokens/full", (root / METAL).as_uri())
        lengths[encoding] = decoded(found["data"])[:3]

    assert lengths == {
        "utf-8": [(0, 0, 7, "comment"), (1, 0, 5, "comment"), (1, 6, 6, "keyword")],
        "utf-16": [(0, 0, 5, "comment"), (1, 0, 4, "comment"), (1, 5, 6, "keyword")],
        "utf-32": [(0, 0, 4, "comment"), (1, 0, 4, "comment"), (1, 5, 6, "keyword")],
    }


def test_the_legend_is_announced(start, write):
    client = start({})
    provider = client.initialize(write(CROSS))["semanticTokensProvider"]

    assert provider["legend"] == {"tokenTypes": list(KINDS), "tokenModifiers": list(MODIFIERS)}
    assert {"typeParameter", "enumMember"} < set(KINDS)
    assert {"defaultLibrary", "device", "threadgroup"} < set(MODIFIERS)


def test_a_delta_is_what_changed(start, write):
    root = write(CROSS)
    client = loaded(start, root)
    uri = (root / METAL).as_uri()
    client.open(uri, CROSS[METAL])
    before = ask(client, "semanticTokens/full", uri)
    client.change(uri, 2, {"text": CROSS[METAL] + "constant int n = 1;\n"})
    after = ask(client, "semanticTokens/full/delta", uri, previousResultId=before["resultId"])

    (edit,) = after["edits"]
    data = before["data"]
    stop = edit["start"] + edit["deleteCount"]
    data = [*data[: edit["start"]], *edit["data"], *data[stop:]]
    assert data == ask(client, "semanticTokens/full", uri)["data"]
    unknown = ask(client, "semanticTokens/full/delta", uri, previousResultId="never")
    assert unknown["data"] == data


def test_a_range_has_its_own_tokens(start, write):
    root = write(CROSS)
    client = loaded(start, root)
    uri = (root / METAL).as_uri()
    whole = ask(client, "semanticTokens/full", uri)["data"]
    part = ask(client, "semanticTokens/range", uri, range={"start": at(0, 0), "end": at(0, 3)})

    assert part["data"] == whole


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        ([1, 2, 3], [1, 2, 3], (3, 3, 3)),
        ([1, 2, 3], [1, 9, 3], (1, 2, 2)),
        ([], [4], (0, 0, 1)),
        ([1, 1, 1], [1, 1], (2, 3, 2)),
        ([5, 6, 7, 8], [5, 6, 1, 2, 7, 8], (2, 2, 4)),
        ([2, 1], [1], (0, 1, 0)),
    ],
)
def test_what_differs_between_two_lists(before, after, expected):
    start, old_end, new_end = changed_part(before, after)

    assert (start, old_end, new_end) == expected
    assert [*before[:start], *after[start:new_end], *before[old_end:]] == after


def test_folds_are_lines_and_no_more_than_the_client_wants(start, write):
    text = "// a\n// b\nvoid f() {\n  1;\n}\n"
    root = write({METAL: text})
    uri = (root / METAL).as_uri()
    few = {"textDocument": {"foldingRange": {"rangeLimit": 1}}}

    assert ask(loaded(start, root), "foldingRange", uri) == [
        {"startLine": 0, "endLine": 1, "kind": "comment"},
        {"startLine": 2, "endLine": 3},
    ]
    assert len(ask(loaded(start, root, few), "foldingRange", uri)) == 1


def test_selections_are_chains_one_for_each_position(start, write):
    root = write(CROSS)
    client = loaded(start, root)
    one, other = ask(
        client, "selectionRange", (root / METAL).as_uri(), positions=[at(0, 13), at(0, 40)]
    )

    assert one["range"] == {"start": at(0, 12), "end": at(0, 23)}
    while "parent" in other:
        inner, other = other["range"], other["parent"]
        assert other["range"]["start"]["character"] <= inner["start"]["character"]
    assert other["range"] == {"start": at(0, 0), "end": at(1, 0)}
