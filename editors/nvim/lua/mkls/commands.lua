--- The buffer-local commands `:LspMkls…`.
local mkls = require("mkls")
local results = require("mkls.results")

local M = {}

--- Requests for runs that have no answer yet, by client: what :LspMklsCancel stops.
local pending = {}

---@param client vim.lsp.Client
---@param command string
---@param argument? table
---@param answered fun(result: any)
local function execute(client, command, argument, answered)
  local id
  local params = { command = command, arguments = { argument } }
  local function handler(failure, result)
    if id then pending[id] = nil end
    if failure then
      mkls.tell(failure.message, vim.log.levels.ERROR)
    else
      answered(result)
    end
  end
  local sent, request = client:request("workspace/executeCommand", params, handler)
  if sent and request then
    id = request
    pending[id] = client
  end
end

--- Run `action` with the client of the current buffer, or tell why there is none.
local function with_client(action)
  return function(call)
    local client, problem = mkls.client()
    if not client then
      mkls.tell(problem --[[@as string]], vim.log.levels.ERROR)
      return
    end
    action(client, call)
  end
end

local function place(client)
  return vim.lsp.util.make_position_params(0, client.offset_encoding)
end

--- The lens at or above the cursor, whose kernels are meant.
local function lens_at_cursor(lenses)
  local line = vim.api.nvim_win_get_cursor(0)[1] - 1
  local found
  for _, lens in ipairs(lenses or {}) do
    local runs = lens.command and lens.command.command == "mkls.runKernel"
    if runs and (not found or lens.range.start.line <= line) then found = lens end
  end
  return found
end

local function run_kernel(check)
  return with_client(function(client)
    local bufnr = vim.api.nvim_get_current_buf()
    local params = { textDocument = vim.lsp.util.make_text_document_params(bufnr) }
    client:request("textDocument/codeLens", params, function(failure, lenses)
      local lens = not failure and lens_at_cursor(lenses)
      if not lens then
        mkls.tell("there is no kernel to run here", vim.log.levels.WARN)
        return
      end
      local argument = vim.tbl_extend("force", lens.command.arguments[1], { check = check })
      execute(client, "mkls.runKernel", argument, function(report) results.show(bufnr, report) end)
    end, bufnr)
  end)
end

--- The operator whose row the cursor is in, to be offered as the default.
local function operator_at_cursor()
  if not vim.api.nvim_buf_get_name(0):match("native_functions%.yaml$") then return "" end
  for line = vim.api.nvim_win_get_cursor(0)[1], 1, -1 do
    local text = vim.api.nvim_buf_get_lines(0, line - 1, line, false)[1]
    local name = text:match("^%- func: ([%w_.]+)")
    if name then return name end
  end
  return ""
end

local function with_operator(prompt, action)
  return with_client(function(client, call)
    if call.args ~= "" then
      action(client, call.args)
      return
    end
    vim.ui.input({ prompt = prompt, default = operator_at_cursor() }, function(name)
      if name and name ~= "" then action(client, name) end
    end)
  end)
end

local run_operator = with_operator("Run operator: ", function(client, operator)
  local bufnr = vim.api.nvim_get_current_buf()
  execute(client, "mkls.runOperator", { operator = operator }, function(report) results.show(bufnr, report) end)
end)

local show_operator = with_operator("Show operator: ", function(client, operator)
  execute(client, "mkls.showOperator", { operator = operator }, function(card)
    require("mkls.card").open(type(card) == "string" and card or card.markdown)
  end)
end)

local show_expansion = with_client(function(client)
  local position = place(client)
  local argument = { uri = position.textDocument.uri, position = position.position }
  execute(client, "mkls.showExpansion", argument, function(expansion)
    if not expansion or expansion == vim.NIL then
      mkls.tell("there is no registration macro at the cursor", vim.log.levels.WARN)
      return
    end
    local text = { "```metal", "// " .. expansion.invocation, expansion.text, "```" }
    require("mkls.card").open(table.concat(text, "\n"))
  end)
end)

--- How many runs have no answer yet.
---@return integer
function M.running() return vim.tbl_count(pending) end

local function cancel()
  -- Neovim does not hand on the answer to a request that was cancelled.
  local count = M.running()
  for id, client in pairs(pending) do client:cancel_request(id) end
  pending = {}
  mkls.tell(count == 0 and "nothing is running" or ("cancelled %d"):format(count))
end

local restart_worker = with_client(function(client)
  execute(client, "mkls.restartWorker", nil, function() mkls.tell("the worker starts anew") end)
end)

local function restart()
  vim.lsp.enable("mkls", false)
  vim.defer_fn(function() vim.lsp.enable("mkls", true) end, 500)
end

local COMMANDS = {
  Run = { run_kernel(nil), "Run the kernel at the cursor, from the text in the buffer" },
  RunChecked = { run_kernel(true), "Run it checked: accesses out of bounds, races, barriers" },
  RunOperator = { run_operator, "Run an operator's kernels against torch", nargs = "?" },
  Cancel = { cancel, "Stop the runs that are under way" },
  Operator = { show_operator, "Show all layers of an operator", nargs = "?" },
  Expansion = { show_expansion, "Show what the registration at the cursor stands for" },
  Clear = { function() results.clear(0) end, "Remove the results of runs" },
  RestartWorker = { restart_worker, "Start the process that runs kernels anew" },
  Restart = { restart, "Start the server anew" },
}

--- Define the commands in a buffer.
---@param bufnr integer
function M.define(bufnr)
  for name, it in pairs(COMMANDS) do
    local options = { desc = it[2], nargs = it.nargs or 0, force = true }
    vim.api.nvim_buf_create_user_command(bufnr, "LspMkls" .. name, it[1], options)
  end
end

return M
