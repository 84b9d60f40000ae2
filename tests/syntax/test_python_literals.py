"""String literals and statements of Python, against Python's own reading."""

import ast
import warnings

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mkls.syntax.python.chunks import chunks_of
from mkls.syntax.python.literals import Hole, literal_parts
from mkls.syntax.python.parsing import expression_of
from mkls.syntax.python.places import Places
from mkls.text.source_text import SourceText
from mkls.text.span import Span

WRITTEN = (
    '"plain"',
    r'"a\n\t\x41\u00e9\101\"\\ \q"',
    r"r'a\n\' b'",
    '"""two\nlines\\\nas one"""',
    '"a" \'b\' """c"""',
    '("a"  # comment "\n "b"\n r"\\n")',
    '"é😋 \\U0001f60b"',
    '""',
)


def denoted(text: str) -> tuple[SourceText | Hole, ...] | None:
    node = expression_of(text)
    assert node is not None
    return literal_parts(text, Places(text).span(node))


def value_of(text: str) -> object:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return ast.literal_eval(text)


@pytest.mark.parametrize("text", WRITTEN)
def test_a_literal_denotes_what_python_says(text):
    parts = denoted(text)

    assert parts is not None
    assert "".join(it.text for it in parts if isinstance(it, SourceText)) == value_of(text)


@given(st.text(), st.sampled_from(['"""', "'''", '"', "'"]), st.sampled_from(["", "r", "R", "u"]))
def test_any_literal_denotes_what_python_says_or_nothing(contents, quotes, prefix):
    text = f"{prefix}{quotes}{contents}{quotes}"
    try:
        value = value_of(text)
    except (SyntaxError, ValueError):
        return
    if not isinstance(value, str):
        return

    parts = literal_parts(text, Span(0, len(text)))

    if parts is not None and "\r" not in text:
        assert "".join(it.text for it in parts if isinstance(it, SourceText)) == value


@pytest.mark.parametrize("text", WRITTEN)
def test_runs_cover_the_text_and_tell_where_it_stands(text):
    (part,) = denoted(text) or ()
    assert isinstance(part, SourceText)

    at = 0
    for run in part.runs:
        assert run.at == at
        at += run.length
        if run.is_verbatim:
            assert run.span.of(text) == part.text[run.at : run.at + run.length]
    assert at == len(part.text)


def test_holes_of_a_format_string():
    parts = denoted('f"a{{{name}}}b" "{c}"')

    assert parts is not None
    first, hole, last = parts
    assert isinstance(first, SourceText)
    assert isinstance(hole, Hole)
    assert isinstance(last, SourceText)
    assert (first.text, ast.unparse(hole.expression), last.text) == ("a{", "name", "}b{c}")


@pytest.mark.parametrize(
    "text", ["b'bytes'", 'f"{x:>4}"', 'f"{x!r}"', '"\\N{BULLET}"', 'f"{x[{1}]}"']
)
def test_what_is_not_read_is_said_to_be_nothing(text):
    assert denoted(text) is None


SOURCE = '''import a
X = """
kernel void f() {}
def no(): pass
"""
# comment
@decorated(
    1,
)
@again
def g():
    return 1

if X:
    y = 1
else:
    y = 2
class C: pass
'''


def test_statements_are_split_where_python_splits_them():
    chunks = chunks_of(SOURCE)

    assert [len(it.statements) for it in chunks] == [1] * len(ast.parse(SOURCE).body)
    assert [it.name for it in chunks] == ["", "X", "g", "", "C"]


def test_a_half_typed_statement_hides_no_other():
    chunks = chunks_of("a = 1\ndef f(:\n  x\nb = 2\n")

    assert [bool(it.statements) for it in chunks] == [True, False, True]


@given(st.text())
def test_reading_never_fails(text):
    chunks = chunks_of(text)

    assert "".join(it.text for it in chunks) == text
    assert all(isinstance(it.statements, tuple) for it in chunks)
