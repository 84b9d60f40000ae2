# ruff: noqa: E501 (a pattern of Vim is one line)
"""`syntax/metal.vim`: the colours of Metal in Vim, and in Neovim without a tree-sitter parser."""

from collections.abc import Iterable
from textwrap import wrap

from tests.grammars import vocabulary as words

_HEAD = """\
" Metal: C++ and the words of the Metal Shading Language.
" Written by `python -m tests.write_grammars`.
if exists("b:current_syntax")
  finish
endif

runtime! syntax/cpp.vim
unlet! b:current_syntax
"""
_TAIL = r"""
syn match metalVectorType /\<\%(packed_\)\?\%(bool\|u\?char\|u\?short\|u\?int\|u\?long\|half\|float\|bfloat\)\%([2-4]\%(x[2-4]\)\?\)\?\>/
syn match metalRegistration /\<\%(REGISTER\|INSTANTIATE\|DEFINE\)_[A-Z0-9_]\+\ze\s*(/
syn match metalNumber /\<\d\+\%(\.\d*\)\?\%([eE][+-]\?\d\+\)\?\%([hH]\|bf\|BF\)\>/
syn match metalDirective /\<mkls-\%(run\|arg\|expect\|reference\):\|\<mkls: ignore\%(-file\)\?/ contained containedin=cCommentL,cComment
syn region metalAttribute start=/\[\[/ end=/\]\]/ contains=metalAttributeName,cNumber,cString

hi def link metalAddressSpace StorageClass
hi def link metalFunctionKind Keyword
hi def link metalType Type
hi def link metalVectorType Type
hi def link metalFunction Function
hi def link metalConstant Constant
hi def link metalAttributeName PreProc
hi def link metalRegistration Macro
hi def link metalNumber Float
hi def link metalDirective SpecialComment

let b:current_syntax = "metal"
"""


def vim_syntax() -> str:
    """Return the file."""
    groups = (
        ("metalAddressSpace", words.qualifiers(), ""),
        ("metalFunctionKind", words.function_kinds(), ""),
        ("metalType", (*words.types(), "bfloat"), ""),
        ("metalFunction", (*words.library_functions(), *words.helper_functions()), ""),
        ("metalConstant", words.constants(), ""),
        ("metalAttributeName", words.attributes(), "contained "),
    )
    lines = [line for name, names, options in groups for line in _keyword(name, names, options)]
    return "\n".join((_HEAD, *lines, _TAIL))


def _keyword(group: str, names: Iterable[str], options: str) -> Iterable[str]:
    # Vim takes these for arguments of `syn keyword`, not for words.
    reserved = {"contains", "display", "conceal", "transparent", "fold", "extend"}
    chosen = sorted(set(names) - reserved)
    return (f"syn keyword {group} {options}{line}" for line in wrap(" ".join(chosen), 80))
