"""The tables of words: complete, and written in one way."""

import re
from importlib.resources import files

import pytest

from mkls.features.reference.entry import WordKind, words
from mkls.features.reference.tables import ATTRIBUTES, C10_METAL, HOST, MSL, metal_words
from tests.msl import catalogue

ALL = (*MSL, *C10_METAL, *HOST, *ATTRIBUTES.values())
_PRIVATE = re.compile(r"_|mkls|IMPL_|C10_METAL_ILP_PER_THREAD_STR")
# What the functions are made of: helpers whose names say nothing outside of their header.
_HELPERS = {
    *("ratevl", "lim", "sizeof", "operator", "base10_length", "print_arg", "print_args", "strncpy"),
    "expm1f_scaled_unchecked",
}
_KERNEL = re.compile(r"(?:unary|binary|ternary)(?:_alpha)?_(?:dense|strided)")


def test_an_entry_is_a_signature_and_a_summary():
    (word,) = words(WordKind.FUNCTION, "here", "T f<T>(T x); T f(T x, int y) | Does\n it.")

    assert (word.name, word.parameters, word.summary) == ("f", "T x", "Does it.")
    assert word.signatures == ("T f<T>(T x)", "T f(T x, int y)")


@pytest.mark.parametrize("word", ALL, ids=lambda it: it.name)
def test_every_entry_says_something_and_where_it_is_from(word):
    assert word.name.isidentifier()
    assert re.fullmatch(r"\S.*[.…]", word.summary), word.summary
    assert word.source.startswith(("MSL, ", "c10/metal/", "ATen/", "torch/"))
    assert all(it.count("(") == it.count(")") for it in word.signatures)


def test_no_table_has_a_word_twice():
    for table in (MSL, C10_METAL, HOST):
        names = [it.name for it in table]
        assert len(names) == len(set(names)), [it for it in names if names.count(it) > 1]


def test_every_function_of_the_library_that_is_tested_is_documented():
    names = {
        *catalogue.MATH_1, *catalogue.MATH_2, *catalogue.MATH_3, *catalogue.COMMON,
        *catalogue.INTEGER_1, *catalogue.INTEGER_2, *catalogue.INTEGER_3,
        *catalogue.WORD_FUNCTIONS, *catalogue.TESTS_1, *catalogue.TESTS_2,
    }  # fmt: skip

    assert names <= set(metal_words())


@pytest.mark.parametrize(
    ("header", "prefix"),
    [("metal_simdgroup", "simd_"), ("metal_quadgroup", "quad_"), ("metal_pack", "")],
)
def test_every_function_of_our_headers_is_documented(header, prefix):
    text = (files("mkls.msl") / "include" / header).read_text()
    declared = set(re.findall(r"\b((?:un)?pack_\w+_to_\w+|(?:simd|quad)_\w+)\(", text))

    assert declared
    assert {it for it in declared if it.startswith(prefix)} <= set(metal_words())


def test_every_function_and_macro_of_pytorch_s_metal_headers_is_documented(torch_include):
    headers = sorted((torch_include / "c10/metal").glob("*.h"))
    found = {name for it in headers for name in _declared(it.read_text())}

    assert len(found) > 100
    assert found - _HELPERS - set(metal_words()) == set()


def _declared(text):
    text = re.sub(r"(?s)//[^\n]*|/\*.*?\*/", "", text)
    functions = re.findall(r"\b(\w+)\((?=[^;{}]*?\)\s*\{)", text)
    names = {*functions, *re.findall(r"^#define (\w+)", text, re.MULTILINE)}
    words = ("if", "for", "while", "switch", "enable_if_t", "defined", "buffer", "host_name", "T")
    return {
        it for it in names if it not in words and not _PRIVATE.match(it) and not _KERNEL.match(it)
    }
