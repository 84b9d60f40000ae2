---@brief
---
--- mkls links `native_functions.yaml`, Metal kernels and the Objective-C++ that launches them in
--- PyTorch's MPS backend, checks them, and runs kernels.
---
--- It can be installed with `pip install mkls`, or `pip install 'mkls[run]'` to run kernels as well.
---
--- Neovim has no filetype for Metal:
---
--- ```lua
--- vim.filetype.add({ extension = { metal = 'metal' } })
--- ```

---@type vim.lsp.Config
return {
  cmd = { 'mkls', 'serve' },
  filetypes = { 'metal', 'objcpp', 'yaml' },
  root_markers = { 'aten/src/ATen/native/native_functions.yaml', 'mkls.toml' },
  workspace_required = true,
}
