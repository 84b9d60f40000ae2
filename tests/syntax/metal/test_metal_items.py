"""The structure of a text and the items in it."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mkls.syntax.metal.brackets import bracket_problems
from mkls.syntax.metal.item import Item, items_of
from mkls.syntax.metal.structure import structure_of

METALLIC = st.lists(
    st.sampled_from(
        ["kernel ", "template ", "<", ">", "struct A", "{", "}", "(", ")", "[[", "]]", ";", "\n",
         "#if X\n", "#else\n", "#endif\n", "#define F(x) x{\\\n(\n", "REGISTER(a);", '"', "'", "//",
         "/*", "*/", "\\", "namespace n {", "1, 2", "é", "\r\n", "= {1};"]
    ),
    max_size=25,
).map("".join)  # fmt: skip


def shown(text: str) -> list[str]:
    """Return the shape, scope and first word or two of each item."""
    found = items_of(structure_of(text).clean).items
    return [
        f"{it.shape.name} {it.scope}|{' '.join(text[it.start : it.end].split())}" for it in found
    ]


def test_a_structure_keeps_every_offset() -> None:
    text = "#define A ( \\\n {\nint x = 1; // {\nchar c = '{'; /* ( */ f(\"}\");\n"
    clean = structure_of(text).clean
    assert len(clean) == len(text)
    assert clean.index("int") == text.index("int")
    assert clean.index('f("') == text.index('f("')
    assert "{" not in clean


def test_directives_keep_continuations_and_lose_comments() -> None:
    text = "  #  define F(x) \\\n  x /* y */ + 1 // end\n#if A /* one\ntwo */ && B\n#endif"
    directives = structure_of(text).directives
    assert [(it.kind, it.argument) for it in directives] == [
        ("define", "F(x)    x   + 1"),
        ("if", "A   && B"),
        ("endif", ""),
    ]
    assert [it.span.of(text)[:6].strip() for it in directives] == ["#  d", "#if A", "#endif"]


@pytest.mark.parametrize(
    ("text", "items"),
    [
        ("REGISTER(a, b);\nREGISTER(c)\nREGISTER(d)",
         ["INVOCATION |REGISTER(a, b);", "INVOCATION |REGISTER(c)", "INVOCATION |REGISTER(d)"]),
        ("namespace a { namespace b::c { void f() {} } }", ["FUNCTION a::b::c|void f() {}"]),
        ("struct A { int x; } a;\nenum B { C };", ["TYPE |struct A { int x; } a;",
                                                   "TYPE |enum B { C };"]),
        ("constant float t[2] = {1, 2};", ["OTHER |constant float t[2] = {1, 2};"]),
        ("static_assert(sizeof(int) == 4);", ["OTHER |static_assert(sizeof(int) == 4);"]),
        ("template <int N = (1 > 0)> kernel void f() {}",
         ["FUNCTION |template <int N = (1 > 0)> kernel void f() {}"]),
        ("ALL_OF_THEM\nREGISTER(a)", ["INVOCATION |ALL_OF_THEM", "INVOCATION |REGISTER(a)"]),
        ("BEGIN(t)\n 1, 2,\n 3\nEND()\nvoid f() {}",
         ["INVOCATION |BEGIN(t)", "INVOCATION |END()", "FUNCTION |void f() {}"]),
        ("#if A\nvoid f(int x) {\n#else\nvoid f(long x) {\n#endif\n}\nvoid g() {}",
         ["FUNCTION |#if A void f(int x) { #else void f(long x) { #endif }".replace("#if A ", ""),
          "FUNCTION |void g() {}"]),
        ("#if 0\nvoid {{{ (\n#endif\nvoid g() {}", ["FUNCTION |void g() {}"]),
    ],
)  # fmt: skip
def test_items(text: str, items: list[str]) -> None:
    assert shown(text) == items


@pytest.mark.parametrize(
    "half",
    [
        "REGISTER_OP(exp, float",
        "kernel void f(device float* x [[buffer(0)",
        "kernel void f(uint x) {\n  if (x) {",
        "template <typename T",
        "struct exp_functor {\n  float operator()(float x) {",
        "#define F(x) x (",
        "constant float table[] = {1, 2,",
    ],
)
def test_a_half_typed_item_does_not_hurt_its_neighbours(half: str) -> None:
    text = f"REGISTER_OP(sin, float);\n{half}\n\nREGISTER_OP(cos, float);\n"
    assert "INVOCATION |REGISTER_OP(sin, float);" in shown(text)
    assert any(it.endswith("REGISTER_OP(cos, float);") for it in shown(text))


def test_unbalanced_brackets_are_problems_where_they_stand() -> None:
    clean = structure_of("void f() {\n  g((1);\n}\nvoid h() {\n").clean
    assert [(it.span.start, it.message) for it in bracket_problems(clean)] == [
        (14, "unclosed `(`"),
        (31, "unclosed `{`"),
    ]
    stray = structure_of("void f() {}\n}\n").clean
    assert [(it.span.start, it.message) for it in bracket_problems(stray)] == [
        (12, "unexpected `}`")
    ]


@settings(max_examples=300, deadline=None)
@given(METALLIC)
def test_items_of_any_text_stay_within_it_and_in_order(text: str) -> None:
    structure = structure_of(text)
    assert len(structure.clean) == len(text)
    found: list[Item] = items_of(structure.clean).items
    end = 0
    for item in found:
        assert end <= item.start <= item.head <= item.end <= len(text)
        end = item.end
    assert all(0 <= it.span.start < len(text) for it in bracket_problems(structure.clean))
