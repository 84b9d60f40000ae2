"""Macro expansion, by example and against GCC."""

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from mkls.syntax.metal.expansion import expanded
from mkls.syntax.metal.macro import Macro, macro_of
from mkls.syntax.metal.token import spelling, tokens_of
from tests.syntax.metal.gcc import preprocessed

Definition = tuple[str, tuple[str, ...] | None, str]


def table(*definitions: Definition) -> dict[str, Macro]:
    return {name: macro_of(name, parameters, body) for name, parameters, body in definitions}


@pytest.mark.parametrize(
    ("definitions", "source", "result"),
    [
        ([("A", None, "1 + A")], "A", "1 + A"),
        ([("F", ("x",), "[x]"), ("A", None, "F")], "A (2)", "[2]"),
        ([("F", ("x",), "x F(x)")], "F(F(1))", "1 F(1) F(1 F(1))"),
        ([("F", ("a",), "a*G"), ("G", ("a",), "F(a)")], "F(2)(9)", "2*9*G"),
        ([("S", ("x",), "#x")], 'S( a  "b\\n"  c )', '"a \\"b\\\\n\\" c"'),
        ([("N", ("x",), "x##_functor")], "N(exp)", "exp_functor"),
        ([("N", ("a", "b"), "<a##b>")], "N(,)", "<>"),
        ([("X", ("x",), "S(x)"), ("S", ("x",), "#x"), ("E", None, "f(1)")], "X(E)", '"f(1)"'),
        ([("V", ("x", "..."), "f(x, ##__VA_ARGS__)")], "V(1) V(1,) V(1, 2, 3)",
         "f(1) f(1,) f(1, 2, 3)"),
        ([("V", ("x", "rest..."), "f(x, rest)")], "V(1, 2, 3)", "f(1, 2, 3)"),
        ([("V", ("x", "..."), "f(x __VA_OPT__(, [__VA_ARGS__]))")], "V(1) V(1, 2)",
         "f(1 ) f(1 , [2])"),
        ([("F", ("a", "b"), "a-b")], "F((1, 2), 3)", "(1, 2)-3"),
        ([("F", ("a",), "<a>")], "F(1 // one\n /* two */ )", "<1>"),
        ([("F", ("a",), "<a>")], "F(1", "F(1"),
        ([("F", ("a",), "<a>")], "F(1, 2)", "F(1, 2)"),
        ([("F", (), "<>")], "F() F", "<> F"),
        ([("H", None, "# 1")], "H", "# 1"),
    ],
)  # fmt: skip
def test_expands_as_the_standard_says(
    definitions: list[Definition], source: str, result: str
) -> None:
    assert spelling(expanded(tokens_of(source), table(*definitions))) == result


def test_a_traced_expansion_knows_where_each_token_comes_from() -> None:
    macros = table(("OUT", ("T",), "IN(T, 2)"), ("IN", ("T", "n"), "T x##n;"))
    tokens = expanded(tokens_of("OUT(float)", 10), macros, trace=True)
    assert [(token.text, token.start, token.trail) for token in tokens] == [
        ("float", 14, ()),
        ("x2", -1, ("OUT", "IN")),
        (";", -1, ("OUT", "IN")),
    ]


def test_macros_that_double_each_other_end() -> None:
    chain = [(f"M{n}", None, f"M{n + 1} M{n + 1}") for n in range(40)]
    assert len(expanded(tokens_of("M0"), table(*chain))) > 1000


NAMES = tuple(f"M{number}" for number in range(5))
SIGNATURES: tuple[tuple[str, ...] | None, ...] = (
    None, (), ("a",), ("a", "b"), ("...",), ("a", "..."),
)  # fmt: skip
WORDS = ("x", "y", "foo", "+", "-", "1", ",", '"s"')


def spelled(parameter: str) -> str:
    return "__VA_ARGS__" if parameter == "..." else parameter


@st.composite
def call(draw: st.DrawFn, signatures: dict[str, tuple[str, ...] | None], words: list[str]) -> str:
    name = draw(st.sampled_from(NAMES))
    parameters = signatures[name]
    if parameters is None or draw(st.integers(0, 6)) == 0:
        return name
    count = len(parameters)
    if "..." in parameters:
        count = max(0, count - 1 + draw(st.integers(0, 2)))
    given_words = st.lists(st.sampled_from([word for word in words if word != ","]), max_size=2)
    arguments = [" ".join(draw(given_words)) for _ in range(count)]
    return f"{name}{draw(st.sampled_from(['', ' ']))}({','.join(arguments)})"


@st.composite
def body(
    draw: st.DrawFn, signatures: dict[str, tuple[str, ...] | None], own: tuple[str, ...] | None
) -> str:
    names = [spelled(parameter) for parameter in own or ()]
    words = [*WORDS, *names, *names]
    kinds = ["word", "word", "call", *(("string", "paste") if names else ())]
    if own and own[-1] == "...":
        kinds += ["comma", "optional"]
    parts: list[str] = []
    for kind in draw(st.lists(st.sampled_from(kinds), max_size=5)):
        if kind == "word":
            parts.append(draw(st.sampled_from(words)))
        elif kind == "call":
            parts.append(draw(call(signatures, words)))
        elif kind == "string":
            parts.append("#" + draw(st.sampled_from(names)))
        elif kind == "paste":
            left, right = (draw(st.sampled_from(["x", "_z", *names])) for _ in range(2))
            parts.append(f"{left}##{right}")
        elif kind == "comma":
            parts.append(", ## __VA_ARGS__")
        else:
            parts.append(f"__VA_OPT__(, {draw(st.sampled_from(names))} k)")
    return " ".join(parts)


@st.composite
def program(draw: st.DrawFn) -> tuple[list[Definition], list[str]]:
    """Macros, and texts that use them."""
    signatures = {name: draw(st.sampled_from(SIGNATURES)) for name in NAMES}
    definitions = [
        (name, parameters, draw(body(signatures, parameters)))
        for name, parameters in signatures.items()
    ]
    uses = st.lists(call(signatures, list(WORDS)), min_size=1, max_size=3).map(" ".join)
    return definitions, draw(st.lists(uses, min_size=2, max_size=4))


def source_of(programs: list[tuple[list[Definition], list[str]]]) -> tuple[str, dict[str, int]]:
    """Return all programs as one text with marks, and on which line each text stands."""
    lines: list[str] = []
    places: dict[str, int] = {}
    for number, (definitions, uses) in enumerate(programs):
        first = len(lines) + 1
        for name, parameters, text in definitions:
            given = "" if parameters is None else f"({', '.join(parameters)})"
            lines.append(f"#define {name}{given} {text}")
        places[f"@{number}@"] = first
        for index, use in enumerate(uses):
            lines += [f"@{number}.{index}@", use]
            places[f"@{number}.{index}@"] = len(lines)
        lines += ["@end@", *(f"#undef {name}" for name in NAMES)]
    return "\n".join(lines) + "\n", places


@settings(max_examples=25, deadline=None, suppress_health_check=list(HealthCheck))
@given(st.lists(program(), min_size=8, max_size=8))
def test_random_macros_expand_as_gcc_expands_them(
    programs: list[tuple[list[Definition], list[str]]],
) -> None:
    source, places = source_of(programs)
    output, complained = preprocessed(source)
    for number, (definitions, uses) in enumerate(programs):
        first = places[f"@{number}@"]
        if not complained.isdisjoint(range(first, first + len(definitions))):
            continue
        for index, use in enumerate(uses):
            mark = f"@{number}.{index}@"
            if complained.isdisjoint((places[mark], places[mark] + 1)):
                theirs = output.split(mark)[1].split("@")[0]
                ours = expanded(tokens_of(use), table(*definitions))
                expected = [token.text for token in tokens_of(theirs)]
                assert [token.text for token in ours] == expected, (definitions, use)


@settings(max_examples=200, deadline=None)
@given(st.text("AF(),#xy \"'\\\n/*", max_size=40), st.text("AF(),#xy_VA ", max_size=20))
def test_expanding_any_text_never_raises(source: str, replacement: str) -> None:
    macros = table(("A", None, replacement), ("F", ("x", "..."), replacement))
    assert isinstance(spelling(expanded(tokens_of(source), macros)), str)
