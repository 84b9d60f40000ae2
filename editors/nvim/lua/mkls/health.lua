--- :checkhealth mkls
local M = {}

local function command()
  local config = vim.lsp.config.mkls
  return config and config.cmd
end

local function check_server(cmd)
  if type(cmd) ~= "table" or vim.fn.executable(cmd[1]) == 0 then
    vim.health.error(("`%s` is not executable"):format(type(cmd) == "table" and cmd[1] or vim.inspect(cmd)), {
      "pip install mkls, in an environment that is on PATH",
      'or name it: vim.lsp.config("mkls", { cmd = { "/path/to/mkls", "serve" } })',
    })
    return
  end
  vim.health.ok("server: " .. vim.fn.exepath(cmd[1]))
  local call = vim.list_slice(cmd, 1, math.max(1, #cmd - 1))
  if cmd[#cmd] == "--stdio" then call = vim.list_slice(cmd, 1, math.max(1, #cmd - 2)) end
  local ended = vim.system(vim.list_extend(call, { "doctor" }), { text = true }):wait(30000)
  for line in vim.gsplit(ended.stdout or "", "\n", { trimempty = true }) do
    local tell = line:match("^%s*!") and vim.health.warn or vim.health.info
    tell(line)
  end
  if ended.code ~= 0 then vim.health.error("mkls doctor failed: " .. (ended.stderr or "")) end
end

function M.check()
  vim.health.start("mkls")
  if vim.fn.has("nvim-0.11") == 1 then
    vim.health.ok("Neovim " .. tostring(vim.version()))
  else
    vim.health.error("Neovim 0.11 or newer is needed")
  end
  check_server(command())
  local clients = vim.lsp.get_clients({ name = "mkls" })
  vim.health.info(("%d running"):format(#clients))
  local looked, found = pcall(vim.treesitter.language.add, "metal")
  if looked and found then
    vim.health.ok("the tree-sitter parser `metal` is installed")
  else
    vim.health.info("no tree-sitter parser `metal`: colours come from syntax/metal.vim")
  end
end

return M
