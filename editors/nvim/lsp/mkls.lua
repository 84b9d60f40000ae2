-- Found on the runtime path by vim.lsp.enable("mkls") (Neovim 0.11 and newer).
-- Change it with vim.lsp.config("mkls", { ... }): `cmd` names the server, `settings.mkls` are its settings.
return {
  cmd = { "mkls", "serve" },
  filetypes = { "metal", "objcpp", "cpp", "c", "python", "yaml" },
  root_markers = {
    "aten/src/ATen/native/native_functions.yaml",
    "mkls.toml",
    "pyproject.toml",
    ".git",
  },
  settings = { mkls = {} },
  capabilities = { workspace = { didChangeWatchedFiles = { dynamicRegistration = true } } },
}
