"""The schemas of custom operators, against torch's own parser."""

import itertools
import random

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from mkls.syntax.host.operator_schema import read_operator_schema

WRITTEN = (
    "ns::f(Tensor self, int[2] size=[1, 2], *, float? eps=None) -> Tensor",
    "f.out(Tensor(a!) x, Tensor? y) -> (Tensor(a!) first, Tensor[])",
    "f(Scalar a, SymInt[] b, ScalarType? dtype, Device? device=None) -> Tensor result",
    'f(str mode="sum", bool flag=False, int n=-1, float x=1e-5) -> ()',
    "f() -> (int, float, bool, str)",
    "f(Tensor x, Tensor[] rest, Generator? g=None, Layout? l=None) -> Tensor(b)?",
)
SIGNS = ("(", ")", ",", "->", "?", "[", "]", " ", "Tensr", "double", "=", "*", "")


LIBRARY = torch._C._dispatch_library("DEF", "mkls_schemas", "")
NUMBERS = itertools.count()


def accepted(text: str) -> bool:
    """Whether `m.def` takes `text`, under a name of its own."""
    arguments = text[text.index("(") :]
    try:
        LIBRARY.def_(f"operator{next(NUMBERS)}{arguments}", "")
    except RuntimeError:
        return False
    return True


@pytest.mark.parametrize("text", WRITTEN)
def test_what_torch_accepts_is_accepted(text):
    assert accepted(text)
    assert read_operator_schema(text).problem is None


def test_what_is_reported_is_what_torch_rejects():
    source = random.Random(3)
    rejected = 0
    for _ in range(3000):
        text = source.choice(WRITTEN)
        at = source.randrange(text.index("(") + 1, len(text))
        text = text[:at] + source.choice(SIGNS) + text[at + source.randrange(3) :]
        problem = read_operator_schema(text).problem if "(" in text else None
        if problem is not None:
            rejected += 1
            assert not accepted(text), (text, problem)
            assert 0 <= problem.span.start < problem.span.end <= len(text) + 1
    assert rejected > 1000


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("f(Tensor x, Tensr y) -> Tensor", "Tensr"),
        ("f(Tensor x, double y) -> Tensor", "double"),
        ("f(Tensor x y) -> Tensor", "y"),
        ("f(Tensor) -> Tensor", ")"),
        ("f(Tensor x)", ")"),
        ("f(Tensor x) -> ", ">"),
    ],
)
def test_the_place_is_the_word_that_is_wrong(text, word):
    problem = read_operator_schema(text).problem

    assert problem is not None
    assert problem.span.of(text) == word
    assert not accepted(text)


@given(st.text())
def test_reading_never_fails(text):
    assert read_operator_schema(text).arguments is not None or text is not None
