-- Headers of Metal kernels look like C++; in a PyTorch tree their folders tell.
local function header(path)
  if path:find("/c10/metal/") or path:find("/mps/kernels/") then return "metal" end
end

vim.filetype.add({
  extension = { metal = "metal", mm = "objcpp" },
  pattern = {
    [".*/c10/metal/.*%.h"] = { header, { priority = 10 } },
    [".*/mps/kernels/.*%.h"] = { header, { priority = 10 } },
  },
})
