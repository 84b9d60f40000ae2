"""Tokens, folds and selections on the wire."""

import pytest

from mkls.server.legend import KINDS, MODIFIERS
from mkls.server.token_data import changed_part
from tests.server.test_requests import ask, loaded
from tests.server.workspaces import CROSS, HOST, METAL, YAML
from tests.support.lsp_client import at

INVALID_PARAMS, REQUEST_FAILED = -32602, -32803
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


SNIPPETS = {
    "textDocument": {
        "completion": {
            "completionItem": {"snippetSupport": True, "documentationFormat": ["markdown"]}
        }
    }
}
ROW = "- func: rise(Tensor self) -> Tensor\n"


def test_completion_edits_what_is_typed_and_documents_on_demand(start, write):
    root = write({YAML: f"{ROW}  dispatch:\n    CPU, M\n"})
    uri = (root / YAML).as_uri()
    client = loaded(start, root)
    found = ask(client, "completion", uri, position=at(2, 10))
    first = found["items"][0]

    assert found["isIncomplete"] is False
    assert first["label"] == "MPS"
    assert first["textEdit"] == {"range": {"start": at(2, 9), "end": at(2, 10)}, "newText": "MPS"}
    assert "documentation" not in first
    resolved = client.call("completionItem/resolve", first)
    assert resolved["documentation"]["kind"] == "plaintext"
    assert resolved["documentation"]["value"].startswith("Dense tensors on Apple's GPU")


def test_snippets_are_for_those_who_know_them(start, write):
    root = write({YAML: ROW})
    uri = (root / YAML).as_uri()
    for capabilities, expected in (({}, "- func: "), (SNIPPETS, "- func: ${1:name}(${2:")):
        client = loaded(start, root, capabilities)
        first = ask(client, "completion", uri, position=at(1, 0))["items"][0]
        assert first["textEdit"]["newText"].startswith(expected)
        assert first.get("insertTextFormat") == (2 if capabilities else None)


def test_completion_in_every_encoding(start, write):
    text = "// \U0001f600\nkernel void f() { /* \U0001f600 */ rsq }\n"
    root = write({METAL: text})
    for encoding, column in (("utf-8", 32), ("utf-16", 30), ("utf-32", 29)):
        client = loaded(start, root, {"general": {"positionEncodings": [encoding]}})
        position = at(1, column)
        (item,) = ask(client, "completion", (root / METAL).as_uri(), position=position)["items"]
        assert item["label"] == "rsqrt"
        assert item["textEdit"]["range"] == {"start": at(1, column - 3), "end": position}


def test_a_blank_triggers_nothing_in_code(start, write):
    root = write(CROSS)
    client = loaded(start, root)
    blank = {"triggerKind": 2, "triggerCharacter": " "}
    about = {"position": at(1, 2), "context": blank}

    assert ask(client, "completion", (root / HOST).as_uri(), **about) is None


def test_help_with_a_signature_marks_the_parameter(start, write):
    text = "kernel void f() { x = fma(1, 2); }\n"
    root = write({METAL: text})
    offsets = {"parameterInformation": {"labelOffsetSupport": True}}
    knows = {"textDocument": {"signatureHelp": {"signatureInformation": offsets}}}
    for capabilities, label in (({}, "T b"), (knows, [11, 14])):
        client = loaded(start, root, capabilities)
        found = ask(client, "signatureHelp", (root / METAL).as_uri(), position=at(0, 29))
        (signature,) = found["signatures"]
        assert signature["label"] == "T fma(T a, T b, T c)"
        assert found["activeParameter"] == signature["activeParameter"] == 1
        assert signature["parameters"][1]["label"] == label


def test_hints_are_resolved_when_looked_at_and_switched_off_by_settings(start, write):
    root = write({METAL: "kernel void f(device float* out) {}\n"})
    uri = (root / METAL).as_uri()
    whole = {"start": at(0, 0), "end": at(1, 0)}
    client = loaded(start, root)
    (hint,) = ask(client, "inlayHint", uri, range=whole)

    assert (hint["label"], hint["position"]) == ("[[buffer(0)]]", at(0, 31))
    assert "tooltip" not in hint
    assert "lowest free" in client.call("inlayHint/resolve", hint)["tooltip"]["value"]
    (root / "mkls.toml").write_text("inlay-hints = { buffer-indices = false }\n")
    assert ask(loaded(start, root), "inlayHint", uri, range=whole) == []


def test_lenses_say_who_uses_a_kernel_and_lead_to_its_card(start, write):
    root = write(CROSS)
    client = loaded(start, root)
    run, users = ask(client, "codeLens", (root / METAL).as_uri())

    assert run["command"]["command"] == "mkls.runKernel"
    assert "command" not in users
    command = client.call("codeLens/resolve", users)["command"]
    assert command["title"] == "1 look-up · 0 rows"
    card = execute(client, command["command"], *command["arguments"])
    assert card["markdown"].startswith("# `cross_float`\n")


def test_a_lens_above_a_row_leads_to_the_operator_s_card(start, write):
    root = write({YAML: f"{ROW}  dispatch:\n    MPS: rise_mps\n"})
    client = loaded(start, root)
    (lens,) = ask(client, "codeLens", (root / YAML).as_uri())
    command = client.call("codeLens/resolve", lens)["command"]

    assert command["title"] == "MPS: host code · own function"
    card = execute(client, command["command"], *command["arguments"])
    assert (card["operator"], card["uri"]) == ("rise", "mkls:/operator/rise.md?operator=rise")
    assert "| `rise` | host code | `rise_mps` |" in card["markdown"]


FETCHES = {"workspace": {"textDocumentContent": {}}, "window": {"showDocument": {"support": True}}}


def test_virtual_documents_are_shown_and_fetched_where_the_client_can(start, write):
    # In a PyTorch checkout, only PyTorch's own folders are read.
    metal, host = (f"aten/src/ATen/native/mps/{it}" for it in (METAL, HOST))
    macro = "#define TWO(N) kernel void N() {}\nTWO(a);\n"
    root = write({YAML: ROW, metal: macro, host: INLINE})
    client = loaded(start, root, FETCHES)
    texts = {}
    for command, argument in (
        ("mkls.showOperator", {"operator": "rise"}),
        ("mkls.showKernel", {"kernel": "a"}),
        ("mkls.showExpansion", {"uri": (root / metal).as_uri(), "position": at(1, 1)}),
        ("mkls.showShader", {"uri": (root / host).as_uri(), "position": at(1, 4)}),
    ):
        result = execute(client, command, argument)
        asked = client.told("window/showDocument", lambda it, uri=result["uri"]: it["uri"] == uri)
        assert asked["takeFocus"] is True
        found = client.call("workspace/textDocumentContent", {"uri": result["uri"]})
        texts[command.removeprefix("mkls.show")] = found["text"]

    assert texts["Operator"].startswith("# `rise`\n")
    assert texts["Kernel"].startswith("# `a`\n")
    assert texts["Expansion"].startswith("// What this stands for:\n//   TWO(a)\n\nkernel void a()")
    assert texts["Shader"] == "\nkernel void b(device int* a) {}\n"


INLINE = 'static MetalShaderLibrary lib(R"MTL(\nkernel void b(device int* a) {}\n)MTL");\n'


@pytest.mark.parametrize(
    "uri", ["mkls:/nothing/a.md", "file:///a", "mkls:/shader/a?uri=file:///a", "mkls:/expansion/a"]
)
def test_other_documents_are_refused(start, write, uri):
    client = loaded(start, write(CROSS), FETCHES)

    assert client.error("workspace/textDocumentContent", {"uri": uri})["code"] == INVALID_PARAMS


@pytest.mark.parametrize(
    ("command", "argument", "code"),
    [
        ("showOperator", {"operator": "tide"}, REQUEST_FAILED),
        ("showKernel", {"kernel": ["tide"]}, REQUEST_FAILED),
        ("showOperator", {}, INVALID_PARAMS),
        ("showShader", {"uri": 1}, INVALID_PARAMS),
    ],
)
def test_commands_about_nothing_are_refused(start, write, command, argument, code):
    client = loaded(start, write(CROSS))
    params = {"command": f"mkls.{command}", "arguments": [argument]}

    assert client.error("workspace/executeCommand", params)["code"] == code


def execute(client, command, *arguments):
    return client.call("workspace/executeCommand", {"command": command, "arguments": arguments})


@pytest.mark.parametrize("uri", ["untitled:Untitled-1", "file:///nowhere/lone.metal"])
def test_a_document_without_a_workspace_has_what_it_has_itself(start, uri):
    client = start({"textDocument": {"diagnostic": {}}})
    client.initialize()
    client.open(uri, "kernel void f(device float* out) {}\n", "metal")
    whole = {"start": at(0, 0), "end": at(1, 0)}
    hints = ask(client, "inlayHint", uri, range=whole)
    lenses = ask(client, "codeLens", uri)

    assert [it["label"] for it in hints] == ["[[buffer(0)]]"]
    assert [it["command"]["title"] for it in lenses] == ["▶ Run"]
    assert ask(client, "semanticTokens/full", uri)["data"]


def test_the_colours_of_python_and_plain_cpp_are_left_to_others(start, write):
    text = 'import torch\nlib = torch.mps.compile_shader("kernel void f() {}")\nlib.f()\n'
    root = write({"wave.py": text, "wave.cpp": "DEFINE_DISPATCH(wave_stub);\n"})
    client = loaded(start, root)
    python, plain = ((root / it).as_uri() for it in ("wave.py", "wave.cpp"))

    assert ask(client, "semanticTokens/full", python) is None
    assert ask(client, "semanticTokens/full", plain) is None
    assert ask(client, "hover", python, position=at(2, 5))["range"]["start"] == at(2, 4)
    assert "dispatch stub" in ask(client, "hover", plain, position=at(0, 18))["contents"]["value"]
