"""Syntax trees of Metal, by tree-sitter-cpp."""

from functools import cache

from tree_sitter import Language, Parser, Tree

from mkls.syntax.metal.item import items_of
from mkls.syntax.metal.masking import masked
from mkls.syntax.metal.structure import structure_of


@cache
def _parser() -> Parser:
    import tree_sitter_cpp  # noqa: PLC0415  (a grammar costs milliseconds to load)

    return Parser(Language(tree_sitter_cpp.language()))


def tree_of(cpp: str) -> Tree:
    """Return the tree of `cpp`, masked text: its byte offsets are code-point offsets."""
    return _parser().parse(cpp.encode("ascii", "replace"))


def metal_tree(text: str) -> Tree:
    """Return the tree of the Metal source `text`."""
    clean = structure_of(text).clean
    return tree_of(masked(clean, items_of(clean).items))
