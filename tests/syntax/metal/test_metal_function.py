"""Functions with bodies, and members of structs."""

from mkls.syntax.metal.function import functions_of
from mkls.syntax.metal.item import items_of
from mkls.syntax.metal.structure import structure_of


def functions(text: str):
    clean = structure_of(text).clean
    return list(functions_of(clean, items_of(clean).items))


def test_a_kernel_with_attributes_and_a_template():
    [found] = functions(
        "template <typename T, uint N>\n"
        "[[max_total_threads_per_threadgroup(1024)]]\n"
        "kernel void f(device T* out [[buffer(0)]], constant uint2& size [[buffer(1)]]) { out; }"
    )

    assert (found.name, found.owner, found.is_kernel, found.types) == ("f", "", True, {"T"})
    assert [(it.name, it.type, it.attribute) for it in found.parameters] == [
        ("out", "device T*", "[[buffer(0)]]"),
        ("size", "constant uint2&", "[[buffer(1)]]"),
    ]


def test_members_know_their_struct():
    found = functions(
        "struct add_functor {\n"
        "  template <typename T>\n"
        "  T operator()(const T a, const T b = 1) { return a + b; }\n"
        " private:\n"
        "  float scale;\n"
        "  float half_of(float x) const { if (x > 0) { return x / 2; } return 0; }\n"
        "};"
    )

    assert [(it.owner, it.name) for it in found] == [
        ("add_functor", "operator()"),
        ("add_functor", "half_of"),
    ]
    assert [it.name for it in found[0].parameters] == ["a", "b"]


def test_a_prototype_has_no_body():
    assert functions("float f(float x);\nfloat g(float);") == []
