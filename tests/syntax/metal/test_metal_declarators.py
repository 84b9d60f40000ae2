"""Declarators and parameters read from tokens."""

import pytest

from mkls.syntax.metal.declaration import declarator_of, heads_of
from mkls.syntax.metal.parameter import parameter_of
from mkls.syntax.metal.token import spelling, tokens_of


@pytest.mark.parametrize(
    ("text", "name", "type_", "space", "is_const"),
    [
        ("device float* x", "x", "device float *", "device", False),
        ("constant uint &n [[buffer(2)]]", "n", "constant uint &", "constant", True),
        ("device const T*", None, "device const T *", "device", True),
        ("device T* const x", "x", "device T * const", "device", False),
        ("uint", None, "uint", "", False),
        ("const uint", None, "const uint", "", True),
        ("unsigned int", None, "unsigned int", "", False),
        ("unsigned x", "x", "unsigned", "", False),
        ("threadgroup float (&x)[32]", "x", "threadgroup float(&)[32]", "threadgroup", False),
        ("thread T idx[max_ndim]", "idx", "thread T [max_ndim]", "thread", False),
        ("vec<T,4> v = vec<T,4>(0)", "v", "vec<T, 4>", "", False),
        ("constant ::c10::metal::vec3<long>& s", "s", "constant ::c10::metal::vec3<long> &",
         "constant", True),
        ("device vec<T, 2 * N>* q", "q", "device vec<T, 2 * N> *", "device", False),
        ("c10::metal::foo", None, "c10::metal::foo", "", False),
        ("texture2d<float, access::write> t [[texture(0)]]", "t",
         "texture2d<float, access::write>", "", False),
    ],
)  # fmt: skip
def test_parameter(text: str, name: str | None, type_: str, space: str, is_const: bool) -> None:
    parameter = parameter_of(tokens_of(text))
    assert parameter is not None
    assert (parameter.name.text if parameter.name else None) == name
    assert (parameter.type, parameter.space, parameter.is_const) == (type_, space, is_const)


@pytest.mark.parametrize("text", ["", "void"])
def test_no_parameter(text: str) -> None:
    assert parameter_of(tokens_of(text)) is None


@pytest.mark.parametrize(
    ("text", "qualified", "template", "arguments", "count"),
    [
        ("kernel void f(uint a, uint b)", "f", None, None, 2),
        ("[[kernel]] void f()", "f", None, None, 0),
        ("[[max_total_threads_per_threadgroup(256), kernel]] void f(uint)", "f", None, None, 1),
        ('[[host_name("x")]] [[kernel]] void f(uint)', "f", None, None, 1),
        ('template [[host_name("x")]] kernel void ::c10::metal::f<float, 4>(uint)',
         "::c10::metal::f", None, ["float", "4"], 1),
        ('template [[host_name("x")]] kernel decltype(f<A<B<int>>>) f<A<B<int>>>', "f", None,
         ["A<B<int>>"], None),
        ('template [[host_name("x")]] kernel f_t f<float>', "f", None, ["float"], None),
        ("template <typename T, bool B = (1 > 0)> kernel void f(device T* x)", "f",
         ["typename T", "bool B = (1 > 0)"], None, 1),
        ("template <typename T, T (*Op)(T, T)> kernel void f(device T* x)", "f",
         ["typename T", "T (*Op)(T, T)"], None, 1),
        ("template <> kernel void f<float>(uint)", "f", [], ["float"], 1),
        ("__attribute__((always_inline)) kernel void f(vec<float, 2> x)", "f", None, None, 1),
    ],
)  # fmt: skip
def test_kernel_declarator(
    text: str,
    qualified: str,
    template: list[str] | None,
    arguments: list[str] | None,
    count: int | None,
) -> None:
    declarator = declarator_of(tokens_of(text))
    assert declarator is not None
    assert declarator.is_kernel
    assert declarator.qualified == qualified
    assert declarator.explicit == text.startswith("template [")
    written = None if declarator.template is None else [*map(spelling, declarator.template)]
    assert written == template
    given = None if declarator.arguments is None else [*map(spelling, declarator.arguments)]
    assert given == arguments
    parameters = declarator.parameters
    assert (None if parameters is None else len(parameters)) == count


@pytest.mark.parametrize("text", ["", "constant float x = 1", "using namespace metal", "(", "f(x)"])
def test_no_declarator(text: str) -> None:
    declarator = declarator_of(tokens_of(text))
    assert declarator is None or not declarator.is_kernel


def test_heads_among_tokens() -> None:
    text = "namespace n { void f() { if (x) { g(); } } int a = {1}; } kernel void k() {} ; h(;"
    heads = [(spelling(head), bool(body)) for head, body in heads_of(tokens_of(text))]
    assert [head for head in heads if head[0]] == [
        ("void f()", True),
        ("int a = {1}", False),
        ("kernel void k()", True),
        ("h(;", False),
    ]
