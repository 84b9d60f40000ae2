"""Mistakes in address spaces, and in what overloads are for."""

import re
from collections.abc import Iterator

from mkls.text.span import Span
from tests.mutation.text import bare, function, line
from tests.support.mutation import Kind, Site, Tree

_SPACE = re.compile(
    r"\b(?:device|constant|threadgroup|thread) (?=(?:const )?[\w:]+(?:<[^<>]*>)? ?[*&])"
)


_HELPER = re.compile(
    r"^(?:static )?(?:inline )?(?:void|bool|float|long|uint|int) \w+\((?P<list>[^(){}]*)\) \{",
    re.MULTILINE,
)


def helper_space_dropped(tree: Tree) -> Iterator[Site]:
    """A helper function's parameter points or refers to memory of no address space."""
    for path, text in tree.matching(r"/mps/kernels/.*\.metal$"):
        plain = bare(text)
        for head in _HELPER.finditer(plain):
            for found in _SPACE.finditer(plain, *head.span("list")):
                place = line(text, found.start())
                yield Site(path, Span(*found.span()), ("",), place)


_MADE = re.compile(r"\b(device|constant) (?:const )?\w+ ?\* ?\w+ = (\w+)(?: \+[^;]*)?;")


def pointer_moved(tree: Tree) -> Iterator[Site]:
    """A local pointer made from a parameter points to another address space than that does."""
    others = {"device": "constant", "constant": "device"}
    for path, text in tree.matching(r"/mps/kernels/.*\.metal$"):
        plain = bare(text)
        for found in _MADE.finditer(plain):
            start = function(plain, found.start()).start
            head = plain[start : plain.find("{", start)]
            if re.search(rf"\b{found[1]} [^,()]*\* ?{found[2]}\b", head):
                place = line(text, found.start())
                yield Site(path, Span(*found.span(1)), (others[found[1]],), place)


_SCALAR = re.compile(
    r"\b(?:c10::metal::)?is_scalar_floating_point_v(?=<\w+>, \w+>[\s\\]*operator\(\))"
)
_STRUCT = re.compile(r"^struct (\w+)_functor \{", re.MULTILINE)


def scalar_not_demanded(tree: Tree) -> Iterator[Site]:
    """An overload for real numbers takes the complex ones of its registrations, too."""
    for path, text in tree.matching(r"/mps/kernels/.*\.metal$"):
        plain = bare(text)
        for found in _SCALAR.finditer(plain):
            structs = list(_STRUCT.finditer(plain, 0, found.start()))
            name = structs[-1][1] if structs else ""
            if re.search(rf"^REGISTER_\w+\({name}, [^;]*\b(?:float|half)2\b", text, re.MULTILINE):
                place = line(text, found.start())
                yield Site(path, Span(*found.span()), ("::metal::is_floating_point_v",), place)


KINDS = (
    Kind("helper-space-dropped", "kernel-body", helper_space_dropped),
    Kind("pointer-moved", "kernel-body", pointer_moved),
    Kind("scalar-not-demanded", "kernel-body", scalar_not_demanded),
)
