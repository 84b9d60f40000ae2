"""Positions in the units that the client chose, around characters outside of the BMP."""

import pytest

from tests.server.workspaces import CROSS, HOST, METAL, VERSIONED, merged
from tests.support.lsp_client import at, replacement

UNITS = {"utf-8": 4, "utf-16": 2, "utf-32": 1}
BROKEN = (
    "void cross(const Tensor& out) {\n"
    '  /* 𝒳 */ auto pso = lib.getPipelineStateForFunc("cros_float"); /* 𝒳 */\n'
    "}\n"
)
BEFORE, AFTER = 2 + 3, len(' */ auto pso = lib.getPipelineStateForFunc("')


def offering(*encodings):
    return merged(VERSIONED, {"general": {"positionEncodings": list(encodings)}})


@pytest.mark.parametrize("encoding", UNITS)
@pytest.mark.parametrize("newline", ["\n", "\r\n", "\r"])
def test_diagnostics_and_edits_count_in_the_clients_units(start, write, encoding, newline):
    root = write(CROSS)
    host = (root / HOST).as_uri()
    client = start(offering(encoding))
    assert client.initialize(root)["positionEncoding"] == encoding
    client.open(host, BROKEN.replace("\n", newline))

    (found,) = client.diagnostics(host)

    column = BEFORE + UNITS[encoding] + AFTER
    assert found["range"] == {"start": at(1, column), "end": at(1, column + len("cros_float"))}
    insertion = (1, column + len("cros"))
    client.change(host, 2, replacement(insertion, insertion, "s"))
    assert client.diagnostics(host, lambda it: it["version"] == 2) == []


def test_lines_end_where_an_editor_ends_them(start, write):
    root = write(CROSS)
    host = (root / HOST).as_uri()
    client = start(VERSIONED)
    client.initialize(root)
    client.open(host, "// one\u2028\x0c\x85 line\n" + CROSS[HOST])
    assert client.diagnostics(host) == []

    column = len('  auto pso = lib.getPipelineStateForFunc("cros')
    client.change(host, 2, replacement((2, column), (2, column + 1), ""))

    (found,) = client.diagnostics(host)
    assert found["range"]["start"]["line"] == 2


def test_a_lone_surrogate_does_not_stop_the_server(start, write):
    root = write(CROSS)
    metal = (root / METAL).as_uri()
    client = start(VERSIONED)
    client.initialize(root)
    client.open(metal, "// \ud83d alone\n" + CROSS[METAL])

    assert client.diagnostics(metal) == []
    client.change(metal, 2, {"text": CROSS[METAL].replace("cross", "cros")})
    assert client.diagnostics((root / HOST).as_uri())[0]["code"] == "unresolved-kernel-name"
