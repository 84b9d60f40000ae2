"""The main job in a real editor: PyTorch's own files, unsaved buffers, a plain LSP client."""

import re

NATIVE = "aten/src/ATen/native"
YAML = f"{NATIVE}/native_functions.yaml"
MISSING = "missing-sibling-dispatch"


def coded(nvim, code):
    return [(line, message) for line, found, message in nvim.diagnostics() if found == code]


def test_a_dispatch_line_is_deleted_missed_and_put_back(nvim, pytorch_tree):
    nvim.edit(pytorch_tree / YAML)
    before = nvim.lines()
    row = nvim.find("- func: logit.out(")
    assert nvim.wait(lambda: coded(nvim, MISSING))
    known = coded(nvim, MISSING)
    assert row not in [line for line, _ in known]

    dispatch = nvim.find("MPS: logit_out_mps")
    nvim.go(dispatch, 1)
    nvim.type("dd")

    nvim.wait(lambda: row in [line for line, _ in coded(nvim, MISSING)])
    (message,) = [message for line, message in coded(nvim, MISSING) if line == row]
    assert message == "`logit.out` has CPU and CUDA kernels but no MPS, which `logit` has"

    nvim.go(row, 1)
    nvim.lua("""
      vim.ui.select = function(items, _, choose) choose(items[1], 1) end
      vim.lsp.buf.code_action()
    """)

    nvim.wait(lambda: nvim.lines() == before)
    nvim.wait(lambda: coded(nvim, MISSING) == known)


def test_a_kernels_name_is_misspelt_while_typing(nvim, pytorch_tree):
    nvim.edit(pytorch_tree / NATIVE / "mps/operations/BinaryKernel.mm")
    line = nvim.find('"fmax"')
    column = nvim.lines()[line - 1].index('"fmax"')

    nvim.go(line, column + 2)
    nvim.type("ix<Esc>")

    found = nvim.wait(lambda: coded(nvim, "unresolved-kernel-name"))
    assert found == [(line, "no Metal source defines kernel `xfmax_{dtype}`")]
    nvim.type("x")
    nvim.wait(lambda: not nvim.diagnostics())


def test_a_kernel_is_registered_twice_while_typing(nvim, pytorch_tree):
    nvim.edit(pytorch_tree / NATIVE / "mps/kernels/BinaryKernel.metal")
    line = nvim.find("REGISTER_FMAX_OP(float);")
    nvim.go(line, 1)

    nvim.type("oREGISTER_FMAX_OP(float);<Esc>")

    found = nvim.wait(lambda: coded(nvim, "duplicate-host-name"))
    assert {it for it, _ in found} <= {line, line + 1}
    nvim.type("dd")
    nvim.wait(lambda: not nvim.diagnostics())


def test_from_a_row_to_its_kernel(nvim, pytorch_tree):
    nvim.edit(pytorch_tree / YAML)
    assert nvim.wait(lambda: coded(nvim, MISSING))
    line = nvim.find("MPS: add_out_mps")
    nvim.go(line, nvim.lines()[line - 1].index("add_out_mps") + 1)

    nvim.lua("vim.lsp.buf.definition()")

    nvim.wait(lambda: nvim.place()[0] == "BinaryOps.mm")
    _, line = nvim.place()
    assert "TORCH_IMPL_FUNC(add_out_mps)" in nvim.lines()[line - 1]


def test_hovering_over_a_row_tells_how_its_overloads_run(nvim, pytorch_tree):
    nvim.edit(pytorch_tree / YAML)
    assert nvim.wait(lambda: coded(nvim, MISSING))
    nvim.go(nvim.find("- func: logit_("), 10)

    nvim.lua("""
      vim.lsp.buf_request(0, "textDocument/hover",
        vim.lsp.util.make_position_params(0, vim.lsp.get_clients()[1].offset_encoding),
        function(failure, result) _G.hovered = vim.inspect(failure or result.contents) end)
    """)

    text = nvim.wait(lambda: nvim.lua("return _G.hovered"))
    assert "**`logit_`** on MPS: nothing" in text
    assert re.search(r"\| `logit\.out` +\| `logit_out_mps` +\|", text)
    assert nvim.lua("return _G.shown") == []
