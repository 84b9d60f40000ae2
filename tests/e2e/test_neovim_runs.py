"""Run kernel in a real editor: a code lens on the unsaved text, its result beside the code."""

from tests.server.kernels import SHADER, TWICE

_LENSES = """
local found = {}
for _, it in ipairs(vim.lsp.codelens.get(0)) do
  table.insert(found, it.command and it.command.title or "")
end
return found
"""


def test_a_lens_runs_what_is_typed_and_shows_what_differs(nvim, tmp_path):
    (tmp_path / "aten/src/ATen/native").mkdir(parents=True)
    (tmp_path / "aten/src/ATen/native/native_functions.yaml").touch()
    path = tmp_path / SHADER
    path.parent.mkdir()
    path.write_text(TWICE)
    nvim.edit(path)
    nvim.go(nvim.find("return x * 2"), TWICE.splitlines()[3].index("2;") + 1)
    nvim.type("r3")
    kernel = nvim.find("kernel void twice")

    def lenses():
        nvim.lua("vim.lsp.codelens.refresh({ bufnr = 0 })")
        return nvim.lua(_LENSES)

    nvim.wait(lambda: lenses() == ["▶ Run", "▶ Run"])
    nvim.go(kernel, 1)
    nvim.lua("vim.lsp.codelens.run()")

    ((line, code, message),) = nvim.wait(nvim.diagnostics)
    assert (line, code) == (kernel, "mismatched")
    assert "7 of 8 differ; first at [1]: expected 2, got 3" in message
    nvim.wait(lambda: lenses() == ["✗ as directed: 7 of 8 differ", "▶ Run"])

    nvim.go(nvim.find("return x * 3"), TWICE.splitlines()[3].index("2;") + 1)
    nvim.type("r2")
    nvim.wait(lambda: not nvim.diagnostics())
    nvim.go(kernel, 1)
    nvim.wait(lambda: lenses() == ["▶ Run", "▶ Run"])
    nvim.lua("vim.lsp.codelens.run()")

    nvim.wait(lambda: lenses() == ["✓ 1 case", "▶ Run"])
    assert nvim.diagnostics() == []
    assert nvim.lua("return _G.shown") == []
