"""The concrete syntax tree of Objective-C++, through tree-sitter-cpp.

The import is heavy, so that only what needs a tree should import this module.
"""

import tree_sitter
import tree_sitter_cpp

from mkls.syntax.host.blanking import Code
from mkls.syntax.host.masking import masked

_PARSER = tree_sitter.Parser(tree_sitter.Language(tree_sitter_cpp.language()))


def host_tree(text: str) -> tree_sitter.Tree:
    """Parse Objective-C++; byte offsets of the tree are code-point offsets of `text`."""
    return _PARSER.parse(masked(Code(text)).encode("ascii"))
