"""The server answers while it reads a checkout."""

from tests.support.lsp_client import LspClient
from tests.support.lsp_server import ServerProcess

YAML = "aten/src/ATen/native/native_functions.yaml"


def test_what_is_open_is_answered_before_everything_is_read(pytorch_tree, tmp_path):
    uri = (pytorch_tree / YAML).as_uri()
    text = (pytorch_tree / YAML).read_text(encoding="utf-8")
    line = text[: text.index("func: logit_(")].count("\n")
    position = {"line": line, "character": 10}
    capabilities = {
        "window": {"workDoneProgress": True},
        "textDocument": {"publishDiagnostics": {"versionSupport": True}},
    }
    server = ServerProcess(environment={"MKLS_CACHE_DIR": str(tmp_path)})
    client = LspClient(server, capabilities)
    try:
        client.initialize(pytorch_tree)
        client.open(uri, text, language="yaml")
        hover = client.call(
            "textDocument/hover", {"textDocument": {"uri": uri}, "position": position}
        )
        before = [it for it in client.received if it.get("method") == "$/progress"]
        token = client.told("window/workDoneProgress/create")["token"]
        kinds = []
        while kinds[-1:] != ["end"]:
            kinds.append(
                client.told("$/progress", lambda it: it["token"] == token)["value"]["kind"]
            )

        assert "`logit_`" in hover["contents"]["value"]
        assert "end" not in [it["params"]["value"]["kind"] for it in before]
        assert kinds[0] == "begin"
        assert set(kinds[1:-1]) <= {"report"}
        assert client.diagnostics(uri, lambda it: it["version"] == 1)
    finally:
        client.stop()
