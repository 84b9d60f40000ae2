--- mkls for Neovim: commands of a buffer, results of runs, code lenses that stay fresh.
local M = {}

local GROUP = "mkls"

--- Return the client of mkls that serves a buffer, or nil and what is wrong.
---@param bufnr? integer the current buffer without it
---@return vim.lsp.Client?, string?
function M.client(bufnr)
  local client = vim.lsp.get_clients({ bufnr = bufnr or 0, name = "mkls" })[1]
  if client then return client end
  return nil, "mkls does not serve this buffer; see :checkhealth mkls"
end

---@param message string
---@param level? integer
function M.tell(message, level)
  vim.notify("mkls: " .. message, level or vim.log.levels.INFO)
end

local function refresh_lenses(bufnr)
  if vim.api.nvim_buf_is_loaded(bufnr) and vim.g.mkls_codelens ~= false then
    vim.lsp.codelens.refresh({ bufnr = bufnr })
  end
end

local function attached(args)
  local client = vim.lsp.get_client_by_id(args.data.client_id)
  if not client or client.name ~= "mkls" then return end
  require("mkls.commands").define(args.buf)
  if client:supports_method("textDocument/codeLens") then
    refresh_lenses(args.buf)
    vim.api.nvim_create_autocmd({ "BufEnter", "InsertLeave", "TextChanged" }, {
      group = GROUP,
      buffer = args.buf,
      callback = function() refresh_lenses(args.buf) end,
    })
  end
end

--- Start to look after buffers that mkls serves. plugin/mkls.lua does this.
function M.setup()
  vim.api.nvim_create_augroup(GROUP, { clear = true })
  vim.api.nvim_create_autocmd("LspAttach", { group = GROUP, callback = attached })
end

return M
