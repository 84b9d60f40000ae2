vim.bo.commentstring = "// %s"
vim.bo.comments = "sO:* -,mO:*  ,exO:*/,s1:/*,mb:*,ex:*/,:///,://"
vim.bo.cindent = true
vim.bo.suffixesadd = ".h,.metal"
vim.b.undo_ftplugin = "setlocal commentstring< comments< cindent< suffixesadd<"

-- With the parser of grammars/tree-sitter-metal the colours come from it, else from syntax/metal.vim.
local looked, found = pcall(vim.treesitter.language.add, "metal")
if looked and found then pcall(vim.treesitter.start, 0, "metal") end
