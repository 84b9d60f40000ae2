"""Top-level items of C++, half-typed ones included."""

import pytest

from mkls.syntax.host.blanking import Code
from mkls.syntax.host.items import items


def split(text: str) -> list[str]:
    code = Code(text)
    assert len(code.code) == len(text)
    return [text[item.start : item.end] for item in items(code.code)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("int a;\nint b;\n", ["int a;", "int b;"]),
        ("namespace at::native {\nint a;\n} // namespace\nint b;\n", ["int a;", "int b;"]),
        ('extern "C" {\nint a;\n}\n', ["int a;"]),
        ("namespace {\nnamespace b {\nvoid f() {}\n}\n}\n", ["void f() {}"]),
        (
            "void f() { if (a) { b(); } }\nvoid g() {}\n",
            ["void f() { if (a) { b(); } }", "void g() {}"],
        ),
        ("struct S {\n  int a;\n};\nint b;\n", ["struct S {\n  int a;\n};", "int b;"]),
        (
            "static auto x = [] { return 1; }();\nint b;\n",
            ["static auto x = [] { return 1; }();", "int b;"],
        ),
        ("std::array<int, 2> a = {1, 2};\nint b;\n", ["std::array<int, 2> a = {1, 2};", "int b;"]),
        (
            "static void f(int a = 1, bool b = true) {\n}\nint c;\n",
            ["static void f(int a = 1, bool b = true) {\n}", "int c;"],
        ),
        (
            "template <typename T = int>\nvoid f() {\n}\nint c;\n",
            ["template <typename T = int>\nvoid f() {\n}", "int c;"],
        ),
        ("bool operator==(A a, A b) {\n}\nint c;\n", ["bool operator==(A a, A b) {\n}", "int c;"]),
        ("MAKE(a)\nMAKE(b, c)\nvoid f() {}\n", ["MAKE(a)", "MAKE(b, c)", "void f() {}"]),
        ("MAKE(a)\nMAKE(b)\n} // namespace\nMAKE(c)", ["MAKE(a)", "MAKE(b)", "MAKE(c)"]),
        ("MAKE(a)\nMAKE(b);\nint c;", ["MAKE(a)", "MAKE(b);", "int c;"]),
        (
            "TORCH_IMPL_FUNC(f)\n(int a) {\n}\nint b;",
            ["TORCH_IMPL_FUNC(f)\n(int a) {\n}", "int b;"],
        ),
        (
            "TORCH_LIBRARY_IMPL(aten, MPS, m) {\n  x();\n}\n",
            ["TORCH_LIBRARY_IMPL(aten, MPS, m) {\n  x();\n}"],
        ),
        ("#define A {\nint a;\n#if B\nint b;\n#endif\n", ["int a;", "int b;"]),
        ('char* a = "{;";\nint b; // }\nint c; /* } */\n', ['char* a = "{;";', "int b;", "int c;"]),
        ('auto a = R"M(\n} ; "\n)M";\nint b;', ['auto a = R"M(\n} ; "\n)M";', "int b;"]),
        (
            "REGISTER(a, [](int x) { return x; });\nint b;",
            ["REGISTER(a, [](int x) { return x; });", "int b;"],
        ),
        ("int n = 1'000'000;\nint b;", ["int n = 1'000'000;", "int b;"]),
    ],
)
def test_items(text: str, expected: list[str]) -> None:
    assert split(text) == expected


@pytest.mark.parametrize(
    ("text", "whole"),
    [
        # A brace too few, where the next item follows.
        ("void f() {\n  if (a) {\n    b();\n}\n\nvoid g() {\n}\n", "void g() {\n}"),
        (
            "namespace x {\nvoid f() {\n  if (a) {\n}\n\nvoid g() {\n}\n} // namespace x\n",
            "void g() {\n}",
        ),
        # A brace too many.
        ("void f() {\n  }\n}\n\nvoid g() {\n}\n", "void g() {\n}"),
        # A header without its body.
        (
            "TORCH_IMPL_FUNC(f)(const Tensor& a\n\nTORCH_IMPL_FUNC(g)(int b) {\n}\n",
            "TORCH_IMPL_FUNC(g)(int b) {\n}",
        ),
        ("void f(\n\nvoid g() {\n}\n", "void g() {\n}"),
        # A body without end, before a line that plainly begins an item.
        ("void f() {\n  a(\n\nTORCH_IMPL_FUNC(g)(int b) {\n}\n", "TORCH_IMPL_FUNC(g)(int b) {\n}"),
        ("void f() {\n  a(\n\nREGISTER_DISPATCH(s, &k);\n", "REGISTER_DISPATCH(s, &k);"),
        # Braces in both branches of a conditional.
        (
            "void f() {\n#if A\n  if (a) {\n#else\n  if (b) {\n#endif\n  }\n}\n\nvoid g() {\n}\n",
            "void g() {\n}",
        ),
        # A string without end.
        ('void f() {\n  a("x);\n}\n\nvoid g() {\n}\n', "void g() {\n}"),
    ],
)
def test_an_item_survives_its_broken_neighbour(text: str, whole: str) -> None:
    assert whole in split(text)


def test_column_zero_inside_a_well_formed_body_does_not_end_it() -> None:
    text = "void f() {\n  if (a) {\n    b();\n}\n  c();\n}\nint d;\n"
    assert split(text) == [text[: text.index("\nint d")], "int d;"]
