--- What runs came to: virtual text at the kernels, and failures in the quickfix list.
local mkls = require("mkls")

local M = {}

local NAMESPACE = vim.api.nvim_create_namespace("mkls.results")

local function failed(run) return run.outcome ~= "passed" and run.outcome ~= "skipped" end

--- One line about a run that failed.
local function told(run)
  local mismatch = run.mismatch
  if mismatch and mismatch ~= vim.NIL then
    local index = table.concat(vim.tbl_map(tostring, mismatch.index), ", ")
    return ("%s[%s]: expected %s, got %s; %d of %d differ"):format(
      mismatch.argument, index, mismatch.expected, mismatch.got, mismatch.count, mismatch.total
    )
  end
  local finding = (run.findings or {})[1]
  if finding then return finding.kind .. ": " .. finding.message end
  local problem = (run.problems or {})[1]
  if problem then return problem.message end
  return run.message ~= "" and run.message or run.outcome
end

--- Where to go for a run that failed: its finding, its compile error, else its kernel.
local function spot(run, file)
  for _, it in ipairs({ (run.findings or {})[1] or false, (run.problems or {})[1] or false, run }) do
    if it and it.path and it.path ~= "" and it.line > 0 then
      return { filename = it.path, lnum = it.line, col = it.column or 1 }
    end
  end
  return { filename = file, lnum = 1, col = 1 }
end

local function quickfix(report)
  local items = {}
  for _, run in ipairs(report.runs) do
    if failed(run) then
      local item = spot(run, report.file)
      item.text = ("%s (%s): %s"):format(run.kernel, run.case, told(run))
      item.type = "E"
      table.insert(items, item)
    end
  end
  vim.fn.setqflist({}, " ", { title = "mkls run", items = items })
  return items
end

local function by_line(bufnr, report)
  local name = vim.api.nvim_buf_get_name(bufnr)
  local lines = {}
  for _, run in ipairs(report.runs) do
    if run.line and run.line > 0 and vim.fs.normalize(run.path) == vim.fs.normalize(name) then
      lines[run.line] = lines[run.line] or {}
      table.insert(lines[run.line], run)
    end
  end
  return lines
end

local function summary(runs)
  local bad = vim.tbl_filter(failed, runs)
  if #bad > 0 then return ("✗ %d of %d cases: %s"):format(#bad, #runs, told(bad[1])), "DiagnosticVirtualTextError" end
  local ran = vim.tbl_filter(function(it) return it.outcome == "passed" end, runs)
  return ("✓ %d case%s"):format(#ran, #ran == 1 and "" or "s"), "DiagnosticVirtualTextOk"
end

--- Show a report: the outcome beside each kernel, failures in the quickfix list, one line of summary.
---@param bufnr integer
---@param report table the JSON of `mkls run`
function M.show(bufnr, report)
  M.clear(bufnr)
  local last = vim.api.nvim_buf_line_count(bufnr)
  for line, runs in pairs(by_line(bufnr, report)) do
    local text, highlight = summary(runs)
    vim.api.nvim_buf_set_extmark(bufnr, NAMESPACE, math.min(line, last) - 1, 0, {
      virt_text = { { "  " .. text, highlight } },
      invalidate = true,
    })
  end
  local items = quickfix(report)
  local words = #items == 0 and "%d runs on the %s, none failed" or "%d runs on the %s, %d failed: see :copen"
  mkls.tell(words:format(#report.runs, report.backend, #items))
  vim.lsp.codelens.refresh({ bufnr = bufnr })
end

--- Remove what `show` has put beside the text.
---@param bufnr integer
function M.clear(bufnr) vim.api.nvim_buf_clear_namespace(bufnr, NAMESPACE, 0, -1) end

return M
