"""Go to, references, rename, call hierarchy and symbols in a real editor on PyTorch's own files."""

NATIVE = "aten/src/ATen/native"
HOST = f"{NATIVE}/mps/operations/BinaryKernel.mm"

_QUICKFIX = """
local found = {}
for _, it in ipairs(vim.fn.getqflist()) do
  table.insert(found, { vim.fn.fnamemodify(vim.fn.bufname(it.bufnr), ":t"), it.lnum })
end
return found
"""


def opened(nvim, pytorch_tree, text):
    """Open host code that asks for `fmax`, with the cursor after `text`."""
    nvim.edit(pytorch_tree / HOST)
    line = nvim.find(text)
    nvim.go(line, nvim.lines()[line - 1].index(text) + len(text))
    return line


def quickfix(nvim):
    return [tuple(it) for it in nvim.lua(_QUICKFIX)]


def ask(nvim, lua):
    """Ask from the code, where the list of the last answers may have taken the cursor away."""
    nvim.call("nvim_command", "cclose")
    nvim.lua(lua)


def test_references_of_a_kernels_stem(nvim, pytorch_tree):
    line = opened(nvim, pytorch_tree, '"fm')

    def listed():
        ask(nvim, "vim.lsp.buf.references()")
        return quickfix(nvim) if len(quickfix(nvim)) > 3 else None

    found = nvim.wait(listed)

    assert ("BinaryKernel.mm", line) in found
    assert {name for name, _ in found} == {"BinaryKernel.mm", "BinaryKernel.metal"}


def test_a_rename_changes_both_languages_and_asks_nothing(nvim, pytorch_tree):
    line = opened(nvim, pytorch_tree, '"fm')

    nvim.lua("vim.lsp.buf.rename('biggest')")

    nvim.wait(lambda: '"biggest"' in nvim.lines()[line - 1])
    nvim.call("nvim_command", f"edit {pytorch_tree / NATIVE}/mps/kernels/BinaryKernel.metal")
    changed = [it for it in nvim.lines() if "biggest" in it]
    assert len(changed) == 1
    assert 'host_name("biggest_" #DTYPE)' in changed[0]
    nvim.wait(lambda: not nvim.diagnostics())


def test_a_rename_that_other_backends_may_feel_is_asked_about(nvim, pytorch_tree):
    line = opened(nvim, pytorch_tree, "REGISTER_DISPATCH(fmax")
    nvim.lua("""
      _G.asked = {}
      vim.lsp.handlers["window/showMessageRequest"] = function(_, params)
        table.insert(_G.asked, params.message)
        return params.actions[1]
      end
      vim.lsp.buf.rename("biggest_stub")
    """)

    nvim.wait(lambda: "biggest_stub" in nvim.lines()[line - 1])

    (question,) = nvim.lua("return _G.asked")
    assert "`fmax_stub`: sources of other backends, which mkls does not read" in question


def test_a_refused_rename_says_why(nvim, pytorch_tree):
    opened(nvim, pytorch_tree, '"fm')

    nvim.lua("vim.lsp.buf.rename('fmin')")

    shown = nvim.wait(lambda: nvim.lua("return _G.shown"))
    assert "`fmin` already names something else" in " ".join(shown)


def test_callers_and_symbols(nvim, pytorch_tree):
    opened(nvim, pytorch_tree, "static void fmax_mps")

    def called():
        ask(nvim, "vim.lsp.buf.incoming_calls()")
        return quickfix(nvim)

    assert ("BinaryOps.cpp", 540) in nvim.wait(called)

    def symbols():
        ask(nvim, "vim.lsp.buf.workspace_symbol('fmax_half')")
        return [it for it in quickfix(nvim) if it[0] == "BinaryKernel.metal"]

    assert nvim.wait(symbols)
