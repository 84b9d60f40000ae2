"""Python documents: shaders in their strings, and what is launched from them."""

from tests.server.workspaces import PULLING, codes
from tests.support.lsp_client import replacement

OPS = "ripple/ops.py"
METAL = "ripple/fill.metal"
KERNEL = "kernel void fill(device float* out, uint i [[thread_position_in_grid]]) { out[i] = 1; }\n"
IN_STRING = f"""\
import torch
lib = torch.mps.compile_shader(r'''
{KERNEL}''')
lib.fil(torch.zeros(3))
"""
IN_FILE = """\
from pathlib import Path
import torch
lib = torch.mps.compile_shader(Path(__file__).with_name("fill.metal").read_text())
lib.fill(torch.zeros(3), 1)
"""


def pull(client, uri):
    params = {"textDocument": {"uri": uri}}
    return client.call("textDocument/diagnostic", params)["items"]


def test_a_python_document_is_checked_when_the_client_is_told(start, write):
    root = write({OPS: IN_STRING})
    client = start()
    client.initialize(root)

    (found,) = client.diagnostics((root / OPS).as_uri())

    assert found["code"] == "unknown-shader-kernel"
    assert found["range"]["start"] == {"line": 4, "character": 4}


def test_a_python_document_is_checked_when_the_client_asks(start, write):
    root = write({OPS: IN_STRING, METAL: KERNEL})
    uri = (root / OPS).as_uri()
    client = start(PULLING)
    client.initialize(root)
    client.open(uri, IN_STRING, language="python")

    assert codes(pull(client, uri)) == ["unknown-shader-kernel"]
    client.change(uri, 2, replacement((4, 4), (4, 7), "fill"))
    assert pull(client, uri) == []


def test_shaders_may_come_later(start, write):
    root = write({METAL: KERNEL})
    uri = (root / OPS).as_uri()
    client = start(PULLING)
    client.initialize(root)
    client.open(uri, "", language="python")
    assert pull(client, uri) == []

    client.change(uri, 2, replacement((0, 0), (0, 0), IN_STRING))

    assert codes(pull(client, uri)) == ["unknown-shader-kernel"]


def test_an_edit_of_the_metal_file_changes_what_is_said_about_python(start, write):
    root = write({OPS: IN_FILE, METAL: KERNEL})
    python, metal = (root / OPS).as_uri(), (root / METAL).as_uri()
    client = start(PULLING)
    client.initialize(root)
    client.open(python, IN_FILE, language="python")
    client.open(metal, KERNEL, language="metal")
    assert codes(pull(client, python)) == ["shader-argument-mismatch"]

    client.change(metal, 2, replacement((0, 34), (0, 34), ", constant int& n"))

    assert pull(client, python) == []


def test_rules_for_metal_look_into_strings(start, write):
    text = IN_STRING.replace("fil(", "fill(").replace("= 1;", "= double(1);")
    root = write({OPS: text})
    client = start()
    client.initialize(root)

    (found,) = client.diagnostics((root / OPS).as_uri())

    assert found["code"] == "invalid-double"
    line, column = found["range"]["start"]["line"], found["range"]["start"]["character"]
    assert text.splitlines()[line][column:].startswith("double")
