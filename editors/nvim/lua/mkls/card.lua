--- A floating window with Markdown, to be read and closed with q.
local M = {}

---@param markdown string
---@return integer window
function M.open(markdown)
  local lines = vim.split(markdown or "", "\n", { trimempty = true })
  local bufnr, window = vim.lsp.util.open_floating_preview(lines, "markdown", {
    border = "rounded",
    focus_id = "mkls",
    max_width = math.min(100, vim.o.columns - 4),
    max_height = math.floor(vim.o.lines * 0.7),
  })
  vim.keymap.set("n", "q", "<cmd>close<cr>", { buffer = bufnr, nowait = true })
  return window
end

return M
