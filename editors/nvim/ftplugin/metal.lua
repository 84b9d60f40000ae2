vim.bo.commentstring = "// %s"
vim.bo.comments = "sO:* -,mO:*  ,exO:*/,s1:/*,mb:*,ex:*/,:///,://"
vim.bo.cindent = true
vim.bo.suffixesadd = ".h,.metal"
vim.b.undo_ftplugin = "setlocal commentstring< comments< cindent< suffixesadd<"

-- With the parser of grammars/tree-sitter-metal the colours come from it, else from syntax/metal.vim.
if pcall(vim.treesitter.language.add, "metal") and vim.treesitter.query.get("metal", "highlights") then
  pcall(vim.treesitter.start, 0, "metal")
end
