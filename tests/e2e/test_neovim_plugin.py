"""The plugin of `editors/nvim` in a real Neovim."""

import re
from collections.abc import Iterator

import pytest

from tests.server.kernels import SHADER, TWICE
from tests.support.neovim_plugin import PLUGIN, PluggedNeovim

_VIRTUAL_TEXT = """
local found = {}
local namespace = vim.api.nvim_get_namespaces()["mkls.results"]
for _, it in ipairs(vim.api.nvim_buf_get_extmarks(0, namespace, 0, -1, { details = true })) do
  table.insert(found, { it[2] + 1, it[4].virt_text[1][1] })
end
return found
"""
_FLOATING = """
for _, window in ipairs(vim.api.nvim_list_wins()) do
  if vim.api.nvim_win_get_config(window).relative ~= "" then
    return vim.api.nvim_buf_get_lines(vim.api.nvim_win_get_buf(window), 0, -1, false)
  end
end
"""
_RUNNING = "return require('mkls.commands').running() > 0"
ENDLESS = """\
// mkls-run: threads=1
// mkls-arg: out = zeros(1)
kernel void endless(device float* out) { for (;;) out[0] += 1; }
"""


@pytest.fixture
def nvim(tmp_path_factory) -> Iterator[PluggedNeovim]:
    editor = PluggedNeovim(tmp_path_factory.mktemp("editor"))
    yield editor
    editor.close()


@pytest.fixture
def shader(tmp_path):
    (tmp_path / "mkls.toml").touch()
    path = tmp_path / SHADER
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(TWICE)
    return path


def virtual_text(nvim):
    return [(line, text.strip()) for line, text in nvim.lua(_VIRTUAL_TEXT)]


def quickfix(nvim):
    return [it["text"] for it in nvim.lua("return vim.fn.getqflist()")]


def test_metal_files_and_headers_of_kernels_get_their_filetype(nvim):
    names = ("a.metal", "t/c10/metal/utils.h", "t/aten/src/ATen/native/mps/kernels/A.h", "x/a.h")

    found = [nvim.lua("return vim.filetype.match({ filename = ... })", f"/r/{it}") for it in names]

    assert found[:3] == ["metal"] * 3
    assert found[3] != "metal"


def test_metal_is_coloured_without_a_parser(nvim, tmp_path):
    path = tmp_path / "a.metal"
    path.write_text("kernel void f(device half4* x [[buffer(0)]]) { simd_sum(1.0h); }\n")
    nvim.call("nvim_command", f"edit {path}")

    def group(word):
        column = path.read_text().index(word) + 1
        return nvim.lua("return vim.fn.synIDattr(vim.fn.synID(1, ..., 1), 'name')", column)

    assert group("kernel") == "metalFunctionKind"
    assert group("device") == "metalAddressSpace"
    assert group("half4") == "metalVectorType"
    assert group("buffer") == "metalAttributeName"
    assert group("simd_sum") == "metalFunction"


def test_a_run_shows_beside_the_kernel_and_in_the_quickfix_list(nvim, shader):
    nvim.edit(shader)
    kernel = nvim.find("kernel void twice")
    nvim.go(nvim.find("return x * 2"), TWICE.splitlines()[3].index("2;") + 1)
    nvim.type("r3")
    nvim.wait(lambda: "return x * 3" in "\n".join(nvim.lines()))
    nvim.go(kernel, 1)

    nvim.wait(lambda: nvim.lua("return vim.fn.exists(':LspMklsRun')") == 2)
    nvim.call("nvim_command", "LspMklsRun")

    ((line, text),) = nvim.wait(lambda: virtual_text(nvim))
    assert line == kernel
    assert text.startswith("✗ 1 of 1 cases: ")
    assert "7 of 8 differ" in text
    assert len(quickfix(nvim)) == 1
    assert any("1 failed: see :copen" in it for it in nvim.shown())

    nvim.go(nvim.find("return x * 3"), TWICE.splitlines()[3].index("2;") + 1)
    nvim.type("r2")
    nvim.wait(lambda: "return x * 2" in "\n".join(nvim.lines()))
    nvim.go(kernel, 1)
    nvim.call("nvim_command", "LspMklsRun")

    nvim.wait(lambda: virtual_text(nvim) == [(kernel, "✓ 1 case")])
    assert quickfix(nvim) == []


def test_a_run_is_cancelled(nvim, shader):
    shader.write_text(ENDLESS)
    nvim.edit(shader)
    nvim.wait(lambda: nvim.lua("return vim.fn.exists(':LspMklsRun')") == 2)
    nvim.go(3, 1)
    nvim.call("nvim_command", "LspMklsRun")
    nvim.wait(lambda: nvim.lua(_RUNNING))

    nvim.call("nvim_command", "LspMklsCancel")

    nvim.wait(lambda: "mkls: cancelled 1" in nvim.shown())


def test_an_expansion_floats(nvim, shader):
    shader.write_text("#define MAKE(T) kernel void f_##T(device T* x) {}\nMAKE(float);\n")
    nvim.edit(shader)
    nvim.wait(lambda: nvim.lua("return vim.fn.exists(':LspMklsExpansion')") == 2)
    nvim.go(2, 1)

    nvim.call("nvim_command", "LspMklsExpansion")

    text = nvim.wait(lambda: nvim.lua(_FLOATING))
    assert any("kernel void f_float" in line for line in text)


def test_a_server_that_is_not_there_is_told_in_the_health_report(tmp_path_factory, shader):
    editor = PluggedNeovim.__new__(PluggedNeovim)
    folder = tmp_path_factory.mktemp("editor")
    editor.setup = lambda folder: editor.start(["/nowhere/mkls", "serve"], folder)
    editor.__init__(folder)
    try:
        editor.call("nvim_command", f"edit {shader}")
        editor.call("nvim_command", "checkhealth mkls")

        report = "\n".join(editor.lines())
        assert "`/nowhere/mkls` is not executable" in report
        assert "pip install mkls" in report
    finally:
        editor.close()


def test_the_health_report_holds_the_doctors(nvim, shader):
    nvim.edit(shader)
    nvim.call("nvim_command", "checkhealth mkls")

    report = "\n".join(nvim.lines())
    assert "pygls" in report
    assert "1 running" in report


def test_each_command_is_in_the_manual():
    manual = (PLUGIN / "doc/mkls.txt").read_text()
    commands = (PLUGIN / "lua/mkls/commands.lua").read_text()
    table = commands[commands.index("local COMMANDS = {") :]
    names = re.findall(r"^  (\w+) = \{ ", table, re.MULTILINE)

    assert len(names) > 6
    assert [it for it in names if f"*:LspMkls{it}*" not in manual] == []
