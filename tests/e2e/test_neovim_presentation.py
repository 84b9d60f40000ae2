"""What a real editor shows: completion, hints, lenses, tokens, folds, help with a signature."""

NATIVE = "aten/src/ATen/native"


def test_completion_in_a_row_inserts_the_function_that_fits(nvim, pytorch_tree):
    nvim.edit(pytorch_tree / f"{NATIVE}/native_functions.yaml")
    line = nvim.find("MPS: logit_out_mps")
    nvim.go(line, 1)
    nvim.wait(nvim.diagnostics)  # the whole workspace is read
    nvim.type("0C    MPS: logit_o<C-x><C-o>")

    nvim.wait(
        lambda: (
            nvim.lua("return vim.fn.pumvisible()") == 1 or nvim.lines()[line - 1].endswith("_mps")
        )
    )
    nvim.type("<C-y><Esc>")
    nvim.wait(lambda: nvim.lines()[line - 1] == "    MPS: logit_out_mps")


def test_hints_are_shown_in_a_kernel(nvim, pytorch_tree):
    nvim.edit(pytorch_tree / f"{NATIVE}/mps/kernels/TriangularOps.metal")
    nvim.lua("vim.lsp.inlay_hint.enable(true)")

    def labels():
        return nvim.lua("""
          local found = {}
          for _, it in ipairs(vim.lsp.inlay_hint.get({ bufnr = 0 })) do
            table.insert(found, it.inlay_hint.label)
          end
          return found
        """)

    found = nvim.wait(labels)
    assert "[[buffer(0)]]" in found
    assert any(it.startswith("→ ") for it in found)


def test_tokens_colour_address_spaces_and_kernels(nvim, pytorch_tree):
    nvim.edit(pytorch_tree / f"{NATIVE}/mps/kernels/Quantized.metal")
    line = nvim.find("kernel void int4pack_mm(constant T *A")
    column = nvim.lines()[line - 1].index("constant")

    def marks():
        return nvim.lua(
            """
            local row, column = ...
            local found = {}
            for _, it in ipairs(vim.lsp.semantic_tokens.get_at_pos(0, row, column) or {}) do
              table.insert(found, it.type)
              for name in pairs(it.modifiers) do table.insert(found, name) end
            end
            return found
            """,
            line - 1,
            column,
        )

    assert nvim.wait(marks) == ["keyword", "constant"]


def test_lenses_say_who_uses_a_kernel(nvim, pytorch_tree):
    nvim.edit(pytorch_tree / f"{NATIVE}/mps/kernels/RenormKernel.metal")

    def titles():
        nvim.lua("vim.lsp.codelens.refresh({ bufnr = 0 })")
        return [
            title
            for title in nvim.lua("""
              local found = {}
              for _, it in ipairs(vim.lsp.codelens.get(0)) do
                table.insert(found, it.command and it.command.title or '')
              end
              return found
            """)
            if title
        ]

    found = nvim.wait(lambda: [it for it in titles() if "look-up" in it])
    assert set(found) == {"1 look-up · 1 row"}
