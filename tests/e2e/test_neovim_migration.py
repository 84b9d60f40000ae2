"""From `MPS: atan2_out_mps` to a running kernel, with code actions alone."""

import json

import pytest

from mkls.cli.main import run
from tests.support.legacy_tree import NATIVE, YAML, Legacy, legacy_files, write_tree

OPERATIONS = f"{NATIVE}/mps/operations"

_OFFERED = """
local params = vim.lsp.util.make_range_params(0, vim.lsp.get_clients()[1].offset_encoding)
params.context = { diagnostics = {}, triggerKind = 1 }
local answers = vim.lsp.buf_request_sync(0, "textDocument/codeAction", params, 10000)
local titles = {}
for _, answer in pairs(answers or {}) do
  for _, it in ipairs(answer.result or {}) do table.insert(titles, it.title) end
end
return titles
"""
_CHOOSE = """
vim.lsp.buf.code_action({
  filter = function(it) return vim.startswith(it.title, "Migrate `atan2`") end,
  apply = true,
})
"""


@pytest.fixture
def tree(tmp_path):
    root = tmp_path / "pytorch"
    write_tree(root, legacy_files([Legacy("atan2", 2), Legacy("hypot", 2)]))
    return root


def test_an_operator_is_migrated_with_code_actions_alone(nvim, tree, capsys):
    nvim.edit(tree / YAML)
    line = nvim.find("MPS: atan2_out_mps")
    nvim.go(line, 6)

    nvim.wait(lambda: "Migrate `atan2` to its dispatch stub" in nvim.lua(_OFFERED))
    nvim.lua(_CHOOSE)
    nvim.wait(lambda: "    CPU, CUDA, MPS: atan2_out" in nvim.lines())
    nvim.lua("vim.cmd('silent! wall')")

    host = (tree / OPERATIONS / "BinaryKernel.mm").read_text(encoding="utf-8")
    assert "REGISTER_DISPATCH(atan2_stub, &atan2_mps_kernel)" in host
    legacy = (tree / OPERATIONS / "Legacy.mm").read_text(encoding="utf-8")
    assert "atan2_out_mps" not in legacy
    assert "hypot_out_mps" in legacy
    capsys.readouterr()
    assert run(["check", str(tree), "--output-format", "json"]) == 0
    assert json.loads(capsys.readouterr().out) == []
    arguments = ["run", "--op", "atan2", "--root", str(tree), "--no-check"]
    assert run([*arguments, "--output-format", "json"]) == 0
    outcomes = [it["outcome"] for it in json.loads(capsys.readouterr().out)["runs"]]
    assert len(outcomes) > 100
    assert set(outcomes) == {"passed"}
    # What has moved is not offered again.
    nvim.go(nvim.find("CPU, CUDA, MPS: atan2_out"), 6)
    nvim.wait(lambda: nvim.lua(_OFFERED) == [])
