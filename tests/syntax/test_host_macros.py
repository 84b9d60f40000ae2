"""What a macro invocation makes, and which argument made it."""

from mkls.syntax.host.macros import Expansion, expand
from mkls.syntax.metal.macro import macro_of


def expansion(parameters: tuple[str, ...], body: str, *arguments: str) -> Expansion:
    macro = macro_of("M", parameters, body)
    inner = macro_of("TWICE", ("x",), "x x")
    return expand(macro, arguments, {"M": macro, "TWICE": inner})


def test_parameters_strings_and_pasting() -> None:
    made = expansion(("NAME",), "void NAME##_kernel() { run(#NAME, NAME); }", "exp")
    assert made.text.split() == [
        "void",
        "exp_kernel",
        "(",
        ")",
        "{",
        "run",
        "(",
        '"exp"',
        ",",
        "exp",
        ")",
        ";",
        "}",
    ]


def test_variable_arguments_and_nested_macros() -> None:
    made = expansion(("NAME", "..."), "f(TWICE(NAME), __VA_ARGS__)", "a", "b", "c")
    assert made.text.split() == ["f", "(", "a", "a", ",", "b", ",", "c", ")"]


def test_every_character_knows_its_argument() -> None:
    made = expansion(("A", "B"), "void A##_kernel(B b) { run(#B, A, 1); }", "exp", "Tensor")
    at = {text: made.argument_at(made.text.index(text)) for text in made.text.split()}
    assert at["exp_kernel"] == 0
    assert at["exp"] == 0
    assert at["Tensor"] == 1
    assert at['"Tensor"'] == 1
    assert made.argument_at(made.text.index('"Tensor"') + 1) == 1
    assert {at[text] for text in ("void", "(", "b", "run", "1", "}")} == {-1}
