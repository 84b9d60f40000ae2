if vim.g.loaded_mkls then return end
vim.g.loaded_mkls = true

if vim.fn.has("nvim-0.11") == 0 then
  vim.notify("mkls needs Neovim 0.11 or newer", vim.log.levels.WARN)
  return
end

require("mkls").setup()
if vim.g.mkls_enable ~= false then vim.lsp.enable("mkls") end
