"""Masking for tree-sitter-cpp: real kernels parse without errors."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given, settings
from tree_sitter import Node

from mkls.syntax.metal.item import items_of
from mkls.syntax.metal.masking import masked
from mkls.syntax.metal.structure import structure_of
from mkls.syntax.metal.tree import metal_tree
from tests.syntax.metal.test_metal_items import METALLIC


def errors(node: Node) -> Iterator[Node]:
    if node.type == "ERROR" or node.is_missing:
        yield node
    if node.has_error:
        for child in node.children:
            yield from errors(child)


def errors_in(paths: list[Path]) -> list[str]:
    found: list[str] = []
    for path in paths:
        text = path.read_text(encoding="utf-8")
        nodes = errors(metal_tree(text).root_node)
        found += [f"{path.name}:{node.start_point.row + 1}" for node in nodes]
    return found


def test_the_kernels_of_2_6_have_no_errors(pytorch_tree: Path) -> None:
    paths = sorted(pytorch_tree.glob("aten/src/ATen/native/mps/kernels/*.metal"))
    assert len(paths) == 15
    assert errors_in(paths) == []


def test_the_headers_of_2_13_have_no_errors(torch_include: Path) -> None:
    common = sorted(torch_include.glob("c10/metal/*.h"))
    kernels = sorted(torch_include.glob("ATen/native/mps/kernels/*.h"))
    assert (len(common), len(kernels)) == (10, 19)
    assert errors_in([*common, *kernels]) == []


@pytest.mark.parametrize(
    ("metal", "cpp"),
    [
        ("kernel void f(device float* x [[buffer(0)]])",
         "inline void f(const  float* x [[buffer(0)]])"),
        ("threadgroup float x[4];", "const       float x[4];"),
        ("void f(threadgroup int* x [[threadgroup(0)]])",
         "void f(const       int* x [[threadgroup(0)]])"),
        ("[[kernel]] void f()", "[[kernel]] void f()"),
        ("if IF_CONSTEXPR (a)", "if constexpr    (a)"),
        ("C10_METAL_CONSTEXPR unsigned n = 16;", "                    unsigned n = 16;"),
        ("METAL_FUNC T f(T x) {}", "inline     T f(T x) {}"),
        ("ADAM_MODE mode;", "ADAM_MODE mode;"),
        ("REGISTER(a, b);", "               "),
    ],
)  # fmt: skip
def test_masked(metal: str, cpp: str) -> None:
    assert masked(metal, items_of(metal).items) == cpp


@settings(max_examples=100, deadline=None)
@given(METALLIC)
def test_a_mask_keeps_every_offset(text: str) -> None:
    clean = structure_of(text).clean
    assert len(masked(clean, items_of(clean).items)) == len(text)
    assert metal_tree(text).root_node.end_byte == len(text)
